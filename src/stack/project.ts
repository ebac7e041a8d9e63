/**
 * The part of the Compose Specification that the stack uses, in its long forms.
 * https://github.com/compose-spec/compose-spec/blob/main/spec.md
 */
export interface ComposeProject {
	readonly name: string;
	readonly services: Readonly<Record<string, ComposeService>>;
	readonly networks: Readonly<Record<string, ComposeNetwork>>;
	readonly volumes: Readonly<Record<string, ComposeVolume>>;
}

export interface ComposeService {
	readonly image: string;
	readonly command: readonly string[];
	readonly entrypoint?: readonly string[];
	/** `uid:gid`, numeric. */
	readonly user?: string;
	readonly network_mode?: "none" | "host";
	readonly networks?: Readonly<
		Record<string, { readonly ipv4_address?: string; readonly mac_address?: string }>
	>;
	readonly ports?: readonly ComposePort[];
	readonly volumes?: readonly ComposeMount[];
	readonly tmpfs?: readonly string[];
	readonly environment?: Readonly<Record<string, string>>;
	readonly extra_hosts?: readonly string[];
	readonly cap_drop: readonly string[];
	readonly cap_add?: readonly string[];
	readonly security_opt?: readonly string[];
	readonly read_only: boolean;
	readonly init?: boolean;
	readonly restart?: string;
	readonly stop_signal?: string;
	/** A Compose duration: `20s`. */
	readonly stop_grace_period?: string;
	readonly mem_limit?: string;
	readonly pids_limit?: number;
	readonly healthcheck?: {
		readonly test: readonly string[];
		readonly interval?: string;
		readonly timeout?: string;
		readonly retries?: number;
		readonly start_period?: string;
	};
	readonly depends_on?: Readonly<
		Record<
			string,
			{ readonly condition: "service_started" | "service_healthy" | "service_completed_successfully" }
		>
	>;
	readonly labels?: Readonly<Record<string, string>>;
	readonly logging?: { readonly driver?: string; readonly options?: Readonly<Record<string, string>> };
}

export interface ComposePort {
	readonly target: number;
	/** A decimal number, as Compose writes it. */
	readonly published: string;
	readonly host_ip: string;
	readonly protocol: "tcp" | "udp";
}

export type ComposeMount =
	| { readonly type: "bind"; readonly source: string; readonly target: string; readonly read_only?: boolean }
	| {
			readonly type: "volume";
			readonly source: string;
			readonly target: string;
			readonly read_only?: boolean;
	  };

export interface ComposeNetwork {
	readonly name: string;
	readonly driver?: "bridge";
	readonly internal?: boolean;
	readonly driver_opts?: Readonly<Record<string, string>>;
	readonly ipam?: { readonly config: readonly { readonly subnet: string; readonly gateway?: string }[] };
	readonly labels?: Readonly<Record<string, string>>;
}

export interface ComposeVolume {
	readonly name: string;
	readonly labels?: Readonly<Record<string, string>>;
}
