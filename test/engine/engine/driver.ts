import { readFileSync } from "node:fs";
import { PassThrough, Readable } from "node:stream";
import type { DesiredContainer } from "../../../src/converge/desired.ts";
import { label } from "../../../src/converge/labels.ts";
import { connectEngine } from "../../../src/engine/connect.ts";
import type { IronstrapError } from "../../../src/lib/errors.ts";

/* One case a run, inside a sandbox: node driver.js CASE; prints JSON. */

const signal = AbortSignal.timeout(60_000);
const project = "ironstrap-engine";
const image = "localhost/ironstrap/mariadb:latest";

function labels(hash: string) {
	return { [label.project]: project, [label.ironstrapHash]: hash };
}

function container(
	service: string,
	change: Partial<DesiredContainer["spec"]> = {},
	hash = "h1",
): DesiredContainer {
	return {
		service,
		name: `${project}-${service}-1`,
		hash,
		labels: labels(hash),
		oneShot: false,
		awaits: [],
		files: [],
		networkNames: {},
		volumeNames: { data: `${project}_data` },
		spec: {
			image,
			command: ["sleep", "600"],
			network_mode: "none",
			cap_drop: ["ALL"],
			read_only: true,
			...change,
		},
	};
}

async function failure(call: Promise<unknown>): Promise<unknown> {
	try {
		await call;
		return "no failure";
	} catch (error) {
		const { code, message, seen, fix } = error as IronstrapError;
		return { code, message, seen, fix };
	}
}

async function run(name: string): Promise<unknown> {
	const engine = await connectEngine({ kind: "podman", environment: {} }, signal);
	const volume = (volumeName: string, hash = "h1") => ({
		key: "data",
		name: volumeName,
		spec: { name: volumeName },
		hash,
		labels: labels(hash),
	});
	const network = (subnet: string, hash: string) => ({
		key: "private",
		name: `${project}_private`,
		hash,
		labels: labels(hash),
		spec: {
			name: `${project}_private`,
			driver: "bridge" as const,
			driver_opts: { "com.docker.network.bridge.name": "is-enginetest" },
			ipam: { config: [{ subnet, gateway: subnet.replace("0/24", "1") }] },
		},
	});
	const started = async (service: string, change: Partial<DesiredContainer["spec"]> = {}) => {
		const made = container(service, change);
		await engine.createContainer(made, signal);
		await engine.startContainer(made.name, signal);
		return made.name;
	};
	switch (name) {
		case "volumes": {
			await engine.createVolume(volume(`${project}_datalong`), signal);
			await engine.createVolume(volume(`${project}_datalong`), signal);
			await engine.removeVolume(`${project}_data`, signal);
			const kept = (await engine.observe(project, signal)).volumes.map((each) => each.name);
			await engine.removeVolume(`${project}_datalong`, signal);
			await engine.removeVolume(`${project}_datalong`, signal);
			return { kept, left: (await engine.observe(project, signal)).volumes };
		}
		case "foreign-volume":
			return failure(engine.createVolume(volume("theirs"), signal));
		case "networks": {
			await engine.createNetwork(network("10.99.1.0/24", "h1"), signal);
			await engine.createNetwork(network("10.99.1.0/24", "h1"), signal);
			const bridge = await engine.networkInterface(`${project}_private`, signal);
			const other = await failure(engine.createNetwork(network("10.99.2.0/24", "h2"), signal));
			await engine.removeNetwork(`${project}_private`, signal);
			await engine.removeNetwork(`${project}_private`, signal);
			return { bridge, other, left: (await engine.observe(project, signal)).networks };
		}
		case "containers": {
			await engine.createContainer(container("one"), signal);
			await engine.createContainer(container("one"), signal);
			const created = await engine.containerState(`${project}-one-1`, signal);
			await engine.startContainer(`${project}-one-1`, signal);
			await engine.startContainer(`${project}-one-1`, signal);
			const running = await engine.containerState(`${project}-one-1`, signal);
			const other = await failure(engine.createContainer(container("one", {}, "h2"), signal));
			await engine.removeContainer(`${project}-one-1`, 1, signal);
			await engine.removeContainer(`${project}-one-1`, 1, signal);
			return {
				created: created?.status,
				running: running?.status,
				other,
				gone: (await engine.containerState(`${project}-one-1`, signal)) ?? "gone",
			};
		}
		case "exec": {
			const one = await started("exec");
			const code = await engine.exec(one, ["sh", "-c", "echo out; echo err >&2; exit 7"], { signal });
			const input = Readable.from([Buffer.alloc(300_000, "x"), "\nend\n"]);
			const counted = await engine.exec(one, ["wc", "-c"], { signal, input });
			const output = new PassThrough();
			let bytes = 0;
			output.on("data", (chunk: Buffer) => {
				bytes += chunk.length;
			});
			await engine.exec(one, ["head", "-c", "3000000", "/dev/zero"], { signal, output });
			const missing = await engine
				.exec(one, ["no-such-command"], { signal })
				.catch((error: IronstrapError) => ({
					exitCode: error.code,
				}));
			const stopped = new AbortController();
			const waiting = engine.exec(one, ["sleep", "60"], { signal: stopped.signal });
			stopped.abort(new Error("stopped by the test"));
			const aborted = await waiting.then(
				() => "ended",
				(error: Error) => error.message,
			);
			await engine.removeContainer(one, 0, signal);
			return { code, counted: counted.stdout.trim(), bytes, missing: missing.exitCode, aborted };
		}
		case "one-shot": {
			const one = await started("shot", { command: ["sh", "-c", "echo first; echo second >&2; exit 3"] });
			const exitCode = await engine.waitForExit(one, signal);
			const [seen] = (await engine.observe(project, signal)).containers;
			const tail = await engine.logTail(one, 10, signal);
			await engine.removeContainer(one, 0, signal);
			return { exitCode, state: seen?.state, observedCode: seen?.exitCode, tail: tail.split("\n").sort() };
		}
		case "follow": {
			const one = await started("follow", {
				command: ["sh", "-c", "for i in 1 2 3; do echo line $i; sleep 0.2; done"],
			});
			let text = "";
			for await (const chunk of await engine.logs(one, { signal, follow: true })) text += String(chunk);
			await engine.removeContainer(one, 0, signal);
			return { text };
		}
		case "signal": {
			const script = "trap 'echo reloaded' HUP; echo ready; while :; do sleep 0.1; done";
			const one = await started("signal", { command: ["bash", "-c", script] });
			const log = async () => engine.logTail(one, 10, signal);
			while (!(await log()).includes("ready")) signal.throwIfAborted();
			await engine.signalContainer(one, "SIGHUP", signal);
			while (!(await log()).includes("reloaded")) signal.throwIfAborted();
			const state = await engine.containerState(one, signal);
			await engine.removeContainer(one, 0, signal);
			return state?.status;
		}
		case "limits": {
			const one = await started("limits", {
				mem_limit: "64m",
				pids_limit: 40,
				tmpfs: ["/tmp:mode=1777,size=1m"],
			});
			const { stdout } = await engine.exec(
				one,
				["sh", "-c", "id -u; touch /x 2>&1; stat -c %a /tmp; cat /proc/self/mountinfo | grep ' /tmp '"],
				{ signal },
			);
			await engine.removeContainer(one, 0, signal);
			return { info: await engine.info(signal), stdout };
		}
		case "missing-image":
			return failure(engine.createContainer(container("x", { image: "localhost/none:1" }), signal));
		case "missing-source": {
			const volumes = [{ type: "bind" as const, source: "/nowhere/at/all", target: "/x" }];
			return failure(engine.createContainer(container("x", { volumes }), signal));
		}
		case "images": {
			const found = await engine.inspectImage(image, signal);
			const listed = (await engine.listImages(signal)).find(({ tags }) => tags.includes(image));
			const bad = await failure(engine.loadImages(Readable.from(["this is no archive"]), signal));
			return {
				same: found?.id === listed?.id,
				id: found?.id,
				none: (await engine.inspectImage("localhost/none:1", signal)) ?? "none",
				bad,
			};
		}
		case "own-service":
			await started("one");
			return { socket: engine.socket, kind: (await engine.info(signal)).kind };
		case "own-service-killed":
			await engine.removeContainer(`${project}-one-1`, 0, signal);
			process.kill(process.pid, "SIGKILL");
			return undefined;
		default:
			throw new Error(`no case ${name}`);
	}
}

run(process.argv[2] ?? "").then(
	(result) => process.stdout.write(JSON.stringify(result)),
	(error: unknown) => {
		process.stderr.write(
			`${JSON.stringify(error)} ${(error as Error).stack}\n${readFileSync("/run/ironstrap-lab/podman.log", "utf8").slice(-2000)}`,
		);
		process.exitCode = 1;
	},
);
