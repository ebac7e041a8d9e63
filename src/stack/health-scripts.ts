import { containerPorts } from "./endpoints.ts";

/**
 * Health checks as the containers run them; Python where Ironic is, which brings it along. Each prints one line that
 * says what was seen and exits with 0 or another code.
 */

/** The server answers, and its init file has made the account that Ironic uses. */
export function mariadbHealth(): string {
	return `#!/bin/sh
exec mariadb --no-defaults --protocol=socket --socket=/run/mysqld/mysqld.sock --user=mysql \\
	--execute "SHOW GRANTS FOR 'ironic'@'localhost'" --silent --skip-column-names >/dev/null
`;
}

/** A conductor with its drivers is registered, and nodes can be read (a mismatched schema fails only there). */
export function ironicHealth(): string {
	return `import base64, http.client, json, socket, sys


class Api(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(10)
        self.sock.connect("/run/ironic/api.sock")


def get(path):
    with open("/etc/ironstrap/ironic/health.secret", "rb") as file:
        credentials = base64.b64encode(file.read()).decode()
    api = Api("ironic")
    api.request("GET", path, headers={"Authorization": "Basic " + credentials})
    answer = api.getresponse()
    body = answer.read()
    if answer.status != 200:
        sys.exit("GET %s: %d %s" % (path, answer.status, answer.reason))
    return json.loads(body)


try:
    drivers = get("/v1/drivers")["drivers"]
    if not any(driver.get("hosts") for driver in drivers):
        sys.exit("no conductor is registered")
    get("/v1/nodes?limit=1")
except (OSError, http.client.HTTPException, ValueError) as error:
    sys.exit("%s: %s" % (type(error).__name__, error))
print("drivers: " + " ".join(sorted(driver["name"] for driver in drivers)))
`;
}

/** Ironic answers through TLS and the proxy, and the script that every server boots is there. */
export function httpdHealth(): string {
	return `import http.client, ssl, sys


def get(connection, path):
    connection.request("GET", path)
    answer = connection.getresponse()
    answer.read()
    if answer.status != 200:
        sys.exit("GET %s: %d %s" % (path, answer.status, answer.reason))


# Whether the certificate fits the addresses is checked where clients are; here it is only ourselves.
context = ssl.create_default_context()
context.check_hostname = False
context.verify_mode = ssl.CERT_NONE
try:
    get(http.client.HTTPSConnection("127.0.0.1", ${containerPorts.operatorApi}, timeout=10, context=context), "/v1")
    get(http.client.HTTPConnection("127.0.0.1", ${containerPorts.files}, timeout=10), "/boot.ipxe")
except (OSError, http.client.HTTPException) as error:
    sys.exit("%s: %s" % (type(error).__name__, error))
print("API and boot files answer")
`;
}

/** TFTP gives out a file on the provisioning address, and a DHCP socket of this family is open. */
export function dnsmasqHealth(address: string, dhcp: 4 | 6): string {
	const family = address.includes(":") ? "AF_INET6" : "AF_INET";
	const [table, port] = dhcp === 6 ? ["udp6", "0223"] : ["udp", "0043"];
	return `import socket, sys

with open("/proc/net/${table}") as sockets:
    if not any(line.split()[1].endswith(":${port}") for line in list(sockets)[1:]):
        sys.exit("no DHCP socket is open")
client = socket.socket(socket.${family}, socket.SOCK_DGRAM)
client.settimeout(5)
try:
    client.sendto(b"\\0\\1health\\0octet\\0", ("${address}", 69))
    answer, server = client.recvfrom(2048)
    if answer[:2] != b"\\0\\3":
        sys.exit("TFTP: " + answer[4:].decode(errors="replace"))
    # The file is one block: acknowledging it ends the transfer.
    client.sendto(b"\\0\\4\\0\\1", server)
except OSError as error:
    sys.exit("TFTP: %s: %s" % (type(error).__name__, error))
print("DHCP and TFTP answer")
`;
}
