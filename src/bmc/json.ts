/** A Redfish document, or a part of one. Firmware leaves out, nulls and mistypes what it likes: nothing is assumed. */
export type Json = Readonly<Record<string, unknown>>;

export function objectIn(value: unknown): Json {
	return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

export function listIn(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

/** A text that says something; vendors write "", "N/A" or blanks for "unknown". */
export function textIn(value: unknown): string | undefined {
	if (typeof value !== "string") return undefined;
	const text = value.trim();
	return text === "" || /^(?:n\/?a|unknown|null|none)$/i.test(text) ? undefined : text;
}

export function textsIn(value: unknown): readonly string[] {
	return listIn(value).filter((each): each is string => typeof each === "string");
}

export function numberIn(value: unknown): number | undefined {
	return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** Where a link points to, without a slash at the end (iLO writes one, others do not). */
export function linkIn(value: unknown): string | undefined {
	const target = objectIn(value)["@odata.id"];
	return typeof target === "string" && target.startsWith("/") ? target.replace(/(.)\/+$/, "$1") : undefined;
}

export function linksIn(value: unknown): readonly string[] {
	return listIn(value).flatMap((each) => linkIn(each) ?? []);
}
