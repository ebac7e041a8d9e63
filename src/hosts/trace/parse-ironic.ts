import { type LineParser, UUID } from "./event.ts";

const MOVED = new RegExp(`Node (${UUID}) moved to provision state "([^"]+)" from state "([^"]+)"`);
const POWER = new RegExp(`Successfully set node (${UUID}) power state to (power o\\w+)`);
const FAULT = new RegExp(` (?:WARNING|ERROR) \\S+ (?:\\[[^\\]]*\\] )?(.*\\b(${UUID})\\b.*)$`);

/** A line of the conductor's log (ironic/conductor/task_manager.py, utils.py; oslo.log's default format). */
export const parseIronic: LineParser = (line) => {
	const moved = MOVED.exec(line);
	if (moved !== null) return { kind: "provision-state", node: moved[1], text: `${moved[3]} -> ${moved[2]}` };
	const power = POWER.exec(line);
	if (power !== null) return { kind: "power", node: power[1], text: power[2] ?? "" };
	const fault = FAULT.exec(line);
	return fault === null ? undefined : { kind: "error", node: fault[2], text: fault[1] ?? "" };
};
