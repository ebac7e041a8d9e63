import type { Line } from "../story/product.ts";

export interface Stage {
	readonly name: string;
	readonly seconds: number;
}

/** Measures the named parts of a story and tells about each as it ends. */
export interface Stages {
	readonly list: Stage[];
	/** Runs a part; its time is noted also when it fails. */
	time<T>(name: string, work: () => Promise<T>): Promise<T>;
	add(stage: Stage): void;
}

export function openStages(tell: (stage: Stage) => void): Stages {
	const list: Stage[] = [];
	const add = (stage: Stage) => {
		list.push(stage);
		tell(stage);
	};
	return {
		list,
		add,
		async time(name, work) {
			const started = performance.now();
			try {
				return await work();
			} finally {
				add({ name, seconds: rounded((performance.now() - started) / 1000) });
			}
		},
	};
}

export function rounded(seconds: number): number {
	return Math.round(seconds * 10) / 10;
}

/**
 * The stages inside one `ironstrap up`, from its event lines: the time until the conductor registered, then each
 * step of a host. Call it for each line as it comes.
 */
export function upStages(stages: Stages): (line: Line) => void {
	const started = performance.now();
	return (line) => {
		if (line.type !== "step-finished" || line.skipped === true) return;
		const step = String(line.step);
		if (step === "stack:ready")
			stages.add({ name: "stack up", seconds: rounded((performance.now() - started) / 1000) });
		const host = /^host:(.+):(register|inspect|prepare|provision)$/.exec(step);
		if (host !== null) stages.add({ name: `${host[2]} ${host[1]}`, seconds: rounded(Number(line.seconds)) });
	};
}
