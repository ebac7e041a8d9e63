import test from "ava";
import { parseListeners } from "../../../src/linux/listeners.ts";

test("sockets as `ss` tells them: address, interface, port, and who holds them", (t) => {
	const text = `udp   UNCONN 0      0      0.0.0.0%virbr0:67         0.0.0.0:*    users:(("dnsmasq",pid=812,fd=4))
udp   UNCONN 0      0      [fe80::1]%eth0:546             [::]:*    users:(("systemd-network",pid=9,fd=2))
tcp   LISTEN 0      128          127.0.0.1:6385       0.0.0.0:*    users:(("conmon",pid=5,fd=5))
tcp   LISTEN 0      511                  *:80               *:*    users:(("nginx",pid=7,fd=6),("nginx",pid=8,fd=6))
tcp   LISTEN 0      64                [::]:2049          [::]:*
`;
	t.deepEqual(parseListeners(text), [
		{
			protocol: "udp",
			address: "0.0.0.0",
			port: 67,
			interface: "virbr0",
			holders: [{ name: "dnsmasq", pid: 812 }],
		},
		{
			protocol: "udp",
			address: "fe80::1",
			port: 546,
			interface: "eth0",
			holders: [{ name: "systemd-network", pid: 9 }],
		},
		{
			protocol: "tcp",
			address: "127.0.0.1",
			port: 6385,
			interface: undefined,
			holders: [{ name: "conmon", pid: 5 }],
		},
		{
			protocol: "tcp",
			address: "*",
			port: 80,
			interface: undefined,
			holders: [
				{ name: "nginx", pid: 7 },
				{ name: "nginx", pid: 8 },
			],
		},
		{ protocol: "tcp", address: "::", port: 2049, interface: undefined, holders: [] },
	]);
});

test("what is no socket line is left out", (t) => {
	t.deepEqual(parseListeners(""), []);
	t.deepEqual(parseListeners("Netid State Recv-Q Send-Q Local Address:Port Peer Address:Port\n"), []);
});
