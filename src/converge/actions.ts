import type { DesiredContainer, DesiredNetwork, DesiredVolume } from "./desired.ts";

/** One change to the engine. Each can be done twice, and by another process after a kill in between. */
export type Action =
	| {
			readonly type: "remove-container";
			readonly name: string;
			readonly graceSeconds: number;
			readonly reason: string;
	  }
	| { readonly type: "remove-network"; readonly name: string; readonly reason: string }
	| { readonly type: "remove-volume"; readonly name: string; readonly reason: string }
	| { readonly type: "create-network"; readonly network: DesiredNetwork; readonly reason: string }
	| { readonly type: "create-volume"; readonly volume: DesiredVolume; readonly reason: string }
	/** Creates and starts; the container's `awaits` must hold before. */
	| { readonly type: "create-container"; readonly container: DesiredContainer; readonly reason: string }
	| { readonly type: "start-container"; readonly container: DesiredContainer; readonly reason: string };

/** For a person, in the present tense: `create volume ironstrap-metal3_shared`. */
export function titleOf(action: Action): string {
	switch (action.type) {
		case "remove-container":
			return `remove container ${action.name}`;
		case "remove-network":
			return `remove network ${action.name}`;
		case "remove-volume":
			return `remove volume ${action.name}`;
		case "create-network":
			return `create network ${action.network.name}`;
		case "create-volume":
			return `create volume ${action.volume.name}`;
		case "create-container":
			return action.container.oneShot
				? `run ${action.container.service}`
				: `start ${action.container.service}`;
		case "start-container":
			return `start ${action.container.service} again`;
	}
}
