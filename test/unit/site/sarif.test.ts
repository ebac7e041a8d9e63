import { Ajv } from "ajv";
import test from "ava";
import { sarifLog } from "../../../src/site/sarif.ts";
import { lintText } from "../../support/site-text.ts";

/** The constraints of the SARIF 2.1.0 schema that concern what we write: required fields, enumerations, forms. */
const ESSENTIALS = {
	type: "object",
	required: ["version", "runs"],
	additionalProperties: false,
	properties: {
		$schema: { type: "string", pattern: "^https://.*sarif-schema-2.1.0.json$" },
		version: { enum: ["2.1.0"] },
		runs: {
			type: "array",
			items: {
				type: "object",
				required: ["tool"],
				additionalProperties: false,
				properties: {
					columnKind: { enum: ["utf16CodeUnits", "unicodeCodePoints"] },
					tool: {
						type: "object",
						required: ["driver"],
						properties: {
							driver: {
								type: "object",
								required: ["name"],
								properties: {
									rules: {
										type: "array",
										uniqueItems: true,
										items: { type: "object", required: ["id"], properties: { id: { type: "string" } } },
									},
								},
							},
						},
					},
					results: {
						type: "array",
						items: {
							type: "object",
							required: ["message"],
							additionalProperties: false,
							properties: {
								ruleId: { type: "string" },
								ruleIndex: { type: "integer", minimum: -1 },
								level: { enum: ["none", "note", "warning", "error"] },
								message: { type: "object", required: ["text"], properties: { text: { type: "string" } } },
								locations: {
									type: "array",
									items: {
										type: "object",
										additionalProperties: false,
										properties: {
											physicalLocation: {
												type: "object",
												properties: {
													artifactLocation: {
														type: "object",
														properties: { uri: { type: "string", pattern: '^[^\\s<>\\\\^`{|}"]*$' } },
													},
													region: {
														type: "object",
														properties: {
															startLine: { type: "integer", minimum: 1 },
															startColumn: { type: "integer", minimum: 1 },
														},
													},
												},
											},
											logicalLocations: { type: "array" },
										},
									},
								},
							},
						},
					},
				},
			},
		},
	},
};
const validate = new Ajv().compile(ESSENTIALS);

test("a finding becomes a result beside its line, with its rule and what to do", (t) => {
	const text =
		"apiVersion: ironic.metal3.io/v1alpha1\nkind: Ironic\nmetadata: {name: metal3}\nspec: {networking: {apiPort: 70000}}\n";
	const log = sarifLog(lintText(text, "./site/ironic.yaml"), "1.2.3");
	t.true(validate(log), JSON.stringify(validate.errors));
	t.deepEqual(log.runs[0].tool.driver, {
		name: "ironstrap",
		semanticVersion: "1.2.3",
		rules: [{ id: "port-out-of-range" }],
	});
	t.deepEqual(log.runs[0].results, [
		{
			ruleId: "port-out-of-range",
			ruleIndex: 0,
			level: "error",
			message: { text: "`networking.apiPort` is not a port (seen: 70000). Fix: give 1 to 65535." },
			locations: [
				{
					physicalLocation: {
						artifactLocation: { uri: "site/ironic.yaml" },
						region: { startLine: 4, startColumn: 30 },
					},
					logicalLocations: [{ fullyQualifiedName: "Ironic default/metal3" }],
				},
			],
		},
	]);
});

test("file names become URIs; no finding, no result", (t) => {
	const uri = (file: string) => {
		const [result] = sarifLog(
			[{ code: "x", severity: "warning", message: "m", where: { file, line: 1, column: 1 } }],
			"1",
		).runs[0].results;
		return result?.locations[0]?.physicalLocation.artifactLocation.uri;
	};
	t.is(uri("/tmp/my site/a#b.yaml"), "file:///tmp/my%20site/a%23b.yaml");
	t.is(uri("<stdin>"), "%3Cstdin%3E");
	t.is(uri("c:/x.yaml"), "c%3A/x.yaml");
	const empty = sarifLog([], "1");
	t.true(validate(empty));
	t.deepEqual(empty.runs[0].results, []);
	const [result] = sarifLog([{ code: "x", severity: "error", message: "m" }], "1").runs[0].results;
	t.deepEqual(result?.locations, []);
});
