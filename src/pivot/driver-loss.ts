import { isDeepStrictEqual } from "node:util";
import { IronstrapError } from "../lib/errors.ts";
import { driverInfo, parseBmcAddress } from "../resources/bmc-address.ts";
import { bmcAddressFromNode } from "../resources/bmc-from-node.ts";
import { describe, type Site } from "../resources/site.ts";
import type { HostExport } from "./host-export.ts";

/** Set on a node whose deployment failed once: only the Ironic that began it has a ramdisk to do without. */
const PASSING: ReadonlySet<string> = new Set(["fast_track"]);

/**
 * What BMO would not set on the node that it makes of the BareMetalHost, or would set otherwise: the way to the BMC must
 * be the same one in the target.
 */
export function driverFaults({ host, node }: HostExport, site: Site): readonly IronstrapError[] {
	if (node === undefined || host.spec.bmc === undefined) return [];
	const { namespace, name } = host.metadata;
	const ref = { kind: "BareMetalHost", namespace, name };
	const fault = (seen: string, fix: string) =>
		new IronstrapError({
			code: "pivot-lossy",
			message: "the target would not reach the BMC as this machine's Ironic does",
			subject: describe(ref),
			where: site.locate(ref, ["spec", "bmc", "address"]) ?? site.locate(ref),
			seen,
			fix,
		});
	const override = "change it here first, or accept the loss with --allow-lossy";
	let address: string;
	let lossy: readonly string[];
	try {
		({ address, lossy } = bmcAddressFromNode(node));
	} catch (error) {
		if (!(error instanceof RangeError)) throw error;
		return [fault(error.message, "let `ironstrap up` set the node up again")];
	}
	const written = wayTo(host.spec.bmc.address);
	const used = wayTo(address);
	const lost = lossy.filter((key) => !PASSING.has(key));
	return [
		...(isDeepStrictEqual(written, used)
			? []
			: [
					fault(
						`the node has ${address}, the manifest ${host.spec.bmc.address}`,
						"let `ironstrap up` settle it",
					),
				]),
		...(lost.length === 0
			? []
			: [fault(`a BareMetalHost has no place for driver_info ${lost.join(", ")}`, override)]),
	];
}

/** What BMO tells Ironic about an address, but for the credentials. */
function wayTo(address: string): object {
	const parsed = parseBmcAddress(address);
	return driverInfo(parsed, { username: "", password: "" }, { disableCertificateVerification: false });
}
