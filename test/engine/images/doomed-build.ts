import { readAsset } from "../../../src/assets/assets.ts";
import { buildImage } from "../../../src/images/build.ts";
import { loadDefinition } from "../../../src/images/definition.ts";

/* Builds an image into a folder until it is killed: node doomed-build.js FOLDER; prints the stages. */

const [folder = ""] = process.argv.slice(2);
const small = { ...loadDefinition("mariadb", readAsset), packages: ["tini"], versionOf: "tini" };
void buildImage(small, {
	outDir: folder,
	onProgress: (text) => process.stdout.write(`${text}\n`),
});
