export interface EngineWish {
	readonly kind: "auto" | "podman" | "docker";
	/** The site's own socket: nothing else is tried then. */
	readonly socket?: string | undefined;
	readonly environment: Readonly<Record<string, string | undefined>>;
	/** Whether Podman's API is started when nothing answers, for as long as this process lives. Default false. */
	readonly startService?: boolean | undefined;
}

/** A place to look, and why; `refused` when its address is none that we can use. */
export interface Candidate {
	readonly source: string;
	readonly socket: string;
	readonly refused?: string;
}

/** Where an engine may listen, in the order in which it is looked for. */
export function candidates({ socket, environment }: EngineWish): readonly Candidate[] {
	if (socket !== undefined) return [{ source: "Bootstrap.spec.engine.socket", socket }];
	const known = [
		...["DOCKER_HOST", "CONTAINER_HOST"].flatMap((name) => fromVariable(name, environment[name])),
		{ source: "Podman's usual socket", socket: "/run/podman/podman.sock" },
		{ source: "Docker's usual socket", socket: "/run/docker.sock" },
		{ source: "Docker's usual socket", socket: "/var/run/docker.sock" },
		...ofUsers(environment),
	];
	return known.filter((each, index) => known.findIndex((other) => other.socket === each.socket) === index);
}

function fromVariable(source: string, value: string | undefined): readonly Candidate[] {
	if (value === undefined || value === "") return [];
	const path = /^unix:\/\/(\/.+)$/.exec(value)?.[1];
	if (path !== undefined) return [{ source, socket: path }];
	const refused = "the stack mounts this machine's files: a unix:// socket is needed";
	return [{ source, socket: value, refused }];
}

/** Engines of one user serve no stack; they are looked for all the same, to say why the engine that is there does not do. */
function ofUsers(environment: EngineWish["environment"]): readonly Candidate[] {
	const { HOME, SUDO_UID, XDG_RUNTIME_DIR } = environment;
	const folders = [XDG_RUNTIME_DIR, SUDO_UID === undefined ? undefined : `/run/user/${SUDO_UID}`];
	return [
		...folders
			.filter((folder) => folder !== undefined && folder !== "")
			.flatMap((folder) => [
				{ source: "a user's Podman", socket: `${folder}/podman/podman.sock` },
				{ source: "a user's Docker", socket: `${folder}/docker.sock` },
				{ source: "podman machine", socket: `${folder}/podman/podman-machine-default-api.sock` },
			]),
		...(HOME === undefined || HOME === ""
			? []
			: [{ source: "Docker Desktop", socket: `${HOME}/.docker/desktop/docker.sock` }]),
	];
}
