import test from "ava";
import { openPicture, pictureText } from "../../../../src/cli/render/picture.ts";

const start = Date.parse("2026-08-01T10:00:00Z");

test("the picture shows running steps, what they wait for and how long still, and the hosts as a table", (t) => {
	const picture = openPicture();
	picture.note({ type: "step-started", step: "stack:ready", title: "stack ready" }, start);
	const wait = {
		id: "1",
		what: "ironic to be healthy",
		why: "503",
		subject: undefined,
		since: "",
		deadline: "2026-08-01T10:01:00Z",
	};
	picture.note({ type: "waiting", wait }, start);
	picture.note(
		{ type: "step-started", step: "host:metal3/cp-0:inspect", title: "inspect metal3/cp-0" },
		start,
	);
	const hostWait = {
		...wait,
		id: "2",
		what: "metal3/cp-0 to be inspected",
		subject: "BareMetalHost metal3/cp-0",
		deadline: "2026-08-01T10:10:00Z",
	};
	picture.note({ type: "waiting", wait: hostWait }, start);
	picture.note(
		{ type: "host", host: "metal3/cp-0", state: "inspecting", detail: "inspect wait, power on" },
		start,
	);
	picture.note(
		{ type: "host", host: "metal3/cp-10", state: "provisioned", detail: "active, power on" },
		start,
	);
	t.is(
		pictureText(picture, start + 4000),
		[
			"… stack ready (4 s)",
			"  waiting for ironic to be healthy: 503 (gives up in 56 s)",
			"",
			"HOST           STATE         TIME LEFT   SEEN",
			"metal3/cp-0    inspecting    596 s       inspect wait, power on",
			"metal3/cp-10   provisioned               active, power on",
		].join("\n"),
	);
	picture.note({ type: "wait-over", id: "1", seconds: 5 }, start);
	picture.note(
		{ type: "step-finished", step: "stack:ready", title: "stack ready", seconds: 5, skipped: false },
		start,
	);
	t.false(pictureText(picture, start).includes("ironic"));
});
