import { about, given, type IronicRule } from "./ironic-rule.ts";

/** What ironic-standalone-operator v0.11.0 can deploy. */
export const SUPPORTED_VERSIONS = ["latest", "38.0", "37.0", "35.0"] as const;

/** Rule 17 of the operator's webhook, and its controller's check that the version can do what is asked. */
export const ironicVersion: IronicRule = function* (ironic) {
	const { version, networking } = ironic.spec;
	if (given(version) && !(SUPPORTED_VERSIONS as readonly string[]).includes(version)) {
		const isWellFormed = /^\d+\.\d+$/.test(version);
		yield about(ironic, ["version"], isWellFormed ? "version-unsupported" : "version-invalid", {
			message: isWellFormed
				? `Ironic ${version} is not supported by ironic-standalone-operator v0.11.0`
				: "`version` must be `latest` or MAJOR.MINOR",
			seen: version,
			fix: `give one of ${SUPPORTED_VERSIONS.join(", ")}`,
		});
	} else if (version === "35.0" && (networking.dhcp?.extraRanges ?? []).length > 0)
		yield about(ironic, ["networking", "dhcp", "extraRanges"], "extra-ranges-version", {
			message: "`networking.dhcp.extraRanges` needs Ironic 37.0 or newer",
			seen: `version ${version}`,
			fix: "raise `version`, or remove `extraRanges`",
		});
};
