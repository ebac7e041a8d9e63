import { Command } from "commander";
import { type CommonOptions, command, type Finish, withSite } from "../command.ts";
import type { ExportFlags } from "./export.ts";
import type { ResumeFlags, RollbackFlags, StatusFlags } from "./go-on.ts";
import type { HandOverFlags } from "./hand-over.ts";

export function pivotCommand(finish: Finish): Command {
	const run = withSite(command("run", "hand the hosts over (also without the word `run`)"))
		.option("--to <kubeconfig>", "the cluster that takes the hosts")
		.option("--context <name>", "which of the kubeconfig's contexts; default its current one")
		.option("--dry-run", "look at both sides and print the plan; change nothing")
		.option("--as <mode>", "take the hosts over as `external` or as `provisioned`", "external")
		.option("--canary <namespace/name>", "the host that is let go first")
		.option("--own-ironic", "an Ironic runs in the cluster already and takes the hosts: write none")
		.option("--allow-lossy", "go on although a BareMetalHost has no place for a setting of a node")
		.option("--dhcp-elsewhere", "another DHCP server gives the servers the addresses they have now")
		.option("--soak <duration>", "how long all hosts must stay well before it is for good", "5m")
		.option(
			"--export <dir>",
			"write a bundle instead: manifests, secrets, inventory, database dump, checksums",
		)
		.action(async (flags: HandOverFlags & Partial<ExportFlags>) =>
			finish(
				flags.export === undefined
					? await (await import("./hand-over.ts")).runHandOver(flags)
					: await (await import("./export.ts")).runExport({ ...flags, export: flags.export }),
			),
		);
	const goOn = () => import("./go-on.ts");
	const status = withSite(command("status", "how far a hand-over is, and what can be done now")).action(
		async (flags: StatusFlags) => finish(await (await goOn()).runPivotStatus(flags)),
	);
	const resume = withSite(command("resume", "go on with a hand-over that was interrupted"))
		.option("--to <kubeconfig>", "another kubeconfig of the same cluster, e.g. with a new token")
		.option("--context <name>", "which of its contexts")
		.option("--soak <duration>", "how long all hosts must stay well before it is for good", "5m")
		.action(async (flags: ResumeFlags) => finish(await (await goOn()).runResume(flags)));
	const rollback = withSite(
		command("rollback", "take a hand-over back; this machine manages the hosts again"),
	)
		.option("--to <kubeconfig>", "another kubeconfig of the same cluster, e.g. with a new token")
		.option("--context <name>", "which of its contexts")
		.action(async (flags: RollbackFlags) => finish(await (await goOn()).runRollback(flags)));
	const rbac = command("rbac", "print the rights that a hand-over needs, for `kubectl apply`").action(
		async (flags: CommonOptions) => finish(await (await import("./rbac.ts")).runRbac(flags)),
	);
	return new Command("pivot")
		.description("hand the hosts over to the cluster that was built on them (docs/pivot.md)")
		.addCommand(run, { isDefault: true, hidden: false })
		.addCommand(status)
		.addCommand(resume)
		.addCommand(rollback)
		.addCommand(rbac);
}
