import test from "ava";
import type { ObservedContainer } from "../../../src/converge/observed.ts";
import { wantedPorts } from "../../../src/lifecycle/check-machine.ts";
import { inputsOf, siteOf } from "../stack/fixture.ts";

const machine = { local: [], provisioning: { ...inputsOf().provisioning, ipv6Cidr: undefined } };

function wanted(containers: readonly Partial<ObservedContainer>[]): readonly string[] {
	const observed = { networks: [], volumes: [], containers: containers as readonly ObservedContainer[] };
	return wantedPorts(siteOf(), machine, observed).map(
		({ address, field, port, protocol }) => `${protocol} ${address} ${port} ${field ?? "-"}`,
	);
}

test("a new stack wants all its ports, each with the field that changes it", (t) => {
	t.deepEqual(wanted([]), [
		"tcp 172.22.0.1 6385 Ironic.spec.networking.apiPort",
		"tcp 127.0.0.1 6385 Ironic.spec.networking.apiPort",
		"tcp 172.22.0.1 6180 Ironic.spec.networking.imageServerPort",
		"tcp 172.22.0.1 6183 Ironic.spec.networking.imageServerTLSPort",
		"udp 0.0.0.0 67 -",
		"udp 172.22.0.1 69 -",
	]);
});

test("what our own running containers hold is not wanted, what a stopped one had is", (t) => {
	const dnsmasq = { labels: { "com.docker.compose.service": "dnsmasq" }, state: "running" } as const;
	const ports = [{ address: "172.22.0.1", port: 6385 }];
	t.deepEqual(wanted([{ labels: {}, state: "running", ports }, dnsmasq]), [
		"tcp 127.0.0.1 6385 Ironic.spec.networking.apiPort",
		"tcp 172.22.0.1 6180 Ironic.spec.networking.imageServerPort",
		"tcp 172.22.0.1 6183 Ironic.spec.networking.imageServerTLSPort",
	]);
	t.is(wanted([{ labels: {}, state: "exited", ports }]).length, 6);
});
