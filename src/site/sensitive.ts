import type { Path } from "./document.ts";

/** Fields of any kind whose value may be, or contain, a password: `extraConfig` values, kernel parameters, … */
const SENSITIVE_FIELDS: ReadonlySet<string> = new Set([
	"value",
	"password",
	"sshKey",
	"extraKernelParams",
	"annotations",
	"args",
	"command",
	"env",
	"binaryData",
	"data",
	"stringData",
]);

/** Whether the value at this path must not be shown in a message. */
export function isSensitive(kind: string, path: Path): boolean {
	if (kind === "Secret") return !["apiVersion", "kind", "type"].includes(String(path[0])) && !isName(path);
	return path.some((step) => SENSITIVE_FIELDS.has(String(step)));
}

function isName(path: Path): boolean {
	return path.length === 2 && path[0] === "metadata" && (path[1] === "name" || path[1] === "namespace");
}

/**
 * `redfish://admin:secret@bmc/` → `redfish://***@bmc/`. Everything before the last `@` goes: a password may contain
 * any other character.
 */
export function redactUserinfo(text: string): string {
	return text.replace(/(^|\/\/)\S*@/g, "$1***@");
}
