/** Takes user names and passwords out of URLs that an error quotes. */
export function withoutUserinfo(text: string): string {
	return text.replace(/([a-z][a-z0-9+.-]*:\/\/)[^/\s@'"]+@/gi, "$1");
}
