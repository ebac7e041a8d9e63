import fc from "fast-check";
import type { BootstrapManifest } from "../../../src/resources/bootstrap.ts";
import { ipAddressOf } from "../../../src/resources/ip.ts";
import type { IronicManifest } from "../../../src/resources/ironic.ts";

/* Sites as a person could write them: every field of the `Ironic` that reaches a rendered file. */

export interface ArbitrarySite {
	readonly ironic: NonNullable<IronicManifest["spec"]>;
	readonly bootstrap: NonNullable<BootstrapManifest["spec"]>;
}

/** Characters that mean something to YAML, shells, oslo.config, dnsmasq, Apache, iPXE or SQL, and some that do not. */
const hostileCharacters = [..."$%\\\"'#:@;&<>(){}[]|!*?,=~` .-_/aZ09üß設\u{1f600}"];
export const hostileText = fc
	.array(fc.constantFrom(...hostileCharacters), { minLength: 1, maxLength: 24 })
	.map((characters) => characters.join(""));

/** Sites that must be accepted, by the linter and by every program. */
export const validSite: fc.Arbitrary<ArbitrarySite> = fc
	.oneof({ weight: 3, arbitrary: networks(4) }, { weight: 1, arbitrary: networks(6) })
	.chain(({ ipAddress, dhcp }) =>
		fc.record({
			ironic: fc.record(
				{
					networking: withUrls(
						fc.record(
							{
								ipAddress: fc.constant(ipAddress),
								dhcp: fc.constant(dhcp),
								...ports(),
								externalIP: fc.constantFrom("198.51.100.7", "2001:db8::7"),
								bindInterface: fc.boolean(),
							},
							{ requiredKeys: ["ipAddress", "dhcp", "apiPort", "imageServerPort", "imageServerTLSPort"] },
						),
					),
					deployRamdisk: fc.record(
						{
							extraKernelParams: fc.constantFrom("console=ttyS0", "ipa-debug=1 modprobe.blacklist=a,b"),
							sshKey: fc.constant("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA== ops@example.org"),
						},
						{ requiredKeys: [] },
					),
					inspection: fc.record(
						{
							collectors: fc.constantFrom(["default"], ["default", "lldp", "pci-devices"]),
							vlanInterfaces: fc.constantFrom(["all"], ["eno1.100", "eno2"]),
						},
						{ requiredKeys: [] },
					),
					tls: fc.record({ disableVirtualMediaTLS: fc.boolean() }, { requiredKeys: [] }),
					extraConfig: fc.array(extraOption(), { maxLength: 4 }),
				},
				{ requiredKeys: ["networking"] },
			),
			bootstrap: bootstrap(ipAddress.includes(":")),
		}),
	);

/** Both URLs or none; both stand in for `externalIP`. */
function withUrls<Networking extends { readonly externalIP?: string }>(networking: fc.Arbitrary<Networking>) {
	const urls = fc.constantFrom(
		{},
		{
			externalCallbackURL: "https://ironic.example.org:6385",
			imageServerExternalURL: "http://198.51.100.9:8080/",
		},
		{
			externalCallbackURL: "https://[2001:db8::7]:443/",
			imageServerExternalURL: "https://images.example.org",
		},
	);
	return fc.tuple(networking, urls).map(([{ externalIP, ...fields }, given]) => ({
		...fields,
		...("externalCallbackURL" in given || externalIP === undefined ? given : { externalIP }),
	}));
}

/** A valid site with hostile text in one of its free-text fields. */
export const hostileSite: fc.Arbitrary<ArbitrarySite & { readonly field: string; readonly text: string }> = fc
	.tuple(validSite, hostileText, fc.constantFrom(...freeTextFields()))
	.map(([site, text, field]) => ({ ...withText(site, field, text), field, text }));

function freeTextFields() {
	return [
		"dhcp.hosts",
		"dhcp.ignore",
		"deployRamdisk.extraKernelParams",
		"deployRamdisk.sshKey",
		"inspection.collectors",
		"inspection.vlanInterfaces",
		"externalCallbackURL",
		"imageServerExternalURL",
		"extraConfig.name",
	] as const;
}

function withText(
	site: ArbitrarySite,
	field: ReturnType<typeof freeTextFields>[number],
	text: string,
): ArbitrarySite {
	const { ironic } = site;
	const { networking = {} } = ironic;
	const change = (spec: Partial<ArbitrarySite["ironic"]>) => ({ ...site, ironic: { ...ironic, ...spec } });
	switch (field) {
		case "dhcp.hosts":
			return change({ networking: { ...networking, dhcp: { ...networking.dhcp, hosts: [text] } } });
		case "dhcp.ignore":
			return change({ networking: { ...networking, dhcp: { ...networking.dhcp, ignore: [text] } } });
		case "deployRamdisk.extraKernelParams":
			return change({ deployRamdisk: { extraKernelParams: text } });
		case "deployRamdisk.sshKey":
			return change({ deployRamdisk: { sshKey: text } });
		case "inspection.collectors":
			return change({ inspection: { collectors: [text] } });
		case "inspection.vlanInterfaces":
			return change({ inspection: { vlanInterfaces: [text] } });
		case "externalCallbackURL":
		case "imageServerExternalURL":
			return change({ networking: { ...networking, [field]: `https://images.example.org/${text}` } });
		case "extraConfig.name":
			return change({ extraConfig: [{ group: "hostile", name: text, value: "x" }] });
	}
}

/** Options of a group of nobody's, whose values are the hostile part. */
function extraOption() {
	return fc.record({
		group: fc.constant("hostile"),
		name: fc.stringMatching(/^[a-z]{3,8}$/),
		value: hostileText.filter((text) => text.trim() !== ""),
	});
}

function ports() {
	const from = (first: number) => fc.integer({ min: first, max: first + 9999 });
	return { apiPort: from(6000), imageServerPort: from(20_000), imageServerTLSPort: from(40_000) };
}

function bootstrap(ipv6: boolean): fc.Arbitrary<ArbitrarySite["bootstrap"]> {
	const modes = ipv6
		? (["auto", "off"] as const)
		: (["auto", "full", "reservations", "proxy", "off"] as const);
	return fc.record({
		dhcp: fc.record({
			mode: fc.constantFrom(...modes),
			routerAdvertisements: fc.constantFrom("auto" as const, "always" as const),
		}),
		fence: fc.record({
			mode: fc.constantFrom("shared" as const, "dedicated" as const),
			dhcp: fc.constantFrom("closed" as const, "open" as const),
		}),
	});
}

/** A provisioning network with its DHCP: main range, ranges behind relays, and what is told besides addresses. */
function networks(family: 4 | 6) {
	const prefixes = family === 4 ? fc.integer({ min: 16, max: 27 }) : fc.constant(64);
	return fc
		.tuple(
			fc.integer({ min: 1, max: 60 }),
			prefixes,
			fc.boolean(),
			fc.boolean(),
			fc.integer({ min: 0, max: 2 }),
		)
		.map(([number, prefix, gateway, dns, extra]) => {
			const network = (index: number) => {
				const first =
					family === 4
						? BigInt(10 << 24) + (BigInt(number * 4 + index) << 16n)
						: (0xfdn << 120n) + (BigInt(number * 4 + index) << 64n);
				const at = (offset: number) => ipAddressOf(family, first + BigInt(offset)).text;
				return { networkCIDR: `${at(0)}/${prefix}`, rangeBegin: at(8), rangeEnd: at(20), at };
			};
			const { at, ...main } = network(0);
			const dhcp = {
				...main,
				...(gateway && family === 4 ? { gatewayAddress: at(2) } : {}),
				...(dns ? { dnsAddress: at(3) } : { serveDNS: true }),
				hosts: [`52:54:00:ab:00:01,${family === 4 ? at(21) : `[${at(21)}]`},cp-0`, "id:*,set:any"],
				ignore: ["tag:unwanted"],
				extraRanges: Array.from({ length: extra }, (_, index) => {
					const { at: place, ...range } = network(index + 1);
					return { ...range, ...(gateway && family === 4 ? { gatewayAddress: place(2) } : {}) };
				}),
			};
			return { ipAddress: at(1), dhcp };
		});
}
