/** Compose's own labels, so that `docker compose ps`, Podman Desktop and Cockpit show the stack, and ours. */
export const label = {
	project: "com.docker.compose.project",
	service: "com.docker.compose.service",
	network: "com.docker.compose.network",
	volume: "com.docker.compose.volume",
	configHash: "com.docker.compose.config-hash",
	containerNumber: "com.docker.compose.container-number",
	oneOff: "com.docker.compose.oneoff",
	dependsOn: "com.docker.compose.depends_on",
	/** Decides about drift: covers the definition, the image and the contents of non-live files. */
	ironstrapHash: "io.ironstrap.config-hash",
} as const;
