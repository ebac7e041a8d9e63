import test from "ava";
import fc from "fast-check";
import type { ProvisionState } from "../../../src/ironic/node.ts";
import { IronstrapError } from "../../../src/lib/errors.ts";
import { host, IMAGE, memoryStore, NOW, run, site } from "./_fixtures.ts";
import { KILLED, modelIronic, modelNode, UUID } from "./_model-ironic.ts";

/*
 * The promise above all others: no action ever wipes or power-cycles a server whose manifest did not ask for it. A
 * server lives through random manifests, faults and kills. What is on its disk is kept here, apart from Ironic and from
 * what ironstrap stores, and every change made in a round is judged by that and by the manifest of the round alone.
 */

interface Round {
	readonly image: "a" | "b" | "none";
	readonly online: boolean;
	readonly external: boolean;
	readonly disablePowerOff: boolean;
	readonly inspection: "agent" | "disabled" | "again";
	readonly reboot: "none" | "once" | "hard" | "held";
	readonly brake: "none" | "paused" | "detached";
	/** What happens before: somebody uses the power button, or Ironic's database is lost. */
	readonly before: "nothing" | "button" | "database lost";
	readonly failures: readonly ProvisionState[];
	readonly deaf: boolean;
	readonly killAfter: number;
}

const usually = <T>(value: T, ...others: T[]): fc.Arbitrary<T> =>
	fc.oneof({ weight: 5, arbitrary: fc.constant(value) }, ...others.map((other) => fc.constant(other)));

const round: fc.Arbitrary<Round> = fc.record({
	image: usually<Round["image"]>("a", "b", "none"),
	online: usually(true, false),
	external: usually(false, true),
	disablePowerOff: usually(false, true),
	inspection: usually<Round["inspection"]>("agent", "disabled", "again"),
	reboot: usually<Round["reboot"]>("none", "once", "hard", "held"),
	brake: usually<Round["brake"]>("none", "paused", "detached"),
	before: usually<Round["before"]>("nothing", "button", "database lost"),
	failures: fc.array(
		fc.constantFrom<ProvisionState[]>(
			...[
				"verifying",
				"inspect wait",
				"clean wait",
				"deploying",
				"wait call-back",
				"adopting",
				"deleting",
			].map((state) => state as ProvisionState),
		),
		{ maxLength: 2 },
	),
	deaf: fc.boolean(),
	killAfter: usually(Number.POSITIVE_INFINITY, 0, 1, 2, 3, 4),
});

const url = (image: "a" | "b") => `http://172.22.0.1:6180/images/${image}.qcow2`;

function manifest(given: Round) {
	const annotations = {
		...(given.brake === "none" ? {} : { [`baremetalhost.metal3.io/${given.brake}`]: "" }),
		...(given.inspection === "again" ? { "inspect.metal3.io": "" } : {}),
		...{
			none: {},
			once: { "reboot.metal3.io": "" },
			hard: { "reboot.metal3.io": '{"mode":"hard"}' },
			held: { "reboot.metal3.io/repair": "" },
		}[given.reboot],
	};
	return host(
		{
			online: given.online || given.disablePowerOff,
			image: given.image === "none" ? undefined : { ...IMAGE, url: url(given.image) },
			...(given.external ? { externallyProvisioned: true } : {}),
			...(given.disablePowerOff ? { disablePowerOff: true } : {}),
			...(given.inspection === "disabled" ? { inspectionMode: "disabled" } : {}),
		},
		{ annotations },
	);
}

const WIPES = ["inspect", "provide", "deleted", "active"];
const CUTS = ["power off", "soft power off", "rebooting"];

/** `undefined`: nothing. `foreign`: somebody else's system. Else the URL of the image that we have written. */
type Content = string | undefined;

function mayWipe({ brake, external, image }: Round, content: Content): boolean {
	if (brake !== "none" || external) return false;
	return content === undefined || (content !== "foreign" && (image === "none" || url(image) !== content));
}

test("property: whatever happens, only what a manifest gives up is wiped, and only what it switches is switched", async (t) => {
	let wiped = 0;
	let kept = 0;
	await fc.assert(
		fc.asyncProperty(
			fc.boolean(),
			fc.array(round, { minLength: 1, maxLength: 6 }),
			async (foreign, rounds) => {
				const ironic = modelIronic(
					foreign ? [modelNode({ provision_state: "active", power_state: "power on" })] : [],
				);
				const store = memoryStore();
				const stateNow = () => store.hosts.get("metal3/cp-0")?.status.provisioning.state;
				let content: Content = foreign ? "foreign" : undefined;
				let answered: Round["reboot"] = "none";
				for (const given of rounds) {
					const [known] = ironic.nodes;
					ironic.bmcPower = known?.power_state === "power off" ? "power off" : "power on";
					if (given.before === "button" && known?.provision_state === "active")
						known.power_state = "power off";
					// with neither Ironic nor us knowing of a server, it would be a new one
					if (given.before === "database lost" && /provisioned/.test(stateNow() ?? "")) {
						ironic.nodes.length = 0;
						ironic.ports.length = 0;
						ironic.inventories.clear();
					}
					ironic.failures.clear();
					for (const state of given.failures) ironic.failures.set(state, ["it broke"]);
					ironic.deaf.clear();
					if (given.deaf) ironic.deaf.add(UUID);
					ironic.changes.length = 0;
					ironic.killAfter = given.killAfter;
					if (given.reboot !== answered) answered = "none";
					const cp0 = manifest(given);
					const ended = await run(cp0, { site: site([cp0]), ironic, store, now: NOW }, ironic).then(
						() => true,
						(error: Error) => {
							if (error.message !== KILLED && !(error instanceof IronstrapError)) throw error;
							return false;
						},
					);
					const changes = [...ironic.changes];
					const wipes = changes.filter((change) => WIPES.includes(change));
					const cuts = changes.filter((change) => CUTS.includes(change));
					const off = !(given.online || given.disablePowerOff);
					const rebooted = given.reboot === "held" || (given.reboot !== "none" && given.reboot !== answered);
					const complain = (what: string) => {
						throw new Error(`${what}: ${changes.join(", ")}; on disk ${content ?? "nothing"}; ${stateNow()}`);
					};
					if (given.brake === "paused" && changes.length > 0) complain("paused");
					if (content !== undefined) {
						const wipe = mayWipe(given, content);
						if (wipes.length > 0 && !wipe) complain("wiped");
						if (cuts.length > 0 && !wipe && !off && !rebooted) complain("power cut");
						if (changes.includes("power on") && off) complain("switched on");
						wiped += wipes.length > 0 ? 1 : 0;
						kept += wipes.length > 0 ? 0 : 1;
					}
					const undone = mayWipe(given, content) && /available|provisioning$/.test(stateNow() ?? "");
					if (undone || changes.some((change) => change === "deleted" || change === "provide"))
						content = undefined;
					const [node] = ironic.nodes;
					if (changes.includes("active"))
						content =
							node?.provision_state === "active" ? String(node.instance_info.image_source) : undefined;
					// a person says that there is something on it
					if (given.external && stateNow() === "externally provisioned") content = "foreign";
					// and which image it is
					if (content === "foreign" && stateNow() === "provisioned" && given.image !== "none")
						content = url(given.image);
					if (ended && given.brake === "none" && /provisioned/.test(stateNow() ?? ""))
						answered = given.reboot;
				}
			},
		),
		{ numRuns: 4000, includeErrorInReport: true },
	);
	t.true(wiped > 100 && kept > 1000, `${wiped} wiped, ${kept} kept`);
});
