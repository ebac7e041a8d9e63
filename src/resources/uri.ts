import { z } from "zod";

/** RFC 3986 with an authority: the characters that a URI may have, where they may stand. */
const URI =
	/^[A-Za-z][A-Za-z0-9+.-]*:\/\/(?:[\w.~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2}|\[[0-9A-Fa-f:.]+\])*(?:\/(?:[\w.~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*)?(?:\?(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?(?:#(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?$/;

/**
 * `format: uri` of a CRD. `new URL` alone would also take spaces and letters beyond ASCII, which it encodes, and
 * which the API server refuses.
 */
export const uriSchema = z.url("must be a URL").regex(URI, "must be a URL");
