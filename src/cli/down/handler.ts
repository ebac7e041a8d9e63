import { down } from "../../lifecycle/down.ts";
import { chooseSite, knownSites } from "../../lifecycle/session.ts";
import { defaultRoots } from "../../state/layout.ts";
import { finishPurges } from "../../state/purge.ts";
import type { SiteOptions } from "../command.ts";
import { confirm, type Question } from "../confirm.ts";
import { runCommand } from "../run.ts";

export interface DownFlags extends SiteOptions {
	readonly purge?: boolean;
	readonly yes?: boolean;
}

export function runDown({ json, purge = false, site, yes = false }: DownFlags): Promise<number> {
	return runCommand(json, async ({ report, signal }) => {
		if (site === undefined && (await knownSites(defaultRoots)).length === 0) {
			if (purge) await finishPurges(defaultRoots);
			report.result({ site: null, removed: [], left: [] }, "there is no site on this machine: nothing to do");
			return undefined;
		}
		const name = site ?? (await chooseSite(undefined, defaultRoots));
		if (purge && !yes) await confirm(lossOf(name), json === true, signal);
		const { left, removed } = await down({
			site: name,
			purge,
			roots: defaultRoots,
			emit: report.emit,
			signal,
		});
		report.result(
			{ site: name, removed, left },
			[
				`${name} is down${purge ? ", and nothing of it is left" : "; its data is kept"}`,
				...(left.length > 0
					? ["The engine keeps these for itself:", ...left.map((each) => `  ${each}`)]
					: []),
			].join("\n"),
		);
		return undefined;
	});
}

/** Purging throws away the database and the credentials of the servers' Ironic: never by accident. */
function lossOf(site: string): Question {
	return {
		message: `this removes everything of site ${site}: database, secrets, stored hosts`,
		fix: "export what is needed first (`ironstrap pivot --export DIR`), then add --yes",
		answer: site,
		answerIs: "the site's name",
	};
}
