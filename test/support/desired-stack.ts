import { type DesiredProject, desiredProject } from "../../src/converge/desired.ts";
import type { StackInputs } from "../../src/stack/inputs.ts";
import { renderStack } from "../../src/stack/render.ts";
import { inputsOf, type SiteParts, siteOf } from "../unit/stack/fixture.ts";

/** The stack of a small site as the engine is to have it. */
export function desiredStack(parts: SiteParts = {}, inputs: Partial<StackInputs> = {}): DesiredProject {
	return desiredProject(renderStack(siteOf(parts), inputsOf(inputs)), Buffer.from("key"));
}
