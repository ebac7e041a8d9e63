import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import type { KubeClient } from "../../kube/client.ts";
import { IronstrapError, IronstrapErrors } from "../../lib/errors.ts";
import { type PivotSite, withPivotSite } from "../../lifecycle/pivot-source.ts";
import { collectHosts } from "../../pivot/host-export.ts";
import { leaseDependences } from "../../pivot/lease-dependence.ts";
import { type PivotPlan, planPivot } from "../../pivot/plan.ts";
import { forgetPlan, storePlan } from "../../pivot/plan-store.ts";
import { targetNotes, targetRefusals } from "../../pivot/preflight.ts";
import { runPivot } from "../../pivot/run.ts";
import { lookAtTarget } from "../../pivot/target-facts.ts";
import { pivotTimes } from "../../pivot/times.ts";
import { parseLeases } from "../../stack/leases.ts";
import { defaultRoots } from "../../state/layout.ts";
import type { SiteOptions } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Reporter } from "../render/reporter.ts";
import { runCommand } from "../run.ts";
import { soakOf, takeOverOf, withCluster } from "./flags.ts";
import { planSummary, planText } from "./plan-text.ts";

export interface HandOverFlags extends SiteOptions {
	readonly to?: string;
	readonly context?: string;
	readonly dryRun?: boolean;
	readonly as: string;
	readonly canary?: string;
	readonly ownIronic?: boolean;
	readonly allowLossy?: boolean;
	readonly dhcpElsewhere?: boolean;
	readonly soak: string;
}

/** Looks at both sides, plans, and (but for `--dry-run`) does it. Refusals come all at once, before anything is written. */
export function runHandOver(flags: HandOverFlags): Promise<number> {
	return runCommand(flags.json, async ({ report, signal }) => {
		const { context, to } = flags;
		if (to === undefined)
			throw new IronstrapError({
				code: "usage",
				message: "the pivot needs a cluster to hand the hosts over to",
				fix: "`ironstrap pivot --to KUBECONFIG --dry-run` shows what would be done; `--export DIR` writes a bundle",
			});
		const soak = soakOf(flags.soak);
		const target = { kubeconfig: resolve(to), context };
		return withCluster(target, signal, (kube) =>
			withPivotSite(
				{ site: flags.site, roots: defaultRoots, emit: report.emit, signal },
				"pivot",
				async (pivotSite) => {
					const { record, session, site } = pivotSite;
					await refuseSecond(pivotSite);
					const plan = await makePlan(pivotSite, flags, signal);
					const facts = await lookAtTarget(kube, plan, signal);
					const refusals = targetRefusals(plan, facts, site);
					const notes = targetNotes(plan, facts);
					if (flags.dryRun === true) return printPlan(report, plan, kube, notes, refusals);
					if (refusals.length > 0) throw new IronstrapErrors(refusals);
					for (const message of notes) report.emit({ type: "note", level: "warning", message });
					// the plan first: a record without one could be neither continued nor taken back
					await storePlan(session.secrets, plan);
					const { createdAt, run } = plan;
					await record.write({
						formatVersion: 1,
						run,
						createdAt,
						phase: "open",
						target: { server: kube.server, ...target },
						flags: [],
					});
					const times = pivotTimes(site.bootstrap.spec.deadlines.pivot, soak);
					await runPivot({ plan, kube, record, source: pivotSite, times }, session.run);
					await forgetPlan(session.secrets);
					report.result(
						{ run, server: kube.server, hosts: plan.hosts.length, phase: "committed" },
						`${kube.server} has the ${plan.hosts.length} hosts; this machine's stack is away and stays so`,
					);
					return undefined;
				},
			),
		);
	});
}

async function makePlan(
	{ credentials, ironic, leases, session, site }: PivotSite,
	flags: HandOverFlags,
	signal: AbortSignal,
): Promise<PivotPlan> {
	const hosts = await collectHosts({ site, ironic, store: session.hosts }, signal);
	const { api, tls } = await credentials();
	const now = new Date();
	return planPivot({
		site,
		hosts,
		access: { credentials: api, tls },
		leases:
			flags.dhcpElsewhere === true
				? []
				: leaseDependences(hosts, parseLeases(await leases(signal)), now.getTime() / 1000),
		runId: randomBytes(4).toString("hex"),
		createdAt: now.toISOString(),
		as: takeOverOf(flags.as),
		ownIronic: flags.ownIronic === true,
		canary: flags.canary,
		allowLossy: flags.allowLossy === true,
	});
}

/** One at a time, and none after the last. */
async function refuseSecond({ record, site }: PivotSite): Promise<void> {
	const before = await record.read();
	if (before === undefined || before.phase === "rolled-back") return;
	const committed = before.phase === "committed";
	throw new IronstrapError({
		code: committed ? "site-handed-over" : "pivot-open",
		message: committed
			? `the hosts of site ${site.name} were handed over already`
			: `a hand-over of site ${site.name} has begun and is not over`,
		seen: `hand-over ${before.run} to ${before.target.server}, ${before.phase}`,
		fix: committed
			? "manage them in that cluster"
			: "`ironstrap pivot resume` goes on, `ironstrap pivot rollback` takes it back",
	});
}

function printPlan(
	report: Reporter,
	plan: PivotPlan,
	{ server }: KubeClient,
	notes: readonly string[],
	refusals: readonly IronstrapError[],
): number {
	report.result(planSummary(plan, server, notes, refusals), planText(plan, server, notes, refusals));
	return refusals.length === 0 ? exitCodes.ok : exitCodes.failed;
}
