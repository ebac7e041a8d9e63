/** Where a sandbox has a file system of its own, empty at the start; everything else is the machine's. */
export const PRIVATE_DIRECTORIES = [
	"/var/lib/containers",
	"/var/lib/ironstrap",
	"/var/cache/ironstrap",
] as const;

/** Run state of the lab itself inside the sandbox: sockets, configuration with passwords. */
export const LAB_RUN_DIRECTORY = "/run/ironstrap-lab";

/**
 * The script that furnishes a fresh mount namespace, run in it as root by `sh -e`.
 *
 * - /sys is mounted anew: it shows the links of the network namespace that mounts it.
 * - /dev/shm is private: Podman keeps its lock table in there (`/dev/shm/libpod_lock`), and an IPC namespace does
 *   not separate POSIX shared memory.
 * - /sys/fs/cgroup shows the sandbox's own control groups only. They are bound before the old /sys is covered.
 * - /etc/containers is a copy: what is configured there never reaches the machine.
 */
export function mountScript({ cgroup, unified }: { cgroup: string; unified: boolean }): string {
	return `
mount -t tmpfs -o mode=755 tmpfs /run
mkdir -p /run/netns /run/lock /run/.cgroup
mkdir -m 0700 ${LAB_RUN_DIRECTORY}
mount --rbind /sys/fs/cgroup /run/.cgroup
mount -t sysfs sysfs /sys
${unified ? `mount --bind /run/.cgroup/${cgroup} /sys/fs/cgroup` : cgroupV1(cgroup)}
umount -R /run/.cgroup
rmdir /run/.cgroup
mount -t tmpfs -o mode=1777 tmpfs /dev/shm
for directory in ${PRIVATE_DIRECTORIES.join(" ")}; do
	mkdir -p "$directory"
	mount -t tmpfs -o mode=755 tmpfs "$directory"
done
if [ -d /etc/containers ]; then
	cp -a /etc/containers /run/ironstrap-lab/containers
	mount --bind /run/ironstrap-lab/containers /etc/containers
fi
ip link set lo up
`;
}

/** One mount a hierarchy, as on the machine itself; symbolic links (cpu -> cpu,cpuacct) are kept. */
function cgroupV1(cgroup: string): string {
	return `mount -t tmpfs -o mode=755 tmpfs /sys/fs/cgroup
for hierarchy in /run/.cgroup/*; do
	target="/sys/fs/cgroup/\${hierarchy##*/}"
	if [ -L "$hierarchy" ]; then
		cp -P "$hierarchy" "$target"
	elif [ -d "$hierarchy/${cgroup}" ]; then
		mkdir "$target"
		mount --bind "$hierarchy/${cgroup}" "$target"
	fi
done`;
}
