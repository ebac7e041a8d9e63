import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { proposeBoot } from "../../../src/init/boot-method.ts";
import { checkSite } from "../../../src/init/check-site.ts";
import { interfaceChoices } from "../../../src/init/interface-choice.ts";
import { planSite } from "../../../src/init/plan.ts";
import { completeAnswers } from "../../../src/init/proposals.ts";
import { siteFiles } from "../../../src/init/site-text.ts";
import { lookAtInterfaces } from "../../../src/linux/interfaces.ts";
import { machine } from "./_machine.ts";

/** No such machine is here: its /sys is a folder, and what its `ip` prints is written out. */
test("a laptop with Wi-Fi alone, from its /sys to a site: virtual media, nothing answers DHCP", async (t) => {
	const root = mkdtempSync(join(tmpdir(), "ironstrap-laptop-"));
	t.teardown(() => rmSync(root, { recursive: true }));
	const directory = join(root, "sys/class/net/wlp0s20f3");
	for (const name of ["device", "phy80211", "wireless"])
		mkdirSync(join(directory, name), { recursive: true });
	writeFileSync(join(directory, "carrier"), "1\n");
	const link = {
		ifindex: 3,
		ifname: "wlp0s20f3",
		flags: ["BROADCAST", "MULTICAST", "UP", "LOWER_UP"],
		link_type: "ether",
		address: "a4:c3:f0:00:00:01",
		addr_info: [{ family: "inet", local: "192.168.1.57", prefixlen: 24, scope: "global", dynamic: true }],
	};
	const route = { dst: "default", gateway: "192.168.1.1", dev: "wlp0s20f3", metric: 600 };
	const ip = (args: readonly string[]) =>
		Promise.resolve(JSON.stringify(args.includes("route") ? [route] : [link]));
	const facts = machine(await lookAtInterfaces({ signal: AbortSignal.timeout(5000), root, ip }));
	const dhcp = { outcome: "could-not-look", why: "it needs root" } as const;
	const [choice] = interfaceChoices(facts);
	if (choice === undefined) return t.fail();
	t.regex(proposeBoot(choice, dhcp).reasons[0] ?? "", /^wlp0s20f3 is Wi-Fi/);
	t.regex(proposeBoot(choice, dhcp).instead ?? "", /a second wired interface/);
	const bmc = "redfish-virtualmedia://192.168.1.9/redfish/v1/Systems/1";
	const hosts = [{ name: "cp-0", bmc, username: "admin", bootMAC: "52:54:00:ab:00:01" }];
	const answers = completeAnswers({ interface: choice.link.name, hosts }, facts, dhcp);
	const files = siteFiles(planSite(answers, facts, "answers"), new Map([["cp-0", "secret"]]));
	t.deepEqual(checkSite(files), []);
	const ironic = files.find(({ name }) => name === "ironic.yaml")?.text ?? "";
	t.regex(ironic, /ipAddress: 192\.168\.1\.57/);
	t.notRegex(ironic, /^ +dhcp:/m);
});
