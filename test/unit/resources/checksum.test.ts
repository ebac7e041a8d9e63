import test from "ava";
import { needsChecksum, parseChecksum } from "../../../src/resources/checksum.ts";

const MD5 = "97830b21ed272a3d854615beb54cf004";
const SHA256 = "9F".repeat(32);
const SHA512 = "0a".repeat(64);

test("the algorithm follows from the number of digits, as in Ironic", (t) => {
	t.deepEqual(parseChecksum({ checksum: MD5 }), { kind: "digest", algorithm: "md5", value: MD5 });
	t.deepEqual(parseChecksum({ checksum: SHA256, checksumType: "auto" }), {
		kind: "digest",
		algorithm: "sha256",
		value: "9f".repeat(32),
	});
	t.deepEqual(parseChecksum({ checksum: SHA512, checksumType: "sha512" }), {
		kind: "digest",
		algorithm: "sha512",
		value: SHA512,
	});
});

test("a URL names a file of digests", (t) => {
	const url = "http://172.22.0.1/images/node.qcow2.md5sum";
	t.deepEqual(parseChecksum({ checksum: url }), { kind: "url", url, algorithm: undefined });
	t.deepEqual(parseChecksum({ checksum: url, checksumType: "md5" }), { kind: "url", url, algorithm: "md5" });
});

test("no checksum is no checksum", (t) => {
	t.is(parseChecksum({}), undefined);
	t.is(parseChecksum({ checksum: "", checksumType: "sha256" }), undefined);
});

test("a digest of the wrong length and other texts are refused", (t) => {
	t.throws(() => parseChecksum({ checksum: MD5, checksumType: "sha256" }), {
		message: /length of md5, but checksumType is sha256/,
	});
	t.throws(() => parseChecksum({ checksum: "abc" }), { message: /3 hexadecimal digits/ });
	t.throws(() => parseChecksum({ checksum: "sha256:abc" }), { message: /neither a hexadecimal digest nor/ });
});

test("live ISOs and OCI images need none", (t) => {
	t.true(needsChecksum({ url: "http://h/i.qcow2" }));
	t.false(needsChecksum({ url: "http://h/i.iso", format: "live-iso" }));
	t.false(needsChecksum({ url: "oci://h/i:1" }));
});
