import { Command } from "commander";

/** Tells `main` how the command ended. */
export type Finish = (exitCode: number) => void;

/** Options that every command has. */
export interface CommonOptions {
	readonly json?: boolean;
}

/** Options that choose a site that was applied before. */
export interface SiteOptions extends CommonOptions {
	readonly site?: string;
}

/** A command with `--json`, which everything that prints has. */
export function command(name: string, description: string): Command {
	return new Command(name)
		.description(description)
		.option("--json", "print events and the result as JSON, one object a line");
}

export function withSite(target: Command): Command {
	return target.option("--site <name>", "which site; not needed while there is only one");
}

/** Collects a repeatable option. */
export function repeated(value: string, before: readonly string[] = []): readonly string[] {
	return [...before, value];
}
