import { resolve } from "node:path";
import type { KubeClient } from "../../kube/client.ts";
import { IronstrapError } from "../../lib/errors.ts";
import { type PivotSite, withPivotSite } from "../../lifecycle/pivot-source.ts";
import { chooseSite } from "../../lifecycle/session.ts";
import { up } from "../../lifecycle/up.ts";
import { forgetPlan, readPlan } from "../../pivot/plan-store.ts";
import { clearTarget, runPivot, unfreeze } from "../../pivot/run.ts";
import type { PivotContext } from "../../pivot/steps/context.ts";
import { pivotTimes } from "../../pivot/times.ts";
import { defaultRoots, sitePaths } from "../../state/layout.ts";
import { openPivotRecord, type PivotPhase, type PivotRecord } from "../../state/pivot-record.ts";
import type { SiteOptions } from "../command.ts";
import { type CommandTools, runCommand } from "../run.ts";
import { soakOf, withCluster } from "./flags.ts";

export type StatusFlags = SiteOptions;

export interface RollbackFlags extends SiteOptions {
	readonly to?: string;
	readonly context?: string;
}

export interface ResumeFlags extends RollbackFlags {
	readonly soak: string;
}

/** For how long the soak and the settling of hosts matter to a rollback: not at all. */
const NO_SOAK_MS = 0;

export function runResume(flags: ResumeFlags): Promise<number> {
	return runCommand(flags.json, async (tools) => {
		await withHandOver(flags, tools, "pivot resume", soakOf(flags.soak), async (context, site, found) => {
			if (found.goingBack === true)
				throw refused(
					"pivot-going-back",
					found,
					"its rollback was begun",
					"`ironstrap pivot rollback` goes on with that",
				);
			await runPivot(context, site.session.run);
			await forgetPlan(site.session.secrets);
			tools.report.result(
				{ run: found.run, server: found.target.server, phase: "committed" },
				`${found.target.server} has the ${context.plan.hosts.length} hosts; this machine's stack is away and stays so`,
			);
		});
		return undefined;
	});
}

/**
 * Back to where it began. The target is cleared first; only then this machine's stack is started, with its nodes still
 * frozen; at last they are thawed. The lock is let go in between, because `up` takes it itself.
 */
export function runRollback(flags: RollbackFlags): Promise<number> {
	return runCommand(flags.json, async (tools) => {
		const { report, signal } = tools;
		const common = { roots: defaultRoots, emit: report.emit, signal };
		const site = await withHandOver(
			flags,
			tools,
			"pivot rollback",
			NO_SOAK_MS,
			async (context, pivotSite, found) => {
				if (found.phase !== "cleared") {
					await context.record.update({ goingBack: true });
					await clearTarget(context, pivotSite.session.run);
				}
				return pivotSite.site;
			},
		);
		await up(site, { ...common, hosts: false });
		await withHandOver(flags, tools, "pivot rollback", NO_SOAK_MS, async (context, { session }, found) => {
			await unfreeze(context, session.run);
			await forgetPlan(session.secrets);
			report.result(
				{ run: found.run, server: found.target.server, phase: "rolled-back" },
				"the hand-over is taken back: this machine manages the hosts again",
			);
		});
		return undefined;
	});
}

export function runPivotStatus({ json, site }: StatusFlags): Promise<number> {
	return runCommand(json, async ({ report }) => {
		const name = await chooseSite(site, defaultRoots);
		const record = await openPivotRecord(sitePaths(name, defaultRoots).pivot).read();
		report.result(
			record === undefined ? { site: name, phase: null } : { site: name, ...record },
			record === undefined ? `no hand-over of ${name} was ever begun` : statusText(record),
		);
		return undefined;
	});
}

/** Everything that a hand-over that has begun goes on with. Errors: `pivot-none`, `pivot-committed`, `pivot-other-target`. */
async function withHandOver<T>(
	{ context: contextName, site: wanted, to }: RollbackFlags,
	{ report, signal }: CommandTools,
	command: string,
	soak: number,
	work: (context: PivotContext, site: PivotSite, found: PivotRecord) => Promise<T>,
): Promise<T> {
	return withPivotSite(
		{ site: wanted, roots: defaultRoots, emit: report.emit, signal },
		command,
		async (pivotSite) => {
			const { record, session, site } = pivotSite;
			const found = await record.read();
			if (found === undefined || found.phase === "rolled-back")
				throw refused("pivot-none", found, "there is none", "`ironstrap pivot --to KUBECONFIG` begins one");
			if (found.phase === "committed")
				throw refused(
					"pivot-committed",
					found,
					"it is committed",
					"manage the hosts in that cluster; there is no way back by itself",
				);
			const target =
				to === undefined
					? found.target
					: { kubeconfig: resolve(to), context: contextName, server: found.target.server };
			return withCluster(target, signal, async (kube) => {
				await refuseOtherTarget(kube, found);
				if (to !== undefined) await record.update({ target });
				const plan = await readPlan(session.secrets, found.run);
				const times = pivotTimes(site.bootstrap.spec.deadlines.pivot, soak);
				return work({ plan, kube, record, source: pivotSite, times }, pivotSite, found);
			});
		},
	);
}

async function refuseOtherTarget({ server }: KubeClient, found: PivotRecord): Promise<void> {
	if (server === found.target.server) return;
	throw refused(
		"pivot-other-target",
		found,
		`the kubeconfig leads to ${server}`,
		"use a kubeconfig of the cluster that the hand-over was begun with",
	);
}

type RefusalCode = "pivot-none" | "pivot-committed" | "pivot-going-back" | "pivot-other-target";

function refused(
	code: RefusalCode,
	found: PivotRecord | undefined,
	seen: string,
	fix: string,
): IronstrapError {
	return new IronstrapError({
		code,
		message:
			found === undefined
				? "there is no hand-over to go on with"
				: `hand-over ${found.run} to ${found.target.server} cannot be gone on with`,
		seen,
		fix,
	});
}

const PHASES: Readonly<Record<PivotPhase, string>> = {
	open: "prepared: this machine still has the hosts, its nodes are frozen (or about to be). Safe: resume, rollback",
	fenced:
		"fenced: this machine's stack is away, or on its way; `up` refuses. The servers run on. Safe: resume, rollback. Not safe: starting the stack by hand",
	cleared: "going back: the cluster has nothing of it any more. Safe: rollback",
	committed: "committed: the cluster has the hosts. No way back by itself",
	"rolled-back": "taken back: this machine manages the hosts",
};

function statusText({ createdAt, goingBack, phase, proof, run, target }: PivotRecord): string {
	return [
		`hand-over ${run} to ${target.server}, begun ${createdAt}`,
		PHASES[phase],
		...(goingBack === true && phase !== "rolled-back"
			? ["a rollback was begun: only `ironstrap pivot rollback` goes on"]
			: []),
		...(proof === undefined
			? []
			: [
					`seen ${proof.at}: no container with ${proof.containersGone.join(", ")}; nobody on ${proof.portsClosed.join(", ")}`,
				]),
	].join("\n");
}
