import test from "ava";
import { parseProbeTarget } from "../../../src/bmc/target.ts";
import type { IronstrapError } from "../../../src/lib/errors.ts";

const target = (text: string) => {
	const { host, port, transport, systemPath } = parseProbeTarget(text);
	return [transport ?? "-", host, port ?? "-", systemPath ?? "-"].join(" ");
};

test("what people have is taken", (t) => {
	t.is(target("10.0.0.5"), "- 10.0.0.5 - -");
	t.is(target(" bmc-1:8443 "), "- bmc-1 8443 -");
	t.is(target("fd00::5"), "- fd00::5 - -");
	t.is(target("[fd00::5]:8000"), "- fd00::5 8000 -");
	t.is(target("https://10.0.0.5/redfish/v1/Systems/1/"), "https 10.0.0.5 - /redfish/v1/Systems/1");
	t.is(target("HTTP://10.0.0.5:8000/redfish/v1/"), "http 10.0.0.5 8000 -");
	t.is(
		target("redfish-virtualmedia+http://10.0.0.5/redfish/v1/Systems/1"),
		"http 10.0.0.5 - /redfish/v1/Systems/1",
	);
	t.is(target("redfish://10.0.0.5"), "- 10.0.0.5 - -");
	t.is(target("ipmi://10.0.0.5:6230"), "ipmi 10.0.0.5 6230 -");
});

test("a password in the address is refused and not repeated", (t) => {
	const error = t.throws<IronstrapError>(() => parseProbeTarget("https://root:calvin@10.0.0.5"));
	t.is(error?.code, "bmc-address-invalid");
	t.false(JSON.stringify({ ...error, message: error?.message }).includes("calvin"));
	t.regex(error?.fix ?? "", /--password-file/);
});

test("what is no address is refused", (t) => {
	for (const text of ["", "10.0.0.300", "10.0.0.5:99999", "ftp://10.0.0.5", "a b"])
		t.is(t.throws<IronstrapError>(() => parseProbeTarget(text))?.code, "bmc-address-invalid", text);
});
