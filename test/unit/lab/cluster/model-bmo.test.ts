import test from "ava";
import type { ClusterApi, HostSpec, HostStatus, Stored } from "../../../../lab/cluster/api.ts";
import { actOnHost, type OperatorEvent } from "../../../../lab/cluster/model-bmo.ts";

/*
 * What a real BMO did with what a hand-over may write, row by row, as observed with a real Ironic and a mock BMC. A model
 * that does otherwise would prove nothing.
 */

const URL = "http://192.0.2.1/os.qcow2";
const WHOLE = {
	lastUpdated: "2026-08-01T10:30:00Z",
	operationalStatus: "OK",
	provisioning: { state: "provisioned", ID: "", image: { url: URL } },
};

interface Row {
	readonly annotation?: string;
	readonly status?: HostStatus;
	readonly spec?: Partial<HostSpec>;
	readonly paused?: boolean;
	readonly unreachable?: boolean;
	readonly events: readonly OperatorEvent["event"][];
	readonly state: string | undefined;
}

const ROWS: Readonly<Record<string, Row>> = {
	"a whole status annotation: adopted": {
		annotation: JSON.stringify(WHOLE),
		events: ["registered"],
		state: "provisioned",
	},
	"a status that was written by itself: adopted": {
		annotation: JSON.stringify(WHOLE),
		status: WHOLE,
		events: ["registered"],
		state: "provisioned",
	},
	"no annotation: inspected and deployed anew": {
		events: ["registered", "inspected", "provisioned"],
		state: "provisioned",
	},
	"an annotation that is not JSON: lost without a word, deployed anew": {
		annotation: "{",
		events: ["registered", "inspected", "provisioned"],
		state: "provisioned",
	},
	"another image URL in the status: wiped, then deployed anew": {
		annotation: JSON.stringify({
			...WHOLE,
			provisioning: { ...WHOLE.provisioning, image: { url: "http://other" } },
		}),
		events: ["registered", "deprovisioned", "provisioned"],
		state: "provisioned",
	},
	"no image in the status: adopted": {
		annotation: JSON.stringify({ ...WHOLE, provisioning: { state: "provisioned", ID: "" } }),
		events: ["registered"],
		state: "provisioned",
	},
	"no lastUpdated: adopted": {
		annotation: JSON.stringify({ provisioning: WHOLE.provisioning }),
		events: ["registered"],
		state: "provisioned",
	},
	"nothing, but externallyProvisioned: not deployed": {
		spec: { externallyProvisioned: true },
		events: ["registered"],
		state: "externally provisioned",
	},
	"a BMC that does not answer: an error, nothing else": {
		annotation: JSON.stringify(WHOLE),
		unreachable: true,
		events: [],
		state: "provisioned",
	},
	"paused: left alone": { annotation: JSON.stringify(WHOLE), paused: true, events: [], state: undefined },
};

for (const [title, row] of Object.entries(ROWS))
	test(title, async (t) => {
		const { events, host } = await settle(row);
		t.deepEqual(events, row.events);
		t.is(host?.status?.provisioning?.state, row.state);
		t.is(
			host?.metadata.annotations?.["baremetalhost.metal3.io/status"],
			row.paused ? row.annotation : undefined,
		);
	});

test("detached, a host is let go and its deletion touches nothing; without that it is switched off", async (t) => {
	const detached = await settle(
		{ annotation: JSON.stringify(WHOLE), events: [], state: undefined },
		{ "baremetalhost.metal3.io/detached": "" },
	);
	t.deepEqual(detached.events, ["detached"]);
	t.is(detached.host?.status?.operationalStatus, "detached");
	t.deepEqual((await remove(detached.host)).events, []);
	const managed = await settle({ annotation: JSON.stringify(WHOLE), events: [], state: undefined });
	t.deepEqual((await remove(managed.host)).events, ["powered-off"]);
});

/** Passes until nothing changes any more. */
async function settle(row: Row, more: Record<string, string> = {}) {
	const annotations = {
		...(row.annotation === undefined ? {} : { "baremetalhost.metal3.io/status": row.annotation }),
		...(row.paused ? { "baremetalhost.metal3.io/paused": "x" } : {}),
		...more,
	};
	return run(
		{
			apiVersion: "metal3.io/v1alpha1",
			kind: "BareMetalHost",
			metadata: { name: "cp-0", namespace: "metal3", resourceVersion: "1", annotations },
			spec: {
				online: true,
				image: { url: URL },
				bmc: { address: "redfish://192.0.2.9/redfish/v1/Systems/1", credentialsName: "cp-0-bmc" },
				...row.spec,
			},
			...(row.status === undefined ? {} : { status: row.status }),
		},
		row.unreachable === true ? ["cp-0"] : [],
	);
}

function remove(host: Stored) {
	return run({ ...host, metadata: { ...host.metadata, deletionTimestamp: "2026-08-02T08:00:00Z" } }, []);
}

async function run(start: Stored, unreachable: readonly string[]) {
	let host = start;
	const events: OperatorEvent["event"][] = [];
	const keep = async (object: Stored) => {
		host = object;
		return object;
	};
	const api: ClusterApi = {
		list: async () => [host],
		get: async () => ({ ...start, kind: "Secret" }),
		replace: keep,
		replaceStatus: keep,
	};
	for (let pass = 0; pass < 20; pass += 1)
		await actOnHost({ api, tell: ({ event }) => events.push(event), target: undefined, unreachable }, host);
	return { events, host };
}
