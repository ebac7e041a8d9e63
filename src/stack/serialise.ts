import { stringify } from "yaml";
import { mapStrings } from "./base.ts";
import type { ComposeProject } from "./project.ts";

/** A project as YAML that `docker compose config` takes; `$` is doubled, because Compose would interpolate it. */
export function serialiseProject(project: ComposeProject): string {
	const { name, services, networks, volumes } = project;
	const escaped = mapStrings({ name, services, networks, volumes }, (text) => text.replaceAll("$", "$$$$"));
	// In YAML 1.1's words: readers of it take a bare `no` for false and `02:42:…` for a number.
	return stringify(escaped, { version: "1.1", aliasDuplicateObjects: false, lineWidth: 0 });
}
