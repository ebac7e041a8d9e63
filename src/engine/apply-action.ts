import type { Action } from "../converge/actions.ts";
import type { Engine } from "./engine.ts";

/** Makes one change so. For a container to be created, its `awaits` must hold already (`conditionMet`). */
export async function applyAction(engine: Engine, action: Action, signal: AbortSignal): Promise<void> {
	switch (action.type) {
		case "remove-container":
			return engine.removeContainer(action.name, action.graceSeconds, signal);
		case "remove-network":
			return engine.removeNetwork(action.name, signal);
		case "remove-volume":
			return engine.removeVolume(action.name, signal);
		case "create-network":
			return engine.createNetwork(action.network, signal);
		case "create-volume":
			return engine.createVolume(action.volume, signal);
		case "create-container":
			await engine.createContainer(action.container, signal);
			return engine.startContainer(action.container.name, signal);
		case "start-container":
			return engine.startContainer(action.container.name, signal);
	}
}
