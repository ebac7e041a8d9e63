import { lookForDhcp } from "../../../src/linux/dhcp-look.ts";
import { lookAtInterfaces } from "../../../src/linux/interfaces.ts";
import { lookForVirtualRouters } from "../../../src/linux/virtual-routers.ts";

/** Runs inside the sandbox: what is seen there, as JSON. */
async function main(): Promise<void> {
	const signal = AbortSignal.timeout(30_000);
	const interfaces = await lookAtInterfaces({ signal });
	const own = interfaces.flatMap(({ addresses }) => addresses.map(({ address }) => address));
	const [name] = process.argv.slice(2);
	const link = interfaces.find((each) => each.name === name);
	const [dhcp, vrrp] =
		link === undefined
			? []
			: await Promise.all([
					lookForDhcp(link, { signal, own }),
					lookForVirtualRouters(link.name, own, signal),
				]);
	process.stdout.write(JSON.stringify({ interfaces, dhcp, vrrp }));
}

main().catch((error: unknown) => {
	process.stderr.write(String(error));
	process.exitCode = 1;
});
