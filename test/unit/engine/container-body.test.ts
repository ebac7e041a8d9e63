import test from "ava";
import { desiredProject } from "../../../src/converge/desired.ts";
import { containerBody } from "../../../src/engine/container-body.ts";
import type { EngineInfo } from "../../../src/engine/engine.ts";
import { renderStack } from "../../../src/stack/render.ts";
import { inputsOf, siteOf } from "../stack/fixture.ts";

const podman: EngineInfo = {
	kind: "podman",
	version: "4.3.1",
	rootless: false,
	selinux: false,
	limits: { memory: true, pids: true },
};
const docker: EngineInfo = { ...podman, kind: "docker", version: "28.5.2" };

function body(service: string, info: EngineInfo) {
	const desired = desiredProject(renderStack(siteOf(), inputsOf()), Buffer.from("key"));
	const container = desired.containers.find((each) => each.service === service);
	if (container === undefined) throw new Error(service);
	return containerBody(container, info);
}

test("the MAC address is given where the engine reads it", (t) => {
	const endpoint = { IPAMConfig: { IPv4Address: "10.89.77.20" }, MacAddress: "02:42:0a:59:4d:14" };
	t.deepEqual(body("ironic", podman).NetworkingConfig?.EndpointsConfig, {
		"ironstrap-metal3_private": endpoint,
	});
	t.is((body("ironic", docker) as { MacAddress?: string }).MacAddress, "02:42:0a:59:4d:14");
});

test("limits are asked for only where the engine can set them", (t) => {
	const unable = { ...podman, limits: { memory: false, pids: false } };
	t.is(body("mariadb", podman).HostConfig?.Memory, 1024 ** 3);
	t.is(body("mariadb", podman).HostConfig?.PidsLimit, 256);
	t.is(body("mariadb", unable).HostConfig?.Memory, undefined);
	t.is(body("mariadb", unable).HostConfig?.PidsLimit, undefined);
});

test("mounts: volumes by their engine name, read-only ones marked, SELinux labels where there is SELinux", (t) => {
	t.deepEqual(body("httpd", podman).HostConfig?.Binds, [
		"/run/ironstrap/metal3/httpd:/etc/ironstrap/httpd:ro",
		"/run/ironstrap/metal3/sockets/ironic:/run/ironic:rw",
		"ironstrap-metal3_shared:/shared:ro",
	]);
	t.deepEqual(body("httpd", { ...podman, selinux: true }).HostConfig?.Binds, [
		"/run/ironstrap/metal3/httpd:/etc/ironstrap/httpd:ro,z",
		"/run/ironstrap/metal3/sockets/ironic:/run/ironic:rw,z",
		"ironstrap-metal3_shared:/shared:ro",
	]);
});

test("ports, restarts, grace and health check in the engine's words", (t) => {
	const { HostConfig, StopTimeout, Healthcheck } = body("httpd", docker) as ReturnType<typeof body> & {
		Healthcheck?: { Interval: number };
	};
	t.deepEqual(HostConfig?.PortBindings, {
		"6385/tcp": [{ HostIp: "172.22.0.1", HostPort: "6385" }],
		"6386/tcp": [{ HostIp: "127.0.0.1", HostPort: "6385" }],
		"6180/tcp": [{ HostIp: "172.22.0.1", HostPort: "6180" }],
		"6183/tcp": [{ HostIp: "172.22.0.1", HostPort: "6183" }],
	});
	t.deepEqual(HostConfig?.RestartPolicy, { Name: "on-failure", MaximumRetryCount: 5 });
	t.is(StopTimeout, 10);
	t.is(Healthcheck?.Interval, 15e9);
	t.is(body("mariadb", docker).HostConfig?.NetworkMode, "none");
	t.is(body("dnsmasq", docker).HostConfig?.NetworkMode, "host");
});

test("no secret is in what the engine is told", (t) => {
	const desired = desiredProject(renderStack(siteOf(), inputsOf()), Buffer.from("key"));
	const text = JSON.stringify(desired.containers.map((each) => containerBody(each, podman)));
	for (const secret of ["api-password", "database-password", "$2y$"]) t.false(text.includes(secret), secret);
});
