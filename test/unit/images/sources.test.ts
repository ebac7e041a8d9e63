import test from "ava";
import { imageSource, loginIn, registryLogin } from "../../../src/images/sources.ts";
import { siteOf } from "../stack/fixture.ts";

test("a site that names no image runs what was built here, else upstream's releases", (t) => {
	const ironic = (version?: string) => imageSource(siteOf({ ironic: { version } }), "ironic");
	t.deepEqual(ironic(), {
		written: "localhost/ironstrap/ironic:latest",
		pullable: "quay.io/metal3-io/ironic:release-38.0",
	});
	// https://github.com/metal3-io/ironic-standalone-operator/blob/v0.11.0/pkg/ironic/version.go
	t.is(ironic("37.0").pullable, "quay.io/metal3-io/ironic:release-37.0");
	t.is(ironic("35.0").pullable, "quay.io/metal3-io/ironic:release-35.0");
	t.is(ironic("latest").pullable, "quay.io/metal3-io/ironic:latest");
	t.is(imageSource(siteOf(), "mariadb").pullable, "docker.io/library/mariadb:11.8");
});

test("the image that a site names is pulled by its full name; one of localhost cannot be pulled", (t) => {
	for (const [written, pullable] of [
		["quay.io/metal3-io/ironic:latest", "quay.io/metal3-io/ironic:latest"],
		["registry.example.org:5000/i:1", "registry.example.org:5000/i:1"],
		["mariadb:11", "docker.io/library/mariadb:11"],
		["someone/ironic:1", "docker.io/someone/ironic:1"],
		["localhost/mine:1", undefined],
	] as const) {
		const site = siteOf({ bootstrap: { images: { ironic: written } } });
		t.deepEqual(imageSource(site, "ironic"), { written, pullable }, written);
	}
	const both = siteOf({
		ironic: { images: { ironic: "quay.io/a:1" } },
		bootstrap: { images: { ironic: "quay.io/b:1" } },
	});
	t.is(imageSource(both, "ironic").written, "quay.io/a:1");
});

test("a mirror stands in for a registry, or for the part of one that is named closest", (t) => {
	const registries = [
		{ registry: "quay.io", mirror: "registry.example.org:5000/quay/" },
		{ registry: "quay.io/metal3-io", mirror: "10.0.0.5:5000/metal3" },
	];
	const pulled = (ironic: string) =>
		imageSource(siteOf({ bootstrap: { registries, images: { ironic } } }), "ironic").pullable;
	t.is(pulled("quay.io/other/ironic:1"), "registry.example.org:5000/quay/other/ironic:1");
	t.is(pulled("quay.io/metal3-io/ironic:1"), "10.0.0.5:5000/metal3/ironic:1");
	t.is(pulled("quay.iox/metal3-io/ironic:1"), "quay.iox/metal3-io/ironic:1");
});

const config = (auths: object) => JSON.stringify({ auths });
const auth = Buffer.from("robot:pass:word").toString("base64");

test("logins as kubectl and docker write them", (t) => {
	const login = { serveraddress: "quay.io", username: "robot", password: "pass:word" };
	t.deepEqual(loginIn(config({ "quay.io": { auth } }), "quay.io"), login);
	t.deepEqual(loginIn(config({ "https://quay.io": { auth } }), "quay.io"), login);
	t.deepEqual(
		loginIn(config({ "quay.io": { username: "robot", password: "pass:word", auth: "" } }), "quay.io"),
		login,
	);
	t.deepEqual(loginIn(config({ "https://index.docker.io/v1/": { auth } }), "docker.io"), {
		...login,
		serveraddress: "docker.io",
	});
	t.is(loginIn(config({ "other.io": { auth } }), "quay.io"), undefined);
	t.is(loginIn("no JSON", "quay.io"), undefined);
});

test("the pull secret of the mirror is sent to the mirror, and to nobody else", (t) => {
	const site = siteOf({
		bootstrap: { registries: [{ registry: "quay.io", mirror: "r.example.org/q", pullSecretName: "pull" }] },
		secrets: [
			{
				apiVersion: "v1",
				kind: "Secret",
				metadata: { name: "pull", namespace: "metal3" },
				stringData: { ".dockerconfigjson": config({ "r.example.org": { auth }, "quay.io": { auth } }) },
			},
		],
	});
	t.is(registryLogin(site, "r.example.org/q/metal3-io/ironic:1")?.username, "robot");
	t.is(registryLogin(site, "quay.io/metal3-io/ironic:1"), undefined);
	t.is(registryLogin(site, "docker.io/library/mariadb:11.8"), undefined);
});
