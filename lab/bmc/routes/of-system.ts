import { type Answer, notFound } from "../answers.ts";
import type { System, SystemView } from "../system.ts";
import { type BmcRequest, type Handler, REDFISH } from "./route.ts";

/** What a handler of something that belongs to one server gets. */
export interface SystemRequest extends BmcRequest {
	readonly system: System;
	readonly view: SystemView;
}

type SystemHandler = (request: SystemRequest) => Answer | Promise<Answer>;

/** Looks up `:uuid`; the answer is 404 if there is no such system. */
export function ofSystem(handler: SystemHandler): Handler {
	return (request) => {
		const system = request.bmc.systems.get(request.params.uuid ?? "");
		return system === undefined
			? notFound(request.path)
			: handler({ ...request, system, view: system.view() });
	};
}

/** The same by `:name`, for managers and chassis. */
export function ofNamed(handler: SystemHandler): Handler {
	return (request) => {
		const name = request.params.name;
		const system = [...request.bmc.systems.values()].find(
			(candidate) => candidate.view().config.name === name,
		);
		return system === undefined
			? notFound(request.path)
			: handler({ ...request, system, view: system.view() });
	};
}

export function systemPath({ config }: SystemView): string {
	return `${REDFISH}/Systems/${config.uuid}`;
}

export function managerPath({ config }: SystemView): string {
	return `${REDFISH}/Managers/${config.name}`;
}

export function chassisPath({ config }: SystemView): string {
	return `${REDFISH}/Chassis/${config.name}`;
}

export function allViews({ bmc }: BmcRequest): SystemView[] {
	return [...bmc.systems.values()].map((system) => system.view());
}
