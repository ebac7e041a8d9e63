import type { Operation } from "./action.ts";
import { stallIn } from "./trace/diagnose.ts";

/** Why an operation failed, told so that a person knows what to do next. */
export interface Explanation {
	/** Stable, kebab-case, begins with `host-`. */
	readonly code: string;
	readonly message: string;
	readonly fix: string;
	/** The field of the host's spec that it is about. */
	readonly path: readonly string[];
}

/** One known cause: how Ironic 29, sushy 5 and the agent word it, and what it means. First match wins. */
interface Cause extends Explanation {
	readonly words: RegExp;
}

const BMC = ["spec", "bmc", "address"];
const IMAGE = ["spec", "image", "url"];

const CAUSES: readonly Cause[] = [
	// The agent's own errors come first: they may quote connection errors of a download.
	{
		code: "host-image-checksum",
		words:
			/failed to verify against checksum|error verifying image checksum|checksum.*(mismatch|does not match)/i,
		message: "the downloaded image does not have the checksum that the manifest says",
		fix: "compare spec.image.checksum with `sha256sum` of the file that spec.image.url serves; then run `ironstrap up` again",
		path: ["spec", "image", "checksum"],
	},
	{
		code: "host-image-too-big",
		words:
			/no space left on device|too small for requested image|ImageDownloadOutofSpace|memory size is too small/i,
		message: "the image does not fit",
		fix: "choose a larger root disk with spec.rootDeviceHints, use a smaller image, or use the raw format, which is written without being kept in the server's memory",
		path: IMAGE,
	},
	{
		code: "host-image-unavailable",
		words:
			/error downloading image|could not (download|be downloaded)|image .*(not found|unavailable)|failed to (download|cache) .*image|validation of image href|unable to find checksum/i,
		message: "the image or its checksum file cannot be downloaded",
		fix: "fetch spec.image.url on this machine, e.g. with `curl -I`; Ironic downloads it in its container on this machine",
		path: IMAGE,
	},
	{
		code: "host-root-device",
		words:
			/no suitable device was found|no disks? (satisfied|could be found)|no devices could be found|root device hints/i,
		message: "no disk of the server matches the root device hints",
		fix: "compare spec.rootDeviceHints with the disks in `ironstrap hosts --json`; all hints must match one disk",
		path: ["spec", "rootDeviceHints"],
	},
	{
		code: "host-boot-mac",
		words: /no (valid )?network interfaces|no interfaces present|MAC address .* (already|not found)/i,
		message: "the ramdisk reports none of the expected network interfaces",
		fix: "compare spec.bootMACAddress with the server's label or its BMC",
		path: ["spec", "bootMACAddress"],
	},
	{
		code: "host-bmc-certificate",
		words: /certificate verify failed|self[- ]signed certificate|SSLError|SSLCertVerification/i,
		message: "the BMC's certificate is not trusted",
		fix: "name the BMCs' CA in Ironic's spec.tls.bmcCA, or set spec.bmc.disableCertificateVerification: true",
		path: BMC,
	},
	{
		code: "host-bmc-password",
		words:
			/returned code 40[13]|\b401\b|unauthorized|authentication (failed|error)|access ?error|invalid (user|password)|insufficient privilege|RAKP|does not have access/i,
		message: "the BMC refuses the user name or the password",
		fix: "correct the Secret that spec.bmc.credentialsName names, try it on the BMC's web page, then run `ironstrap up` again; some BMCs lock the account after a few failures",
		path: ["spec", "bmc", "credentialsName"],
	},
	{
		code: "host-bmc-system",
		words: /resource \S+ not found|returned code 404|redfish_system_id/i,
		message: "the BMC knows no such system",
		fix: "list the systems at /redfish/v1/Systems on the BMC and put the path of the right one into spec.bmc.address",
		path: BMC,
	},
	{
		code: "host-bmc-failing",
		words: /returned code 5\d\d|ServerSideError|internal server error/i,
		message: "the BMC answers with an error of its own",
		fix: "wait a minute and run `ironstrap up` again; if it stays, reset the BMC (not the server) and look at its log",
		path: BMC,
	},
	{
		code: "host-bmc-unreachable",
		words:
			/unable to connect|connection (refused|aborted|reset|timed out)|connectionerror|max retries exceeded|failed to establish|no route to host|network is unreachable|name or service not known|timed out|IPMI call failed/i,
		message: "the BMC cannot be reached",
		fix: "check the address, and that this machine reaches it (`curl -k` for Redfish, `ipmitool` for IPMI); IPMI fails the same way with a wrong password",
		path: BMC,
	},
	{
		code: "host-no-callback",
		words:
			/timeout reached while (waiting for callback|inspecting|cleaning)|waiting for (call-?back|the ramdisk)/i,
		message: "the ramdisk never called back",
		fix: "did the server ask for an address (`ironstrap logs dnsmasq`)? did it fetch the kernel (`ironstrap logs httpd`)? if neither, look at its console: boot order, cable, VLAN, spec.bootMACAddress; if both, can it reach the API port on the provisioning network",
		path: ["spec", "bootMACAddress"],
	},
];

const OTHERWISE: Readonly<Record<Operation, string>> = {
	register: "Ironic cannot manage the server",
	inspect: "the inspection failed",
	prepare: "cleaning the server failed",
	provision: "the deployment failed",
	deprovision: "removing the operating system failed",
	adopt: "Ironic cannot take over the running server",
	power: "the server's power state does not follow",
	recover: "Ironic cannot control the server's power",
	abort: "an operation that an earlier run gave up does not end",
};

/** Explains Ironic's own words (`last_error`, a validation reason, a maintenance reason) about a failed operation. */
export function explain(operation: Operation, words: string): Explanation {
	const stall = stallIn(words);
	if (stall !== undefined) return { ...stall, path: ["spec", "bootMACAddress"] };
	const cause = CAUSES.find((candidate) => candidate.words.test(words));
	if (cause !== undefined) return cause;
	return {
		code: `host-${operation}-failed`,
		message: OTHERWISE[operation],
		fix: "read Ironic's reason above and `ironstrap logs ironic`; when it is removed, run `ironstrap up` again",
		path: ["spec"],
	};
}
