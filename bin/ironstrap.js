#!/usr/bin/env node
// Node 12 must be able to read this file, so that an old Node says what is wrong instead of a syntax error.
const oldest = [20, 19];
const [major, minor] = process.versions.node.split(".").map(Number);

if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
	console.error(
		`ironstrap needs Node.js ${oldest.join(".")} or newer; this is ${process.versions.node} (${process.execPath})`,
	);
	process.exitCode = 2;
} else {
	// A promise that nobody can keep any more ends Node with code 0: that must never look like success.
	let ended = false;
	process.on("exit", () => {
		if (ended) return;
		if (!process.exitCode) process.exitCode = 1;
		console.error("ironstrap stopped before its work was done; run the same command again: it continues");
	});
	const main = new URL("../dist/src/cli/main.js", import.meta.url);
	import("node:fs")
		.then(({ existsSync }) => {
			if (existsSync(main)) return import(main.href).then(({ main: run }) => run(process.argv.slice(2)));
			console.error("ironstrap is not built: run `npm ci && npm run build` in its folder first");
			return 2;
		})
		.then((code) => {
			ended = true;
			process.exitCode = code;
		});
}
