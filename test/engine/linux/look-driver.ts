import { lookForDhcp } from "../../../src/linux/dhcp-look.ts";
import { lookAtInterfaces } from "../../../src/linux/interfaces.ts";

/** Runs inside the sandbox: what is seen there, as JSON. */
async function main(): Promise<void> {
	const signal = AbortSignal.timeout(30_000);
	const interfaces = await lookAtInterfaces({ signal });
	const own = interfaces.flatMap(({ addresses }) => addresses.map(({ address }) => address));
	const [name] = process.argv.slice(2);
	const link = interfaces.find((each) => each.name === name);
	const dhcp = link && (await lookForDhcp(link, { signal, own }));
	process.stdout.write(JSON.stringify({ interfaces, dhcp }));
}

main().catch((error: unknown) => {
	process.stderr.write(String(error));
	process.exitCode = 1;
});
