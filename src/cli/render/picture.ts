import type { RunEvent, WaitState } from "../../steps/events.ts";
import { table } from "./table.ts";

/** What is going on now, gathered from events. */
export interface Picture {
	readonly running: Map<string, { readonly title: string; readonly since: number }>;
	readonly waiting: Map<string, WaitState>;
	readonly hosts: Map<string, { readonly state: string; readonly detail: string }>;
	/** `now` is milliseconds since 1970. */
	note(event: RunEvent, now: number): void;
}

export function openPicture(): Picture {
	const picture: Picture = {
		running: new Map(),
		waiting: new Map(),
		hosts: new Map(),
		note(event, now) {
			if (event.type === "step-started") picture.running.set(event.step, { title: event.title, since: now });
			else if (event.type === "step-finished" || event.type === "step-failed")
				picture.running.delete(event.step);
			else if (event.type === "waiting") picture.waiting.set(event.wait.id, event.wait);
			else if (event.type === "wait-over") picture.waiting.delete(event.id);
			else if (event.type === "host")
				picture.hosts.set(event.host, { state: event.state, detail: event.detail });
		},
	};
	return picture;
}

/** Steps that run, what they wait for, and a table of the hosts; a host's own wait is its row. */
export function pictureText({ hosts, running, waiting }: Picture, now: number): string {
	const waits = [...waiting.values()];
	const hostRows = [...hosts].map(([name, { detail, state }]) => {
		const wait = waits.find(({ subject }) => subject?.endsWith(` ${name}`) === true);
		return [name, state, wait === undefined ? "" : left(wait, now), detail];
	});
	return [
		...[...running]
			.filter(([step]) => !step.startsWith("host:"))
			.map(([, { title, since }]) => `… ${title} (${seconds(now - since)})`),
		...waits
			.filter(({ subject }) => subject === undefined)
			.map(
				(wait) =>
					`  waiting for ${wait.what}${wait.why === "" ? "" : `: ${wait.why}`} (gives up in ${left(wait, now)})`,
			),
		...(hostRows.length === 0 ? [] : ["", table(["HOST", "STATE", "TIME LEFT", "SEEN"], hostRows)]),
	].join("\n");
}

function left({ deadline }: WaitState, now: number): string {
	return seconds(Date.parse(deadline) - now);
}

function seconds(ms: number): string {
	return `${Math.max(0, Math.round(ms / 1000))} s`;
}
