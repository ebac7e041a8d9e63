/**
 * The command line that runs `argv` in a process tree which cannot outlive this process: killing this process, also
 * with SIGKILL, takes down every process that the command started (daemons too) and every mount it made.
 *
 * setpriv ties unshare to this process, --kill-child ties the first process of the new PID namespace to unshare, and
 * the kernel ends a namespace with its first process. catatonit is that one: it passes signals on and reaps orphans.
 * Needs root. unshare ignores SIGINT and SIGTERM while it waits: signal the whole process group.
 */
export function lifetime(argv) {
	const namespaces = ["unshare", "--pid", "--mount", "--fork", "--kill-child", "--mount-proc", "--"];
	return ["setpriv", "--pdeathsig", "KILL", ...namespaces, "catatonit", "--", ...argv];
}
