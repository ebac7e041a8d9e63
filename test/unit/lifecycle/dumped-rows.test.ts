import test from "ava";
import { countDumpedRows, differingRows, parseRows } from "../../../src/lifecycle/dumped-rows.ts";

async function* linesOf(text: string): AsyncGenerator<string> {
	yield* text.split("\n");
}

test("rows are counted in both ways in which mariadb-dump writes them, values that look like rows are not", async (t) => {
	const dump = `CREATE TABLE \`nodes\` (
  \`id\` int(11) NOT NULL
);
INSERT INTO \`nodes\` VALUES
(1,'a\\n(2'),
(2,'INSERT INTO \`ports\` VALUES'),
(3,'c;');
CREATE TABLE \`ports\` (
  \`id\` int(11) NOT NULL
);
INSERT INTO \`ports\` VALUES (1,'x');
INSERT INTO \`ports\` VALUES (2,'y');
CREATE TABLE \`traits\` (
  \`id\` int(11) NOT NULL
);
`;
	t.deepEqual(await countDumpedRows(linesOf(dump)), { nodes: 3, ports: 2, traits: 0 });
});

test("a table that is nowhere has no rows, any other difference is named", (t) => {
	const found = parseRows("nodes\t3\nports\t1\nalembic_version\t1\n");
	t.deepEqual(found, { nodes: 3, ports: 1, alembic_version: 1 });
	t.deepEqual(differingRows({ nodes: 3, ports: 1, alembic_version: 1, traits: 0 }, found), []);
	t.deepEqual(differingRows({ nodes: 4, chassis: 2 }, found), [
		"alembic_version: 1, not 0",
		"chassis: 0, not 2",
		"nodes: 3, not 4",
		"ports: 1, not 0",
	]);
});
