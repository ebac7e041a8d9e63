import test from "ava";
import { literal, unitText, word, words } from "../../../src/systemd/unit-text.ts";
import { isAtLeast, parseVersion } from "../../../src/systemd/version.ts";

// systemd.service(5), COMMAND LINES, and systemd.syntax(7), QUOTING
const quoted: readonly (readonly [value: string, inUnit: string])[] = [
	["plain", "plain"],
	["/usr/bin/podman", "/usr/bin/podman"],
	["--env=A=b,c:d", "--env=A=b,c:d"],
	["two words", '"two words"'],
	["100%", "100%%"],
	["$HOME", "$$HOME"],
	['say "no"', '"say \\"no\\""'],
	["back\\slash", '"back\\\\slash"'],
	["line\nbreak", '"line\\nbreak"'],
	["", '""'],
	["a;b", '"a;b"'],
	["#hash", '"#hash"'],
	["ümlaut", '"ümlaut"'],
];

for (const [value, inUnit] of quoted)
	test(`the word ${JSON.stringify(value)} of a command line is ${inUnit}`, (t) => {
		t.is(word(value), inUnit);
	});

test("a value that is no list of words keeps its spaces and quotes, and loses specifiers and variables", (t) => {
	t.is(literal('python3 "%i" $x'), 'python3 "%%i" $$x');
});

test("words are separated by one space", (t) => {
	t.is(words(["sh", "-c", "exit 1"]), 'sh -c "exit 1"');
});

test("sections follow each other, repeated keys stay repeated", (t) => {
	const text = unitText("made", [
		{
			name: "Unit",
			lines: [
				["After", "a.service"],
				["After", "b.service"],
			],
		},
		{ name: "Install", lines: [["WantedBy", "c.target"]] },
	]);
	t.is(text, "# made\n\n[Unit]\nAfter=a.service\nAfter=b.service\n\n[Install]\nWantedBy=c.target\n");
});

for (const [text, version] of [
	["5.4.2", [5, 4]],
	["4.3.1", [4, 3]],
	["28.5.2+dfsg3", [28, 5]],
	["systemd 257 (257.9-1~deb13u1)", [257, 0]],
	["systemd 252 (252.39-1~deb12u1)", [252, 0]],
] as const)
	test(`${text} is version ${version.join(".")}`, (t) => {
		t.deepEqual([...parseVersion(text)], [...version]);
	});

test("5.10 is later than 5.4, and 4.9 earlier than 5.0", (t) => {
	t.true(isAtLeast([5, 10], [5, 4]));
	t.false(isAtLeast([4, 9], [5, 0]));
	t.true(isAtLeast([5, 4], [5, 4]));
});
