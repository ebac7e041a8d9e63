import type { Finding } from "../../src/site/finding.ts";
import { lintDocuments } from "../../src/site/lint.ts";
import { parseDocuments } from "../../src/site/parse.ts";

/** All findings about a text, as the linter gives them. */
export function lintText(text: string, file = "site.yaml"): readonly Finding[] {
	const { documents, findings } = parseDocuments(text, file);
	return lintDocuments(documents, findings);
}

/** `error dhcp-range-reversed 12:5`: what tables of expectations are written in. */
export function summary(findings: readonly Finding[]): string[] {
	return findings.map(({ severity, code, where }) => `${severity} ${code} ${where?.line}:${where?.column}`);
}

/** `error dhcp-range-reversed 12:5: the message`. */
export function withMessages(findings: readonly Finding[]): string[] {
	const places = summary(findings);
	return findings.map(({ message }, index) => `${places[index]}: ${message}`);
}

/** An Ironic whose `spec` starts on line 5. */
export function ironicText(spec: string): string {
	return `apiVersion: ironic.metal3.io/v1alpha1
kind: Ironic
metadata: {name: metal3, namespace: metal3}
spec:
${spec}`;
}

/** Ironic and credentials for hosts: nothing to complain about. The text that follows starts on line 20. */
export const BASE = `apiVersion: ironic.metal3.io/v1alpha1
kind: Ironic
metadata: {name: metal3, namespace: metal3}
spec:
  networking:
    interface: eth1
    ipAddress: 172.22.0.1
    dhcp:
      networkCIDR: 172.22.0.0/24
      rangeBegin: 172.22.0.100
      rangeEnd: 172.22.0.150
---
apiVersion: v1
kind: Secret
metadata: {name: bmc, namespace: metal3}
stringData:
  username: admin
  password: secret
---
`;

/** A host whose \`spec\` starts on line 5 of the text, so on line 24 after `BASE`. */
export function hostText(spec: string, name = "cp-0"): string {
	return `apiVersion: metal3.io/v1alpha1
kind: BareMetalHost
metadata: {name: ${name}, namespace: metal3}
spec:
${spec}
`;
}
