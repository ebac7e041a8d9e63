import { about, type IronicRule, type IronicUnderTest } from "./ironic-rule.ts";

/** Rule 16 of the operator's webhook: the new form of a CA reference and its deprecated form must agree. */
export const ironicTls: IronicRule = function* (ironic) {
	yield* reference(ironic, "bmcCA", "bmcCAName", "Secret");
	yield* reference(ironic, "trustedCA", "trustedCAName", "ConfigMap");
};

function* reference(
	ironic: IronicUnderTest,
	name: "bmcCA" | "trustedCA",
	deprecated: "bmcCAName" | "trustedCAName",
	deprecatedKind: string,
) {
	const current = ironic.spec.tls[name];
	const old = ironic.spec.tls[deprecated] ?? "";
	if (current?.name === "")
		yield about(ironic, ["tls", name, "name"], "ca-name-missing", {
			message: `\`tls.${name}.name\` is empty`,
			fix: "give the object's name, or remove the reference",
		});
	else if (current && old !== "" && (current.kind !== deprecatedKind || current.name !== old))
		yield about(ironic, ["tls", deprecated], "ca-reference-conflict", {
			message: `\`tls.${deprecated}\` (${deprecatedKind} ${old}) and \`tls.${name}\` (${current.kind} ${current.name}) disagree`,
			fix: `remove \`${deprecated}\`, which is deprecated`,
		});
}
