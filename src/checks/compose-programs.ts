import { type ComposeProgram, composePrograms } from "../linux/compose-programs.ts";
import type { Finding } from "../site/finding.ts";
import type { Check } from "./check.ts";

/** What of the printed file an older version does not do, and the first that does. */
const needs: Readonly<Record<ComposeProgram["name"], { readonly from: string; readonly lacks: string }>> = {
	// https://github.com/compose-spec/compose-spec/blob/main/05-services.md: mac_address of a network, since 2.23.2
	"docker compose": { from: "2.23.2", lacks: "it knows no mac_address of a network" },
	"docker-compose": { from: "2.23.2", lacks: "it knows no mac_address of a network" },
	// 1.0.3 reads no network_mode at all; `depends_on` conditions are waited for since 1.3.0
	"podman-compose": {
		from: "1.3.0",
		lacks:
			"it starts services before the conditions of depends_on hold, and before 1.0.4 ignores network_mode",
	},
};

/** The Compose programs of this machine can run the stack's file. Code: `compose-program-unfit`. */
export function composeProgramsFit(): Check {
	return {
		id: "compose-programs",
		why: "an older program starts the stack in a wrong order, or with a network where there must be none",
		look: async (signal) => unfitComposePrograms(await composePrograms(signal)),
	};
}

/** Pure; a warning for each program that must not be used. */
export function unfitComposePrograms(programs: readonly ComposeProgram[]): readonly Finding[] {
	return programs.flatMap(({ name, version }): Finding[] => {
		const { from, lacks } = needs[name];
		if (!isOlder(version, from)) return [];
		return [
			{
				code: "compose-program-unfit",
				severity: "warning",
				message: `${name} ${version} on this machine cannot run this file: ${lacks}`,
				seen: `${name} ${version}`,
				fix: `use \`ironstrap up\`, which needs no Compose program, or ${name} ${from} or newer`,
			},
		];
	});
}

function isOlder(version: string, than: string): boolean {
	const [found, wanted] = [version, than].map((text) =>
		text.split(/[.-]/).map((part) => Number.parseInt(part, 10)),
	);
	for (const [index, part] of (wanted ?? []).entries()) {
		const other = found?.[index] ?? 0;
		if (other !== part) return other < part;
	}
	return false;
}
