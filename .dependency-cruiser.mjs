// Which folder may import which: the house of docs/architecture.md as rules. Run by tools/imports.mjs, tested in test/tools.

const pure = ["resources", "site", "stack", "converge", "systemd", "fence", "pki"];
const adapters = ["engine", "images", "ironic", "bmc", "linux", "kube", "fetch", "assets", "backup"];
const shared = ["steps", "checks", "state"];
const useCases = ["init", "lifecycle", "hosts", "pivot", "gather"];
const belowUseCases = [...shared, ...adapters, ...pure, "lib"];

/** For each folder of src/, the other folders of src/ that it may import. Top-down. */
const house = {
	cli: [...useCases, ...belowUseCases],

	init: belowUseCases,
	lifecycle: ["hosts", ...belowUseCases],
	hosts: belowUseCases,
	pivot: belowUseCases,
	gather: belowUseCases,

	steps: belowUseCases,
	checks: belowUseCases,
	state: belowUseCases,

	// the engine does what convergence decided: it takes its actions and the Compose project, which are pure
	engine: ["converge", "stack", "resources", "lib"],
	images: ["assets", "resources", "lib"],
	ironic: ["resources", "lib"],
	bmc: ["resources", "lib"],
	linux: ["resources", "lib"],
	kube: ["resources", "lib"],
	fetch: ["resources", "lib"],
	backup: ["resources", "lib"],
	assets: ["resources", "lib"],

	site: [...pure, "lib"],
	stack: [...pure, "lib"],
	converge: [...pure, "lib"],
	systemd: [...pure, "lib"],
	fence: [...pure, "lib"],
	pki: [...pure, "lib"],
	resources: ["lib"],

	lib: [],
};

/** For each library, the only folders of src/ that may import it. */
const homes = {
	"age-encryption": ["backup"],
	bcryptjs: ["pki"],
	commander: ["cli"],
	dockerode: ["engine"],
	execa: ["linux", "images"],
	"iconv-lite": ["site"],
	inquirer: ["cli"],
	"log-update": ["cli"],
	"node-forge": ["pki"],
	undici: ["ironic", "bmc", "fetch", "kube"],
	yaml: ["resources", "site", "stack", "pivot", "hosts", "state", "images", "lifecycle", "init", "kube"],
	zod: ["resources", "site", "images", "init"],
};

/** Everything of Node that reaches the disk, the network, another process, a clock or a person. */
const effects =
	"child_process|cluster|dgram|dns|fs|http|http2|https|inspector|net|os|perf_hooks|process|readline|repl|timers|tls|tty|worker_threads";

const anyOf = (names) => `(?:${names.join("|")})`;
const folders = anyOf(Object.keys(house));

const layers = Object.entries(house).map(([folder, allowed]) => ({
	name: `layer-${folder}`,
	comment:
		allowed.length === 0
			? `src/${folder} imports no other folder`
			: `src/${folder} may import only ${allowed.join(", ")}`,
	severity: "error",
	from: { path: `^src/${folder}/` },
	to: { path: "^src/", pathNot: `^src/${anyOf([folder, ...allowed])}/` },
}));

const libraries = Object.entries(homes).map(([library, folders]) => ({
	name: `library-${library.replace("@kubernetes/", "kubernetes-")}`,
	comment: `within src, ${library} is used by ${folders.join(", ")} alone`,
	severity: "error",
	from: { path: "^src/", pathNot: `^src/${anyOf(folders)}/` },
	to: { path: `(?:^|/)node_modules/(?:@types/)?${library}/` },
}));

export default {
	forbidden: [
		...layers,
		...libraries,
		{
			name: "unknown-folder",
			comment:
				"every file of src lies in a folder of the house; a new folder gets its line in this file first",
			severity: "error",
			from: { path: "^src/", pathNot: `^src/${folders}/` },
			to: {},
		},
		{
			name: "pure",
			comment: "pure folders touch no disk, network, process or clock: same input, same output",
			severity: "error",
			from: { path: `^src/${anyOf(pure)}/`, pathNot: "^src/site/load\\.ts$" },
			to: { path: `^(?:node:)?(?:${effects})(?:/|$)`, dependencyTypes: ["core"] },
		},
		{
			name: "one-command-one-folder",
			comment: "a command imports the shared files of src/cli and src/cli/render, never another command",
			severity: "error",
			from: { path: "^src/cli/([^/]+)/" },
			to: { path: "^src/cli/[^/]+/", pathNot: "^src/cli/(?:$1|render)/" },
		},
		{
			name: "not-to-cli",
			comment: "nothing imports src/cli: it is the outermost layer",
			severity: "error",
			from: { pathNot: "^(?:src/cli|test)/" },
			to: { path: "^src/cli/" },
		},
		{
			name: "src-stands-alone",
			comment: "the product knows nothing of its laboratory, tests and tools",
			severity: "error",
			from: { path: "^src/" },
			to: { path: "^(?:lab|test|bench|tools)/" },
		},
		{
			name: "lab-drives-the-command",
			comment: "lab imports only src/lib and src/resources; it drives the product by its command",
			severity: "error",
			from: { path: "^lab/" },
			to: { path: "^(?:src|test|bench|tools)/", pathNot: "^src/(?:lib|resources)/" },
		},
		{
			name: "checker-is-independent",
			comment: "what judges the product shares no code with it",
			severity: "error",
			from: { path: "^lab/checker/" },
			to: { path: "^src/" },
		},
		{
			name: "checker-is-independent-indirectly",
			comment: "what judges the product shares no code with it, through other files of lab neither",
			severity: "error",
			from: { path: "^lab/checker/" },
			to: { path: "^src/(?!lib/)", reachable: true },
		},
		{
			name: "no-cycles",
			comment: "no file imports itself through others, for types neither",
			severity: "error",
			from: {},
			to: { circular: true },
		},
		{
			name: "no-development-packages",
			comment: "src runs with `dependencies` alone",
			severity: "error",
			from: { path: "^src/" },
			to: { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"], pathNot: "node_modules/@types/" },
		},
		{
			name: "resolvable",
			comment: "an import that cannot be followed cannot be checked",
			severity: "error",
			from: {},
			to: { couldNotResolve: true },
		},
	],
	options: {
		tsConfig: { fileName: "tsconfig.json" },
		// Imports of types count: they are knowledge of the other folder all the same.
		tsPreCompilationDeps: true,
		doNotFollow: { path: "node_modules" },
		enhancedResolveOptions: {
			exportsFields: ["exports"],
			conditionNames: ["import", "node", "default"],
		},
	},
};
