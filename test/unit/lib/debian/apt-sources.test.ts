import test from "ava";
import {
	debianMirrors,
	mirrorsFromUrl,
	parseDeb822Sources,
	parseOneLineSources,
} from "../../../../src/lib/debian/apt-sources.ts";

// Files as they lie on real machines, with the host names replaced.
const container = `Types: deb
# http://snapshot.example/archive/debian/20250520T000000Z
URIs: http://mirror.example/debian
Suites: bookworm bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb
# http://snapshot.example/archive/debian-security/20250520T000000Z
URIs: http://mirror.example/debian-security
Suites: bookworm-security
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
`;

const installer = `#deb cdrom:[Debian GNU/Linux 12.5.0 _Bookworm_ - Official amd64 NETINST]/ bookworm main non-free-firmware

deb http://mirror.example/debian/ bookworm main non-free-firmware
deb-src http://mirror.example/debian/ bookworm main non-free-firmware

deb http://security.example/debian-security bookworm-security main non-free-firmware # security
deb [arch=amd64 signed-by=/etc/apt/keyrings/docker.asc] https://vendor.example/linux/debian bookworm stable
`;

const cloud = `Types: deb deb-src
URIs: mirror+file:/etc/apt/mirrors/debian.list
Suites: trixie trixie-updates trixie-backports
Components: main

Types: deb deb-src
URIs: mirror+file:/etc/apt/mirrors/debian-security.list
Suites: trixie-security
Components: main
`;

const folded = `X-Repolib-Name: Debian
Enabled: yes
Types: deb
URIs:
 https://one.example/mirrors/debian/
 https://two.example/debian
Suites: forky
Components: main
  contrib
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 mDMEY865UxYJKwYBBAHaRw8BAQdAd7Z0srwuhlB6JKFkcf4HU4SSS/xcRfwEQWzr
 -----END PGP PUBLIC KEY BLOCK-----

Enabled: no
Types: deb
URIs: https://disabled.example/debian
Suites: sid
Components: main
`;

const ubuntu = `Types: deb
URIs: http://archive.example/ubuntu/
Suites: noble noble-updates noble-backports
Components: main restricted universe multiverse
Signed-By: /usr/share/keyrings/ubuntu-archive-keyring.gpg
`;

const mirrorOf = (text: string, parse: typeof parseDeb822Sources) => debianMirrors(parse(text));

test("a container image's deb822 file names the archive and the security archive", (t) => {
	t.deepEqual(mirrorOf(container, parseDeb822Sources), {
		base: "http://mirror.example/debian",
		security: "http://mirror.example/debian-security",
	});
	t.is(parseDeb822Sources(container).length, 3);
});

test("an installer's one-line file: comments, sources, trailing slashes and a vendor's repository do not disturb", (t) => {
	t.deepEqual(mirrorOf(installer, parseOneLineSources), {
		base: "http://mirror.example/debian",
		security: "http://security.example/debian-security",
	});
	t.deepEqual(
		parseOneLineSources(installer).map(({ uri, suite, components }) => [uri, suite, components.join()]),
		[
			["http://mirror.example/debian/", "bookworm", "main,non-free-firmware"],
			["http://security.example/debian-security", "bookworm-security", "main,non-free-firmware"],
			["https://vendor.example/linux/debian", "bookworm", "stable"],
		],
	);
});

test("folded fields, keys inside the file and disabled entries of a deb822 file", (t) => {
	t.deepEqual(
		parseDeb822Sources(folded).map(({ uri, suite, components }) => [uri, suite, components.join()]),
		[
			["https://one.example/mirrors/debian/", "forky", "main,contrib"],
			["https://two.example/debian", "forky", "main,contrib"],
		],
	);
	t.deepEqual(mirrorOf(folded, parseDeb822Sources), {
		base: "https://one.example/mirrors/debian",
		security: undefined,
	});
});

test("a cloud image names a list of mirrors, which is not a mirror yet", (t) => {
	t.is(parseDeb822Sources(cloud)[0]?.uri, "mirror+file:/etc/apt/mirrors/debian.list");
	t.is(mirrorOf(cloud, parseDeb822Sources), undefined);
});

test("another distribution's archive is never taken for Debian's", (t) => {
	t.is(mirrorOf(ubuntu, parseDeb822Sources), undefined);
	t.is(mirrorOf("", parseDeb822Sources), undefined);
	t.is(mirrorOf("deb https://apt.example/debian bookworm stable\n", parseOneLineSources), undefined);
});

test("with --mirror only that server is asked", (t) => {
	t.deepEqual(mirrorsFromUrl("http://10.0.0.1:3142/debian/"), {
		base: "http://10.0.0.1:3142/debian",
		security: "http://10.0.0.1:3142/debian-security",
	});
	t.deepEqual(mirrorsFromUrl("http://10.0.0.1/repo"), { base: "http://10.0.0.1/repo", security: undefined });
});
