// A lab that is killed in full swing: prints what it is made of as one JSON line, then waits for its end.
import { startLab } from "../../../lab/lab.ts";
import { redfish } from "./redfish-client.ts";

const lab = await startLab({ neighbour: true, servers: [{ firmware: "bios", memoryMiB: 128 }] });
const path = `/redfish/v1/Systems/${lab.servers[0]?.uuid}/Actions/ComputerSystem.Reset`;
await redfish(lab, { method: "POST", path, body: { ResetType: "On" } });
await lab.sandbox.run("nft", ["add", "table", "inet", "doomed"]);
await lab.sandbox.run("sh", [
	"-ec",
	'for group in /sys/fs/cgroup/*/; do mkdir -p "$group/libpod_parent/libpod-x"; done',
]);
const { stdout } = await lab.sandbox.run("ps", ["-e", "-o", "comm="]);
process.stdout.write(
	`${JSON.stringify({ pid1: lab.sandbox.pid1, workDir: lab.workDir, commands: stdout.split("\n") })}\n`,
);
setInterval(() => undefined, 1000);
