import { collection, fault, HEALTHY, link, NO_CONTENT, notFound, ok } from "../answers.ts";
import { isBasic } from "../sessions.ts";
import { allViews } from "./of-system.ts";
import { REDFISH, type Route } from "./route.ts";

const SIMPLE_UPDATE = `${REDFISH}/UpdateService/Actions/UpdateService.SimpleUpdate`;
const SESSIONS = `${REDFISH}/SessionService/Sessions`;

/** The service root and everything that belongs to the BMC itself. */
export const SERVICE_ROUTES: readonly Route[] = [
	{ path: "/redfish", open: true, GET: () => ok({ v1: `${REDFISH}/` }) },
	{
		path: REDFISH,
		open: true,
		// Only what is served is named here: clients follow every link.
		GET: (request) =>
			ok({
				"@odata.type": "#ServiceRoot.v1_5_0.ServiceRoot",
				Id: "RootService",
				Name: "Root Service",
				RedfishVersion: "1.6.0",
				UUID: allViews(request)[0]?.config.uuid,
				Systems: link(`${REDFISH}/Systems`),
				Managers: link(`${REDFISH}/Managers`),
				Chassis: link(`${REDFISH}/Chassis`),
				SessionService: link(`${REDFISH}/SessionService`),
				Tasks: link(`${REDFISH}/TaskService`),
				UpdateService: link(`${REDFISH}/UpdateService`),
				Links: { Sessions: link(SESSIONS) },
			}),
	},
	{
		path: `${REDFISH}/SessionService`,
		GET: ({ bmc }) =>
			ok({
				"@odata.type": "#SessionService.v1_0_2.SessionService",
				Id: "SessionService",
				Name: "Session Service",
				ServiceEnabled: true,
				SessionTimeout: bmc.config.sessionTimeoutSeconds ?? 300,
				Sessions: link(SESSIONS),
			}),
	},
	{
		path: SESSIONS,
		open: true, // POST is the log-in; GET names nothing but ids
		GET: ({ bmc }) =>
			collection(
				"SessionCollection",
				"Sessions",
				bmc.sessions.ids().map((id) => `${SESSIONS}/${id}`),
			),
		POST({ bmc, body, method, path }) {
			const { username, password } = bmc.config;
			const given = Buffer.from(`${body.UserName}:${body.Password}`).toString("base64");
			const refused = bmc.faults.take("reject-credentials", method, path) !== undefined;
			if (refused || !isBasic(`Basic ${given}`, username, password)) {
				return fault(401, "ResourceAtUriUnauthorized", "The user name or the password is wrong.");
			}
			const session = bmc.sessions.open();
			if (session === undefined) return fault(503, "SessionLimitExceeded", "No more sessions can be opened.");
			const location = `${SESSIONS}/${session.id}`;
			return {
				status: 201,
				body: { ...sessionDocument(session.id, username), "@odata.id": location },
				headers: { "X-Auth-Token": session.token, Location: location },
			};
		},
	},
	{
		path: `${SESSIONS}/:id`,
		GET: ({ bmc, params, path }) =>
			bmc.sessions.ids().includes(params.id ?? "")
				? ok(sessionDocument(params.id ?? "", bmc.config.username))
				: notFound(path),
		DELETE: ({ bmc, params, path }) => (bmc.sessions.close(params.id ?? "") ? NO_CONTENT : notFound(path)),
	},
	{
		path: `${REDFISH}/TaskService`,
		GET: () =>
			ok({
				"@odata.type": "#TaskService.v1_1_0.TaskService",
				Id: "TaskService",
				Name: "Tasks",
				ServiceEnabled: true,
				Status: HEALTHY,
				Tasks: link(`${REDFISH}/TaskService/Tasks`),
			}),
	},
	{ path: `${REDFISH}/TaskService/Tasks`, GET: () => collection("TaskCollection", "Tasks", []) },
	{
		path: `${REDFISH}/UpdateService`,
		GET: () =>
			ok({
				"@odata.type": "#UpdateService.v1_2_1.UpdateService",
				Id: "UpdateService",
				Name: "Update Service",
				ServiceEnabled: true,
				Status: HEALTHY,
				FirmwareInventory: link(`${REDFISH}/UpdateService/FirmwareInventory`),
				// sushy refuses a document without it.
				Actions: { "#UpdateService.SimpleUpdate": { target: SIMPLE_UPDATE } },
			}),
	},
	{
		path: SIMPLE_UPDATE,
		POST: () => fault(501, "ActionNotSupported", "There is no firmware here that could be updated."),
	},
	{
		path: `${REDFISH}/UpdateService/FirmwareInventory`,
		GET: () =>
			collection("SoftwareInventoryCollection", "Firmware", [
				`${REDFISH}/UpdateService/FirmwareInventory/BMC`,
			]),
	},
	{
		path: `${REDFISH}/UpdateService/FirmwareInventory/BMC`,
		GET: () =>
			ok({
				"@odata.type": "#SoftwareInventory.v1_2_0.SoftwareInventory",
				Id: "BMC",
				Name: "BMC firmware",
				Version: "1.00",
				Updateable: false,
				Status: HEALTHY,
			}),
	},
];

function sessionDocument(id: string, user: string): Record<string, unknown> {
	return { "@odata.type": "#Session.v1_0_0.Session", Id: id, Name: "Session", UserName: user };
}
