// Compiled tests only: no loader in the workers. The suite is chosen by SUITE (unit | tools | engine | e2e).
import { ownTemporaryFolder } from "./tools/lib/temporary.mjs";

ownTemporaryFolder();

const suite = process.env.SUITE ?? "unit";
// The others use machines and engines, one at a time.
const light = suite === "unit" || suite === "tools";

export default {
	files: [`dist/test/${suite}/**/*.test.js`],
	nodeArguments: ["--enable-source-maps"],
	workerThreads: false,
	concurrency: light ? 2 : 1,
	serial: !light,
	timeout: "60m", // AVA 7's TAP reporter crashes on this timeout: use t.timeout() in each test
};
