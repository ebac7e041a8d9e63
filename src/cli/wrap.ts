/** Breaks lines at blanks so that none is longer than `width`, unless a single word is. Pure. */
export function wrap(text: string, width: number): string {
	return text
		.split("\n")
		.map((paragraph) => {
			if (paragraph.length <= width) return paragraph; // with its columns, if it has any
			const indent = /^ */.exec(paragraph)?.[0] ?? "";
			const lines: string[] = [];
			let line = "";
			for (const word of paragraph.trim().split(/ +/)) {
				if (line !== "" && indent.length + line.length + 1 + word.length > width) {
					lines.push(indent + line);
					line = word;
				} else line = line === "" ? word : `${line} ${word}`;
			}
			return [...lines, indent + line].join("\n");
		})
		.join("\n");
}
