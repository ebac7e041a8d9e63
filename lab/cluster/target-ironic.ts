import { request } from "undici";
import { driverInfo, parseBmcAddress } from "../../src/resources/bmc-address.ts";
import type { Stored } from "./api.ts";

interface SecretBody {
	readonly data: Readonly<Record<string, string>>;
}

interface Node {
	readonly uuid: string;
	readonly provision_state: string;
	readonly reservation: string | null;
	readonly last_error: string | null;
}

/** The target's Ironic, told what BMO would tell it. */
export interface TargetIronic {
	/** One step further on the way that BMO takes; the node's UUID once it is where it should be. */
	register(host: Stored, secret: SecretBody): Promise<string | "later">;
	forget(host: Stored): Promise<void>;
}

const VERSION = "1.89";

/** The calls of BMO's registration, in its order: node, port, manage, and adopt for a server that runs something. */
export function actAsTarget(url: string): TargetIronic {
	async function call<T>(
		method: "GET" | "POST" | "PUT" | "DELETE",
		path: string,
		body?: object,
	): Promise<T | undefined> {
		const reply = await request(url + path, {
			method,
			headers: { "x-openstack-ironic-api-version": VERSION, "content-type": "application/json" },
			body: body === undefined ? null : JSON.stringify(body),
		});
		const text = await reply.body.text();
		if (reply.statusCode === 404) return undefined;
		if (reply.statusCode >= 300) throw new Error(`${method} ${path}: ${reply.statusCode} ${text}`);
		return (text === "" ? {} : JSON.parse(text)) as T;
	}
	const nameOf = ({ metadata }: Stored) => `${metadata.namespace}~${metadata.name}`;
	const find = (host: Stored) => call<Node>("GET", `/v1/nodes/${encodeURIComponent(nameOf(host))}`);
	const provision = (node: Node, target: string) =>
		call("PUT", `/v1/nodes/${node.uuid}/states/provision`, { target });

	async function enrol(host: Stored, { data }: SecretBody): Promise<void> {
		const address = parseBmcAddress(host.spec.bmc.address);
		const text = (key: string) => Buffer.from(data[key] ?? "", "base64").toString("utf8");
		const credentials = { username: text("username"), password: text("password") };
		const { bootInterface, driver } = address;
		const node = await call<Node>("POST", "/v1/nodes", {
			name: nameOf(host),
			driver,
			boot_interface: bootInterface,
			driver_info: driverInfo(address, credentials, host.spec.bmc),
		});
		if (host.spec.bootMACAddress !== undefined)
			await call("POST", "/v1/ports", {
				node_uuid: node?.uuid,
				address: host.spec.bootMACAddress,
				pxe_enabled: true,
			});
	}

	return {
		async register(host, secret) {
			const node = await find(host);
			if (node === undefined) {
				await enrol(host, secret);
				return "later";
			}
			if (node.reservation !== null) return "later";
			const runs = ["provisioned", "externally provisioned"].includes(host.status?.provisioning?.state ?? "");
			switch (node.provision_state) {
				case "enroll":
					await provision(node, "manage");
					return "later";
				case "manageable":
					if (!runs) return node.uuid;
					await provision(node, "adopt");
					return "later";
				case "active":
					return node.uuid;
				default:
					return "later";
			}
		},
		async forget(host) {
			const node = await find(host);
			if (node === undefined) return;
			await call("PUT", `/v1/nodes/${node.uuid}/maintenance`, { reason: "detached" });
			await call("DELETE", `/v1/nodes/${node.uuid}`);
		},
	};
}
