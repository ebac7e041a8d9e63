import test from "ava";
import { maskSecrets } from "../../../../lab/bmc/request-log.ts";

test("no password reaches the request log", (t) => {
	t.deepEqual(
		maskSecrets({
			UserName: "admin",
			Password: "hunter2",
			Image: "http://joe:hunter2@172.22.0.1/boot.iso",
			Nested: [{ OldPassword: "hunter2", Password: null }],
		}),
		{
			UserName: "admin",
			Password: "***",
			Image: "http://***@172.22.0.1/boot.iso",
			Nested: [{ OldPassword: "***", Password: null }],
		},
	);
});
