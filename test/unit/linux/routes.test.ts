import test from "ava";
import { localAddressesTowards } from "../../../src/linux/routes.ts";

/** What iproute2 6.1 prints for a batch of `route get`, of which one has no route. */
const printed = `[{"dst":"192.168.222.10","dev":"bmc0","prefsrc":"192.168.222.1","flags":[],"uid":0,"cache":[]}]
[{"dst":"10.9.0.7","gateway":"192.0.2.1","dev":"wlan0","prefsrc":"192.0.2.77","flags":[],"uid":0,"cache":[]}]
[{"type":"local","dst":"172.22.0.1","dev":"lo","prefsrc":"172.22.0.1","flags":[],"uid":0,"cache":["local"]}]
`;

test("each BMC is reached by the address of the interface that leads to it, or by none; all are asked at once", async (t) => {
	const hosts = [
		"192.168.222.10",
		"10.9.0.7",
		"172.22.0.1",
		"203.0.113.9",
		"fd00::7",
		"no-such-host.invalid",
	];
	const asked: string[] = [];
	const ip = async (commands: string) => {
		asked.push(commands);
		return printed;
	};
	t.deepEqual(await localAddressesTowards(hosts, AbortSignal.timeout(20_000), ip), {
		"192.168.222.10": "192.168.222.1",
		"10.9.0.7": "192.0.2.77",
	});
	t.deepEqual(asked, [
		"route get 192.168.222.10\nroute get 10.9.0.7\nroute get 172.22.0.1\nroute get 203.0.113.9\n",
	]);
});

test("nobody is asked about nothing", async (t) => {
	t.deepEqual(
		await localAddressesTowards(["fd00::7"], AbortSignal.timeout(20_000), async () => t.fail()),
		{},
	);
});

test("the kernel's own words: this machine itself is no way to a BMC", async (t) => {
	t.deepEqual(await localAddressesTowards(["127.0.0.1"], AbortSignal.timeout(20_000)), {});
});
