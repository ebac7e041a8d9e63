import test from "ava";
import { assembleSite } from "../../../src/site/assemble.ts";
import { lintChange } from "../../../src/site/lint-change.ts";
import { parseDocuments } from "../../../src/site/parse.ts";
import { BASE, hostText, summary } from "../../support/site-text.ts";

function site(database: string, mac = "52:54:00:ab:00:01") {
	const base = BASE.replace("spec:\n", `spec:\n  database: ${database}\n`);
	const host = hostText(
		`  online: true\n  bmc: {address: 'redfish-virtualmedia://h', credentialsName: bmc}\n  bootMACAddress: ${mac}`,
	);
	return assembleSite(parseDocuments(base + host, "f").documents).site;
}

const A = "{credentialsName: bmc, host: a, name: ironic}";
const B = "{credentialsName: bmc, host: b, name: ironic}";

test("rule 2: a database may be added and removed, not exchanged", (t) => {
	t.deepEqual(summary([...lintChange(site(A), site(B))]), ["error database-changed 5:3"]);
	t.deepEqual([...lintChange(site(A), site(A))], []);
	t.deepEqual([...lintChange(site("~"), site(A))], []);
	t.deepEqual([...lintChange(site(A), site("~"))], []);
});

test("the kind of the stack's own database cannot be switched, and the way to do it is told", (t) => {
	const stored = (kind: string) => {
		const bootstrap = `---\napiVersion: ironstrap.io/v1alpha1\nkind: Bootstrap\nmetadata: {name: lab}\nspec: {database: ${kind}}\n`;
		return assembleSite(parseDocuments(BASE + bootstrap, "f").documents).site;
	};
	const [finding, ...more] = lintChange(stored("mariadb"), stored("sqlite"));
	t.deepEqual(more, []);
	t.like(finding, {
		code: "database-changed",
		seen: "mariadb before, sqlite now",
		subject: "Bootstrap default/lab",
	});
	t.regex(finding?.fix ?? "", /down --purge.*pivot --export/);
	t.deepEqual([...lintChange(stored("sqlite"), stored("sqlite"))], []);
});

test("a boot MAC stays as it is; the letter case may change", (t) => {
	t.deepEqual(summary([...lintChange(site(A), site(A, "52:54:00:ab:00:02"))]), [
		"error boot-mac-changed 27:19",
	]);
	t.deepEqual([...lintChange(site(A), site(A, "52:54:00:AB:00:01"))], []);
});
