import { fault, link, NO_CONTENT, ok } from "../answers.ts";
import { ofSystem, systemPath } from "./of-system.ts";
import { REDFISH, type Route } from "./route.ts";

const SYSTEM = `${REDFISH}/Systems/:uuid`;

/** Firmware settings: written now, in force from the next power-on. */
export const FIRMWARE_ROUTES: readonly Route[] = [
	{
		path: `${SYSTEM}/BIOS`,
		GET: ofSystem(({ view }) => {
			const path = `${systemPath(view)}/BIOS`;
			return ok({
				"@odata.type": "#Bios.v1_0_0.Bios",
				Id: "BIOS",
				Name: "BIOS",
				Attributes: view.bios,
				"@Redfish.Settings": {
					"@odata.type": "#Settings.v1_0_0.Settings",
					SettingsObject: link(`${path}/Settings`),
					Time: "2020-01-01T00:00:00+00:00",
					Messages: [],
				},
				Actions: { "#Bios.ResetBios": { target: `${path}/Actions/Bios.ResetBios` } },
			});
		}),
	},
	{
		path: `${SYSTEM}/BIOS/Settings`,
		GET: ofSystem(({ view }) =>
			ok({
				"@odata.type": "#Bios.v1_0_0.Bios",
				Id: "Settings",
				Name: "BIOS Settings",
				Attributes: view.pendingBios,
			}),
		),
		PATCH: ofSystem(({ system, view, body }) => {
			const attributes = (body.Attributes ?? {}) as Record<string, unknown>;
			const unknown = Object.keys(attributes).find((name) => !(name in view.bios));
			if (unknown !== undefined)
				return fault(400, "PropertyUnknown", `There is no BIOS attribute ${unknown}.`);
			system.setBios(attributes);
			return NO_CONTENT;
		}),
	},
	{
		path: `${SYSTEM}/BIOS/Actions/Bios.ResetBios`,
		POST: ofSystem(({ system }) => {
			system.resetBios();
			return NO_CONTENT;
		}),
	},
	{
		path: `${SYSTEM}/SecureBoot`,
		GET: ofSystem(({ view }) =>
			ok({
				"@odata.type": "#SecureBoot.v1_1_0.SecureBoot",
				Id: "SecureBoot",
				Name: "UEFI Secure Boot",
				SecureBootEnable: view.secureBoot.enabled,
				SecureBootCurrentBoot: view.secureBoot.current ? "Enabled" : "Disabled",
				SecureBootMode: "UserMode",
				Actions: {
					"#SecureBoot.ResetKeys": {
						target: `${systemPath(view)}/SecureBoot/Actions/SecureBoot.ResetKeys`,
						"ResetKeysType@Redfish.AllowableValues": ["ResetAllKeysToDefault"],
					},
				},
			}),
		),
		PATCH: ofSystem(({ system, body }) => {
			const enable = body.SecureBootEnable;
			if (typeof enable !== "boolean")
				return fault(400, "PropertyValueTypeError", "SecureBootEnable is a boolean.");
			system.setSecureBoot(enable);
			return NO_CONTENT;
		}),
	},
	// The keys are always the default ones: nothing writes others.
	{ path: `${SYSTEM}/SecureBoot/Actions/SecureBoot.ResetKeys`, POST: ofSystem(() => NO_CONTENT) },
];
