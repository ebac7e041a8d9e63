import { readdirSync, readFileSync } from "node:fs";
import test from "ava";
import { bootstrapSpecSchema } from "../../src/resources/bootstrap.ts";
import { formatDuration } from "../../src/resources/duration.ts";

const ROOT = new URL("../../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), "utf8");

/** Texts of all source files but those of src/site and src/checks, whose codes docs/lint.md explains. */
const sources = readdirSync(new URL("src/", ROOT), { recursive: true, encoding: "utf8" })
	.filter((path) => path.endsWith(".ts") && !/^(site|checks)\//.test(path))
	.map((path) => read(`src/${path}`));

const words = (text: string) => [...text.matchAll(/"([a-z]+(?:-[a-z]+)*)"/g)].map(([, word]) => word ?? "");

/** The members of a union of texts, `export type NAME = | "a" | "b";`. */
function union(path: string, name: string): readonly string[] {
	return words(new RegExp(`type ${name} =([^;]*);`).exec(read(path))?.[1] ?? "");
}

test("docs/errors.md explains every error code, once, and no other", (t) => {
	const written = sources.flatMap((text) =>
		[...text.matchAll(/\bcode:\s*([^,;{}]+)/g)].flatMap(([, value = ""]) => words(value)),
	);
	const codes = new Set([
		...written,
		...union("src/ironic/api-error.ts", "IronicErrorCode"),
		...union("src/kube/api-error.ts", "KubeErrorCode"),
		...union("src/pivot/checks/target-check.ts", "TargetFaultCode"),
		...union("src/cli/pivot/go-on.ts", "RefusalCode"),
		...union("src/hosts/action.ts", "RefusalCode"),
		...union("src/hosts/action.ts", "Operation").map((operation) => `host-${operation}-failed`),
	]);
	codes.delete("custom"); // zod's own
	const documented = [...read("docs/errors.md").matchAll(/^\| `([a-z-]+)`/gm)].map(([, code]) => code ?? "");
	t.deepEqual([...documented].sort(), [...codes].sort());
});

test("docs/cli.md lists every deadline with its default", (t) => {
	const documented = [...read("docs/cli.md").matchAll(/^\| `deadlines\.(\w+)` \| (\S+) \|/gm)].map(
		([, name, value]) => [name, value],
	);
	const { deadlines } = bootstrapSpecSchema.parse({});
	t.deepEqual(
		documented,
		Object.entries(deadlines).map(([name, milliseconds]) => [name, formatDuration(milliseconds)]),
	);
});
