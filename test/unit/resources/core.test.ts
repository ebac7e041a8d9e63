import test from "ava";
import { secretSchema } from "../../../src/resources/core.ts";
import { credentialsOf } from "../../../src/resources/credentials.ts";
import { mergePatch } from "../../../src/resources/merge-patch.ts";

const secret = (parts: object) =>
	secretSchema.parse({ apiVersion: "v1", kind: "Secret", metadata: { name: "a" }, ...parts });

test("data is decoded and stringData lies over it, as in the API server", (t) => {
	t.deepEqual(secret({ data: { username: "YWRtaW4=", password: "b2xk" }, stringData: { password: "new" } }), {
		apiVersion: "v1",
		kind: "Secret",
		metadata: { name: "a", namespace: "default" },
		data: { username: "admin", password: "new" },
	});
	t.deepEqual(secret({}).data, {});
	t.is(secret({ data: { a: "w6k=" } }).data.a, "é");
	t.is(secret({ data: { a: "77u/YQ==" } }).data.a, "\uFEFFa");
});

test("bytes that are no text stay what they were, unless stringData lies over them", (t) => {
	const keystore = "/u3+7QAA";
	t.deepEqual(secret({ data: { "keystore.jks": keystore, "tls.crt": "UEVN" } }), {
		apiVersion: "v1",
		kind: "Secret",
		metadata: { name: "a", namespace: "default" },
		data: { "tls.crt": "PEM" },
		binaryData: { "keystore.jks": keystore },
	});
	t.deepEqual(secret({ data: { a: "/w==" }, stringData: { a: "b" } }).data, { a: "b" });
	t.false(secretSchema.safeParse({ ...secret({}), data: { a: "a" } }).success);
});

test("a line end at the end of a password is not part of it, as in BMO", (t) => {
	t.deepEqual(
		credentialsOf(secret({ data: { username: "YWRtaW4K" }, stringData: { password: " secret\n" } })),
		{ username: "admin", password: "secret" },
	);
	t.deepEqual(credentialsOf(secret({})), { username: "", password: "" });
});

test("a merge patch is that of RFC 7396", (t) => {
	t.deepEqual(mergePatch({ a: "b", c: { d: "e", f: "g" } }, { a: "z", c: { f: null } }), {
		a: "z",
		c: { d: "e" },
	});
	t.deepEqual(mergePatch({ a: [1, 2] }, { a: [3], b: { c: null } }), { a: [3], b: {} });
	t.deepEqual(mergePatch("x", { a: 1 }), { a: 1 });
	t.is(mergePatch({ a: 1 }, "x"), "x");
});
