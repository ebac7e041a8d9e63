import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";

/**
 * Takes an exclusive lock on an existing file or directory and returns the function that gives it back. The lock
 * belongs to a descriptor of this process: the kernel frees it however the process ends, and no lock file is left.
 * `onWait` is called once if somebody else holds it.
 */
export function lock(path, onWait = () => {}) {
	const descriptor = openSync(path, "r");
	const flock = (...options) => {
		const { status, error } = spawnSync("flock", [...options, "3"], {
			stdio: ["ignore", "inherit", "inherit", descriptor],
		});
		if (error) throw new Error(`flock (package util-linux) does not run: ${error.message}`);
		return status === 0;
	};
	if (!flock("--nonblock")) {
		onWait();
		if (!flock()) throw new Error(`cannot lock ${path}`);
	}
	return () => closeSync(descriptor);
}
