import { readdirSync, readFileSync } from "node:fs";
import test from "ava";

const ROOT = new URL("../../../../", import.meta.url);
const sources = ["src/site/", "src/site/rules/", "src/checks/"].flatMap((folder) =>
	readdirSync(new URL(folder, ROOT))
		.filter((name) => name.endsWith(".ts"))
		// a check's own name is no code, and neither is a place in the text or the name of a library's file
		.map((name) => readFileSync(new URL(folder + name, ROOT), "utf8").replace(/\bid: "[^"]*"/g, "")),
);
const documented = [
	...readFileSync(new URL("docs/lint.md", ROOT), "utf8").matchAll(/^\| `([a-z0-9-]+)`/gm),
].map(([, code]) => code ?? "");

/** Kebab-case texts of the source that are no codes. */
const OTHER = new Set(["utf-8", "one-of", "200-210", "docker-compose", "podman-compose"]);

test("docs/lint.md explains every code, once, and no other", (t) => {
	const literals = new Set(
		sources.flatMap((text) =>
			[...text.matchAll(/"([a-z0-9]+(?:-[a-z0-9]+)+)"/g)].map(([, word]) => word ?? ""),
		),
	);
	const made = ["ironic-more-than-one", "bootstrap-more-than-one", "engine-not-found"];
	const codes = [...literals, ...made].filter((word) => !OTHER.has(word)).sort();
	t.deepEqual([...documented].sort(), codes);
});
