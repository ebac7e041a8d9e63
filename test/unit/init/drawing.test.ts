import test from "ava";
import type { Answers } from "../../../src/init/answers.ts";
import { drawNetwork } from "../../../src/init/drawing.ts";
import { planSite } from "../../../src/init/plan.ts";
import { jumpHost } from "./_machine.ts";

function answers(count: number): Answers {
	return {
		interface: "eno2",
		boot: "network",
		range: { begin: "172.22.0.100", end: "172.22.0.150" },
		hosts: Array.from({ length: count }, (_, index) => ({
			name: `cp-${index}`,
			bmc: `redfish://10.0.0.${20 + index}/redfish/v1/Systems/1`,
			username: "admin",
			bootMAC: `52:54:00:ab:00:${(index + 16).toString(16)}`,
		})),
	};
}

test("every address and its owner", (t) => {
	const plan = planSite(answers(2), jumpHost, "a");
	t.is(
		drawNetwork(plan, jumpHost, { unicode: true, foreignDhcp: ["172.22.0.254"] }),
		`THIS MACHINE
├─ eno2 ═══ provisioning network 172.22.0.0/24
│  ├─ 172.22.0.1                      this machine: Ironic, images, DHCP
│  ├─ 172.22.0.254                    DHCP server of this network
│  ├─ 172.22.0.100 - 172.22.0.150     servers, from this machine's DHCP
│  ├─ from the pool                   cp-0  52:54:00:ab:00:10
│  └─ from the pool                   cp-1  52:54:00:ab:00:11
├─ eno1  10.0.0.5/24
│  ├─ 10.0.0.77                       you
│  └─ 10.0.0.1                        the router
└─ BMCs ═══ reached through this machine's routes
   ├─ 10.0.0.20                       BMC of cp-0
   └─ 10.0.0.21                       BMC of cp-1`,
	);
});

test("fifty hosts and long names fit a plain terminal, in ASCII too", (t) => {
	const many = answers(50);
	const [first, ...rest] = many.hosts;
	if (first === undefined) return t.fail();
	const name = "a-very-long-name-of-a-host-of-forty-chars";
	const plan = planSite({ ...many, hosts: [{ ...first, name: name.slice(0, 40) }, ...rest] }, jumpHost, "a");
	for (const unicode of [true, false]) {
		const lines = drawNetwork(plan, jumpHost, { unicode, foreignDhcp: [] }).split("\n");
		t.true(lines.length <= 20, `${lines.length} lines`);
		t.true(lines.every((line) => line.length <= 79));
		t.true(lines.some((line) => line.endsWith("and 47 more")));
	}
	const ascii = drawNetwork(plan, jumpHost, { unicode: false, foreignDhcp: [] });
	t.regex(ascii, /^[\x20-\x7e\n]+$/);
});
