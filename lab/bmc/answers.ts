/** What goes back to the caller. */
export interface Answer {
	readonly status: number;
	readonly body?: Readonly<Record<string, unknown>> | undefined;
	readonly headers?: Readonly<Record<string, string>> | undefined;
}

export function ok(body: Readonly<Record<string, unknown>>): Answer {
	return { status: 200, body };
}

export const NO_CONTENT: Answer = { status: 204 };

/** A Redfish error with extended information (DSP0266 §8.6). `messageId` is one of the base registry's. */
export function fault(status: number, messageId: string, message: string): Answer {
	const code = `Base.1.0.${messageId}`;
	const info = {
		"@odata.type": "#Message.v1_0_0.Message",
		MessageId: code,
		Message: message,
		Severity: "Critical",
	};
	return {
		status,
		body: { error: { code, message, "@Message.ExtendedInfo": [info] } },
		...(status === 401 ? { headers: { "WWW-Authenticate": 'Basic realm="bmc"' } } : {}),
	};
}

export function notFound(path: string): Answer {
	return fault(404, "ResourceMissingAtURI", `The resource at the URI ${path} was not found.`);
}

export function collection(type: string, name: string, members: readonly string[]): Answer {
	return ok({
		"@odata.type": `#${type}.${type}`,
		Name: name,
		"Members@odata.count": members.length,
		Members: members.map(link),
	});
}

export function link(path: string): { "@odata.id": string } {
	return { "@odata.id": path };
}

export const HEALTHY = { State: "Enabled", Health: "OK", HealthRollup: "OK" } as const;
