/* Usage: node door-main.js SOCKET PORT: whoever connects to the socket gets the port of this network namespace. */
import { connect, createServer } from "node:net";

const [socket = "", port = ""] = process.argv.slice(2);

createServer((outer) => {
	const inner = connect(Number(port), "127.0.0.1");
	outer.pipe(inner).pipe(outer);
	for (const [one, other] of [
		[outer, inner],
		[inner, outer],
	] as const)
		one.on("error", () => other.destroy()).on("close", () => other.destroy());
}).listen(socket);
