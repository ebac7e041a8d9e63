import { mkdirSync, writeFileSync } from "node:fs";
import { clusterPrograms } from "../../../lab/cluster/build.ts";
import { type LabTarget, startTarget, type TargetOptions } from "../../../lab/cluster/target.ts";
import { imageStore } from "../../../lab/image-store.ts";
import { type Lab, type LabServer, startLab } from "../../../lab/lab.ts";
import { PROVISIONING } from "../../../lab/network.ts";
import { LAB_RUN_DIRECTORY } from "../../../lab/sandbox/mounts.ts";
import { succeed } from "../../support/bare-stack.ts";
import { sharedPath } from "../../support/shared.ts";

/** The site that is handed over. */
export const SITE = "metal3";

/** Both sides of a hand-over: a bootstrap machine with a stack and three servers that are switched off, and a cluster. */
export interface Scene extends LabTarget {
	readonly lab: Lab;
	readonly up: readonly string[];
	stop(): Promise<void>;
}

export interface SceneOptions extends Omit<TargetOptions, "definitions"> {
	/** Whether the stack is brought up. Default true. */
	readonly up?: boolean;
}

/**
 * One host of each steady state: cp-0 was deployed (and is adopted by the new Ironic, as after the loss of a database),
 * cp-1 runs something that nobody here deployed, spare-0 is ready for use. None of them ever boots.
 */
export const HOSTS = ["cp-0", "cp-1", "spare-0"] as const;

export async function openScene(options: SceneOptions = {}): Promise<Scene> {
	const quiet = { report: () => undefined };
	const [store, programs] = [await imageStore(quiet), await clusterPrograms(quiet)];
	const lab = await startLab({ servers: HOSTS.map((name) => ({ name })), imageStores: [store] });
	try {
		const { sandbox } = lab;
		const target = await startTarget(sandbox, programs, { ...options, definitions: sharedPath("crds") });
		const up = ["up", "-f", writeSite(lab)];
		if (options.up !== false) await succeed(sandbox, up);
		return { ...target, lab, up, stop: () => lab.stop() };
	} catch (error) {
		await lab.stop();
		throw error;
	}
}

/** Everything but the words `ironstrap pivot`; the soak is short, because nothing changes with time here. */
export function handOver(
	{ kubeconfig }: Pick<Scene, "kubeconfig">,
	...more: readonly string[]
): readonly string[] {
	return ["pivot", "--to", kubeconfig, "--soak", "1s", ...more];
}

function writeSite(lab: Lab): string {
	const { sandbox } = lab;
	const folder = `${LAB_RUN_DIRECTORY}/site`;
	mkdirSync(sandbox.path(`${LAB_RUN_DIRECTORY}/ipa`));
	mkdirSync(sandbox.path(folder), { mode: 0o700 });
	// nothing boots them here
	for (const name of ["kernel", "initramfs"])
		writeFileSync(sandbox.path(`${LAB_RUN_DIRECTORY}/ipa/${name}`), `the ${name}`);
	const documents = [...stack(), ...lab.servers.flatMap((server, index) => host(lab, server, index))];
	writeFileSync(
		sandbox.path(`${folder}/site.yaml`),
		documents.map((document) => `---\n${JSON.stringify(document)}\n`).join(""),
		{ mode: 0o600 },
	);
	storeDeployed(lab);
	return folder;
}

function stack(): readonly object[] {
	const metadata = { name: SITE, namespace: SITE };
	const [rangeBegin, rangeEnd] = PROVISIONING.dhcpRange.split("-");
	return [
		{
			apiVersion: "ironic.metal3.io/v1alpha1",
			kind: "Ironic",
			metadata,
			spec: {
				networking: {
					interface: PROVISIONING.interface,
					ipAddress: PROVISIONING.address,
					dhcp: { networkCIDR: "172.22.0.0/24", rangeBegin, rangeEnd },
				},
			},
		},
		{
			apiVersion: "ironstrap.io/v1alpha1",
			kind: "Bootstrap",
			metadata: { name: SITE },
			spec: {
				deployRamdisk: {
					kernel: `${LAB_RUN_DIRECTORY}/ipa/kernel`,
					initramfs: `${LAB_RUN_DIRECTORY}/ipa/initramfs`,
				},
				deadlines: { pivot: "40s" },
				target: {
					ironic: {
						networking: { interface: "eno1", ipAddress: "172.22.0.9", keepalived: { enabled: true } },
					},
				},
			},
		},
	];
}

const IMAGE = {
	url: "http://192.168.222.1:8081/os.qcow2",
	checksum: "0".repeat(64),
	checksumType: "sha256",
	format: "qcow2",
};

/** No server boots, so that none is inspected or cleaned. */
const UNTOUCHED = { online: false, inspectionMode: "disabled", automatedCleaningMode: "disabled" };

const KINDS: readonly object[] = [{ image: IMAGE }, { externallyProvisioned: true }, {}];

function host({ bmc }: Lab, server: LabServer, index: number): readonly object[] {
	const { username, password } = bmc;
	return [
		{
			apiVersion: "metal3.io/v1alpha1",
			kind: "BareMetalHost",
			metadata: { name: server.name, namespace: SITE },
			spec: {
				...UNTOUCHED,
				...KINDS[index],
				bootMACAddress: server.mac,
				bmc: { address: server.bmcAddress, credentialsName: `${server.name}-bmc` },
			},
		},
		{
			apiVersion: "v1",
			kind: "Secret",
			metadata: { name: `${server.name}-bmc`, namespace: SITE },
			stringData: { username, password },
		},
	];
}

/** What an earlier `up` would have stored of cp-0. */
function storeDeployed({ sandbox }: Lab): void {
	const directory = sandbox.path(`/var/lib/ironstrap/${SITE}/hosts`);
	mkdirSync(directory, { recursive: true, mode: 0o700 });
	const moment = "2026-08-01T10:30:00Z";
	const status = {
		operationalStatus: "OK",
		errorMessage: "",
		errorCount: 0,
		provisioningFailCount: 0,
		poweredOn: false,
		hardwareProfile: "unknown",
		lastUpdated: moment,
		provisioning: { state: "provisioned", ID: "", bootMode: "UEFI", image: IMAGE },
		operationHistory: { provision: { start: moment, end: moment } },
	};
	const hardware = { cpu: { arch: "x86_64", count: 4 }, hostname: "cp-0", ramMebibytes: 8192 };
	writeFileSync(
		`${directory}/${SITE}~cp-0.json`,
		JSON.stringify({ formatVersion: 1, namespace: SITE, name: "cp-0", status, hardware }),
		{ mode: 0o600 },
	);
}
