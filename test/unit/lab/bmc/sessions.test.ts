import test from "ava";
import { createSessions, isBasic } from "../../../../lab/bmc/sessions.ts";

test("a session lasts as long as it is used", (t) => {
	let now = 0;
	const sessions = createSessions({ timeoutSeconds: 300, limit: 16, now: () => now });
	const token = sessions.open()?.token ?? "";
	now = 299_000;
	t.true(sessions.accepts(token));
	now = 598_000;
	t.true(sessions.accepts(token));
	now = 898_001;
	t.false(sessions.accepts(token));
});

test("a BMC has few sessions, and leaked ones are missed", (t) => {
	const sessions = createSessions({ timeoutSeconds: 300, limit: 2, now: () => 0 });
	const first = sessions.open();
	sessions.open();
	t.is(sessions.open(), undefined);
	t.true(sessions.close(first?.id ?? ""));
	t.not(sessions.open(), undefined);
});

test("a restart forgets every session", (t) => {
	const sessions = createSessions({ timeoutSeconds: 300, limit: 2, now: () => 0 });
	const token = sessions.open()?.token ?? "";
	sessions.forget();
	t.false(sessions.accepts(token));
	t.deepEqual(sessions.ids(), []);
});

test("Basic credentials are compared as a whole", (t) => {
	t.true(isBasic("Basic YWRtaW46cGFzc3dvcmQ=", "admin", "password"));
	t.false(isBasic("Basic YWRtaW46cGFzc3dvcmQ=", "admin", "passwor"));
	t.false(isBasic("", "admin", "password"));
});
