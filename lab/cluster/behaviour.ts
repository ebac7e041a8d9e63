/** What a test makes go wrong. */
export interface Behaviour {
	readonly ironicNeverReady?: boolean;
	/** Names of hosts whose BMC the target does not reach. */
	readonly unreachable?: readonly string[];
	/** BMO does not run. */
	readonly stopped?: boolean;
}
