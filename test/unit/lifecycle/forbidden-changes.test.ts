import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { IronstrapErrors } from "../../../src/lib/errors.ts";
import { refuseForbiddenChanges } from "../../../src/lifecycle/forbidden-changes.ts";
import { assembleSite } from "../../../src/site/assemble.ts";
import { parseDocuments } from "../../../src/site/parse.ts";
import { storeApplied } from "../../../src/state/applied.ts";
import { ensureLayout, sitePaths } from "../../../src/state/layout.ts";
import { openSecretStore } from "../../../src/state/secret-store.ts";
import { BASE, hostText } from "../../support/site-text.ts";

const siteWith = (mac: string) => {
	const host = hostText(
		`  online: true\n  bmc: {address: "redfish://h", credentialsName: bmc}\n  bootMACAddress: ${mac}`,
	);
	const { documents, findings } = parseDocuments(BASE + host, "site.yaml");
	return assembleSite(documents, findings).site;
};

test("a new site may be anything; the boot MAC of an applied host may not change", async (t) => {
	const folder = await mkdtemp(join(tmpdir(), "changes-"));
	const roots = { state: join(folder, "state"), run: join(folder, "run"), cache: join(folder, "cache") };
	const paths = sitePaths("metal3", roots);
	await ensureLayout(paths, roots);
	const secrets = openSecretStore(paths.secretsDirectory);
	await t.notThrowsAsync(refuseForbiddenChanges(siteWith("52:54:00:ab:00:01"), paths, secrets));
	await storeApplied(siteWith("52:54:00:ab:00:01"), paths, secrets);
	await t.notThrowsAsync(refuseForbiddenChanges(siteWith("52:54:00:AB:00:01"), paths, secrets));
	const error = await t.throwsAsync(refuseForbiddenChanges(siteWith("52:54:00:ab:00:02"), paths, secrets), {
		instanceOf: IronstrapErrors,
	});
	t.deepEqual(
		error?.errors.map(({ code, where }) => [code, where?.line]),
		[["boot-mac-changed", 26]],
	);
});
