import test from "ava";
import iconv from "iconv-lite";
import { parseTable } from "../../../../src/site/import/csv.ts";
import { decodeText } from "../../../../src/site/import/text.ts";

const texts = (text: string) => parseTable(text, "f").rows.map((row) => row.map((cell) => cell.text));
const places = (text: string) =>
	parseTable(text, "f").rows.map((row) => row.map(({ where }) => `${where.line}:${where.column}`));

const TABLES: readonly (readonly [title: string, text: string, expected: readonly (readonly string[])[]])[] =
	[
		[
			"commas",
			"a,b\n1,2\n",
			[
				["a", "b"],
				["1", "2"],
			],
		],
		[
			"semicolons, with decimal commas",
			"a;b\n1,5;2,5\n3,5;4,5\n",
			[
				["a", "b"],
				["1,5", "2,5"],
				["3,5", "4,5"],
			],
		],
		[
			"tabs, with an empty value",
			"a\tb\tc\n1\t\t3",
			[
				["a", "b", "c"],
				["1", "", "3"],
			],
		],
		[
			"bars",
			"a|b\n1|2",
			[
				["a", "b"],
				["1", "2"],
			],
		],
		[
			"CRLF and CR",
			"a,b\r\n1,2\r3,4",
			[
				["a", "b"],
				["1", "2"],
				["3", "4"],
			],
		],
		[
			"quotes, doubled quotes, delimiters and line ends in quotes",
			'a,b\n"x,""y""\r\nz",2\n3,4',
			[
				["a", "b"],
				['x,"y"\r\nz', "2"],
				["3", "4"],
			],
		],
		[
			"a quote within a value is a character",
			'a,b\n1"2,3',
			[
				["a", "b"],
				['1"2', "3"],
			],
		],
		[
			"text after a closing quote is kept",
			'a,b\n"x"y ,2',
			[
				["a", "b"],
				["xy", "2"],
			],
		],
		[
			"blanks around values go, within quotes they stay",
			'a , b\n 1 ," 2 "',
			[
				["a", "b"],
				["1", " 2 "],
			],
		],
		[
			"empty lines, and lines of delimiters alone",
			"a,b\n\n,\n  \n1,2\n\n",
			[
				["a", "b"],
				["1", "2"],
			],
		],
		[
			"Excel's first line",
			"sep=;\na;b,c\n1;2\n",
			[
				["a", "b,c"],
				["1", "2"],
			],
		],
		["one column", "a\n1\n2", [["a"], ["1"], ["2"]]],
		["nothing", "", []],
	];

for (const [title, text, expected] of TABLES)
	test(`a table with ${title}`, (t) => t.deepEqual(texts(text), expected));

test("places count lines within quotes", (t) => {
	t.deepEqual(places('a,b\n"x\ny", 2\n3,4'), [
		["1:1", "1:3"],
		["2:1", "3:5"],
		["4:1", "4:3"],
	]);
	t.deepEqual(places("sep=,\na,b"), [["2:1", "2:3"]]);
});

test("a quote that is never closed is told with its place", (t) => {
	const table = parseTable('a,b\n1,"2\n3,4', "f");
	t.deepEqual(table.openQuote, { file: "f", line: 2, column: 3 });
	t.deepEqual(
		table.rows[1]?.map(({ text }) => text),
		["1", "2\n3,4"],
	);
});

const GERMAN = "Name;Kennwort\nGrünhöfer;pässwörd€\n";
const ENCODINGS: readonly (readonly [
	title: string,
	bytes: Uint8Array,
	encoding: string,
	guessed: boolean,
])[] = [
	["UTF-8", Buffer.from(GERMAN), "UTF-8", false],
	["UTF-8 with a mark", Buffer.from(`\ufeff${GERMAN}`), "UTF-8", false],
	["UTF-16LE with a mark", iconv.encode(GERMAN, "utf16le", { addBOM: true }), "UTF-16LE", false],
	["UTF-16BE with a mark", iconv.encode(GERMAN, "utf16be", { addBOM: true }), "UTF-16BE", false],
	["UTF-16LE without a mark", iconv.encode(GERMAN, "utf16le", { addBOM: false }), "UTF-16LE", true],
	["UTF-16BE without a mark", iconv.encode(GERMAN, "utf16be", { addBOM: false }), "UTF-16BE", true],
	["Windows-1252", iconv.encode(GERMAN, "windows-1252"), "Windows-1252", true],
];

for (const [title, bytes, encoding, guessed] of ENCODINGS)
	test(`a text in ${title}`, (t) =>
		t.deepEqual(decodeText(bytes), { text: GERMAN, encoding, guessed } as never));
