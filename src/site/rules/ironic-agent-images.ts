import { about, attempt, type IronicRule } from "./ironic-rule.ts";

/** Rule 18 of the operator's webhook: where ramdisks of other architectures come from. */
export const ironicAgentImages: IronicRule = function* (ironic) {
	const first = new Map<string, number>();
	for (const [index, image] of (ironic.spec.overrides?.agentImages ?? []).entries()) {
		const path = ["overrides", "agentImages", index];
		for (const name of ["kernel", "initramfs"] as const) {
			const fault = urlFault(image[name]);
			if (fault !== undefined)
				yield about(ironic, [...path, name], "agent-image-url", {
					message: `\`overrides.agentImages[${index}].${name}\` ${fault}`,
					fix: "give a URL with file:///, http://, https:// or oci://",
				});
		}
		const architecture = image.architecture ?? "";
		if (first.has(architecture))
			yield about(ironic, path, "agent-image-twice", {
				message: `\`overrides.agentImages[${index}]\` is for ${architecture === "" ? "the default architecture" : architecture}, as \`agentImages[${first.get(architecture)}]\` is`,
				fix: "keep one entry per architecture",
			});
		first.set(architecture, index);
	}
};

function urlFault(text: string): string | undefined {
	if (text.trim() === "") return "is empty";
	const url = attempt(() => new URL(text.trim()));
	if (!url) return "is not a URL";
	if (url.protocol === "file:")
		return url.host === "" && /^file:\/\/\//i.test(text.trim())
			? undefined
			: "must name an absolute path: file:///…";
	if (!["http:", "https:", "oci:"].includes(url.protocol))
		return `has the protocol ${url.protocol}//, which Ironic cannot fetch`;
	return url.host === "" ? "has no host" : undefined;
}
