import { IronstrapError } from "../../src/lib/errors.ts";
import type { Lab } from "../lab.ts";

/**
 * One Redfish request from inside the sandbox, as an administrator would send it by hand: GET without a body, else
 * POST. Returns the answer's JSON, `undefined` if it has none. The password goes through curl's standard input.
 */
export async function redfish(lab: Lab, path: string, body?: object): Promise<unknown> {
	const config = [
		`user = "${lab.bmc.username}:${lab.bmc.password}"`,
		`url = "${lab.bmc.address}${path}"`,
		'header = "Content-Type: application/json"',
		...(body === undefined ? [] : [`data = ${JSON.stringify(JSON.stringify(body))}`]),
	];
	const { stdout, exitCode, stderr } = await lab.sandbox.run(
		"curl",
		["--silent", "--show-error", "--fail-with-body", "--insecure", "--max-time", "60", "--config", "-"],
		{ input: config.join("\n"), reject: false },
	);
	if (exitCode !== 0)
		throw new IronstrapError({
			code: "lab-redfish-failed",
			message: `Redfish refused ${path}`,
			seen: `${stdout}${stderr}`,
		});
	return stdout.trim() === "" ? undefined : JSON.parse(stdout);
}
