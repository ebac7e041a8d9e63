import { about, given, type IronicRule } from "./ironic-rule.ts";

/**
 * Which fields exclude or require each other. Rules 1, 3, 4, 6, 7, 8, 9, 12, 14 and 15 of the operator's webhook.
 * https://github.com/metal3-io/ironic-standalone-operator/blob/v0.11.0/pkg/ironic/validation.go
 */
export const ironicModes: IronicRule = function* (ironic) {
	yield* highAvailability(ironic);
	yield* database(ironic);
	yield* hostNetwork(ironic);
	yield* externalAddresses(ironic);
};

const highAvailability: IronicRule = function* (ironic) {
	const { spec } = ironic;
	if (!spec.highAvailability) {
		if (spec.tls.insecureRPC !== undefined)
			yield about(ironic, ["tls", "insecureRPC"], "insecure-rpc-without-ha", {
				message: "`tls.insecureRPC` makes no sense without `highAvailability`",
				fix: "remove it, also if it is false",
			});
		return;
	}
	yield about(ironic, ["highAvailability"], "ha-feature-gate", {
		severity: "warning",
		message:
			"`highAvailability` is refused by an operator whose feature gate HighAvailability is off, as it is by default",
		fix: "start the target's operator with --feature-gates=HighAvailability=true",
	});
	if (!spec.database)
		yield about(ironic, ["highAvailability"], "ha-without-database", {
			message: "`highAvailability` needs `database`",
			fix: "add `database`, or remove `highAvailability`",
		});
	if (given(spec.networking.ipAddress))
		yield about(ironic, ["networking", "ipAddress"], "ha-with-ip-address", {
			message: "`networking.ipAddress` makes no sense with `highAvailability`",
			fix: TARGET_ONLY,
		});
	if (spec.networking.dhcp)
		yield about(ironic, ["networking", "dhcp"], "ha-with-dhcp", {
			message: "`networking.dhcp` does not work with `highAvailability`",
			fix: TARGET_ONLY,
		});
	if (spec.prometheusExporter && !spec.prometheusExporter.disableServiceMonitor)
		yield about(ironic, ["prometheusExporter"], "ha-with-service-monitor", {
			message:
				"`prometheusExporter` with a ServiceMonitor does not work with `highAvailability`, even if it is not enabled",
			fix: "set `prometheusExporter.disableServiceMonitor: true`",
		});
};

const TARGET_ONLY =
	"set `highAvailability: true` and this field's `null` in `Bootstrap.spec.target.ironic` if only the target is to be so";

const database: IronicRule = function* (ironic) {
	const { database } = ironic.spec;
	if (!database) return;
	for (const name of ["credentialsName", "host", "name"] as const)
		if (database[name] === "")
			yield about(ironic, ["database", name], "database-incomplete", {
				message: `\`database.${name}\` is empty`,
				fix: "give `credentialsName`, `host` and `name`, or remove `database` to let ironstrap run MariaDB itself",
			});
};

const hostNetwork: IronicRule = function* (ironic) {
	const { networking } = ironic.spec;
	if (!networking.disableHostNetwork) return;
	const excluded = {
		bindInterface: networking.bindInterface === true,
		dhcp: networking.dhcp !== undefined,
		interface: given(networking.interface),
		ipAddress: given(networking.ipAddress),
		macAddresses: (networking.macAddresses ?? []).length > 0,
		keepalived: networking.keepalived?.enabled === true,
	};
	for (const [name, isSet] of Object.entries(excluded))
		if (isSet)
			yield about(ironic, ["networking", name], "host-network-disabled", {
				message: `\`networking.${name}\` needs the host's network, which \`disableHostNetwork\` forbids`,
				fix: "remove one of the two",
			});
};

const externalAddresses: IronicRule = function* (ironic) {
	const { networking } = ironic.spec;
	const urls = ["externalCallbackURL", "imageServerExternalURL"] as const;
	const [first, second] = urls.filter((name) => given(networking[name]));
	if (given(networking.externalIP))
		for (const name of ["ingress", ...urls] as const)
			if (networking[name])
				yield about(ironic, ["networking", name], "external-address-twice", {
					message: `\`networking.${name}\` and \`networking.externalIP\` exclude each other`,
					fix: "remove one of the two",
				});
	if (first !== undefined && second === undefined && !networking.ingress)
		yield about(ironic, ["networking", first], "external-url-alone", {
			message: `\`networking.${first}\` is given without \`${urls.find((name) => name !== first)}\``,
			fix: "give both, or neither",
		});
	if (networking.ingress && !given(networking.ingress.host))
		yield about(ironic, ["networking", "ingress"], "ingress-host-missing", {
			message: "`networking.ingress.host` is empty: Ironic would tell servers to call back `https://`",
			fix: "give the host name under which the ingress answers",
		});
};
