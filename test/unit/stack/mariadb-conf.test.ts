import test from "ava";
import { mariadbConf, mariadbInitSql } from "../../../src/stack/mariadb-conf.ts";

test("no TCP port exists, and the collation is named", (t) => {
	const lines = mariadbConf().split("\n");
	t.true(lines.includes("skip-networking"));
	t.true(lines.includes("collation-server = utf8mb4_general_ci"));
	t.false(mariadbConf().includes("bind-address"));
});

test("a password cannot end its string in the init file, nor its line", (t) => {
	const sql = mariadbInitSql("a'b\\c\nd;e");
	t.true(sql.includes("ALTER USER 'ironic'@'localhost' IDENTIFIED BY 'a''b\\\\c\\nd;e';\n"));
	t.is(sql.trim().split("\n").length, 4);
});
