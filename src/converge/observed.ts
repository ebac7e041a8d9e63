/** What the engine has of a project; every object is found by Compose's project label. */
export interface ObservedProject {
	readonly networks: readonly ObservedObject[];
	readonly volumes: readonly ObservedObject[];
	readonly containers: readonly ObservedContainer[];
}

export interface ObservedObject {
	readonly name: string;
	readonly labels: Readonly<Record<string, string>>;
}

export interface ObservedContainer extends ObservedObject {
	readonly id: string;
	readonly state: "created" | "running" | "restarting" | "paused" | "exited" | "dead";
	/** Of the last run; meaningful when `state` is `exited`. */
	readonly exitCode: number;
	/** TCP ports of this machine that lead to it while it runs. */
	readonly ports?: readonly { readonly address: string; readonly port: number }[] | undefined;
}
