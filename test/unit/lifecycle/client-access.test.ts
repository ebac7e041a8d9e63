import test from "ava";
import fc from "fast-check";
import { parse } from "yaml";
import { cloudsYaml } from "../../../src/lifecycle/client-access.ts";

const access = {
	baseUrl: "https://127.0.0.1:6385",
	ca: "not looked at",
	serverName: "127.0.0.1",
	username: "ironic",
	password: "secret",
};

test("clouds.yaml is what OpenStack's clients read", (t) => {
	t.deepEqual(parse(cloudsYaml("metal3", access, "/run/ca.crt")), {
		clouds: {
			metal3: {
				auth_type: "http_basic",
				auth: { endpoint: "https://127.0.0.1:6385", username: "ironic", password: "secret" },
				baremetal_endpoint_override: "https://127.0.0.1:6385",
				cacert: "/run/ca.crt",
			},
		},
	});
});

test("a password arrives as it is, whatever is in it", (t) => {
	const passwords = fc.oneof(fc.string({ unit: "grapheme" }), fc.constant("$%\\\"'#:@ ü& - !null"));
	fc.assert(
		fc.property(passwords, (password) => {
			const { clouds } = parse(cloudsYaml("a", { ...access, password }, "/ca"));
			t.is(clouds.a.auth.password, password);
		}),
	);
});
