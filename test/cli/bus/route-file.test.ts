// Tests the parser for routes in files, which reports problems with their lines.

import { expect, test } from "vitest";
import { routeKind } from "../../../src/cli/commands/bus/route-kind.ts";
import { parseRule } from "../../../src/cli/rules/rule-file.ts";
import { AppError } from "../../../src/domain/errors.ts";

const parseRoute = (text: string) => parseRule(routeKind, text);

const yaml = `# a comment
name: louder
match:
  type: log.*
  data:
    /disk: full
target: { serviceCode: log-collector, action: set-level }
payload:
  level: { const: debug } # another
`;

const rule = {
  name: "louder",
  match: { type: "log.*", data: { "/disk": "full" } },
  target: { serviceCode: "log-collector", action: "set-level" },
  payload: { level: { const: "debug" } },
};

test("YAML and JSON give the same route, and comments are not kept", () => {
  expect(parseRoute(yaml)).toMatchObject({ rule, version: undefined });
  expect(parseRoute(JSON.stringify(rule))).toMatchObject({ rule });
  expect(parseRoute(JSON.stringify(rule, null, "\t"))).toMatchObject({ rule });
  expect(parseRoute(`\uFEFF${yaml.replaceAll("\n", "\r\n")}`)).toMatchObject({ rule });
});

test("read-only fields in the output of `routes get` are left out, and the version is read", () => {
  const readOnly = { id: "brt_1", version: 3, createdAt: "x", updatedAt: "x", warnings: [] };
  const printed = parseRoute(JSON.stringify({ ...rule, ...readOnly }));
  expect(printed.version).toBe(3);
  expect(printed.rule).toEqual(rule);
});

const notRoute = /must contain a route/;

test.each<[what: string, text: string, problems: [line: number | undefined, RegExp][]]>([
  ["text that is not YAML", "name: x\n  a: b\n", [[1, /nested mappings/]]],
  ["a repeated key", "name: x\nstate: y\nname: z\n", [[3, /^the key name .* first in line 1$/]]],
  ["text with two documents", "name: x\n---\nname: y\n", [[2, /^a second document begins here/]]],
  ["truncated JSON", '{ "name": "x",\n "match": {', [[2, /must .* end with a }$/]]],
  ["a list", "# \n- name: x\n", [[2, notRoute]]],
  ["a word", "route\n", [[1, notRoute]]],
  ["an empty file", "# nothing\n", [[undefined, notRoute]]],
  ["an alias without an anchor", "name: *x\n", [[1, /^there is no anchor &x/]]],
  [
    "text with unknown fields",
    "name: x\nmach:\n  type: a\ntarget:\n  service: x\n  action: y\nzzzzzzzzz: 1\n",
    [
      [2, /^there is no field mach; did you mean match\?$/],
      [5, /^there is no field service; did you mean serviceCode\?$/],
      [7, /^there is no field zzzzzzzzz; known fields: name, /],
    ],
  ],
])("%s is refused", (_what, text, wanted) => {
  const problems = wanted.map(([line, says]) =>
    expect.objectContaining({ line, message: expect.stringMatching(says) }),
  );
  expect(() => parseRoute(text)).toThrow(expect.objectContaining({ problems }));
});

test("the payload and the data conditions may have any field", () => {
  const text = "payload: { match: /data, x: /data }\nmatch: { data: { /mach: 1 } }\n";
  expect(parseRoute(text).rule).toMatchObject({ payload: { match: "/data", x: "/data" } });
});

test("the server's problems get the line of the field, or of the nearest field around it", () => {
  const file = parseRoute(yaml);
  const issues = [
    { path: "match.type", message: "a" },
    { path: "route.match.data", message: "b" },
    { path: "payload.level", message: "c" },
    { path: "payload.lines", message: "d" },
    { path: "target.action.0", message: "e" },
    { path: "description", message: "f" },
    { path: "", message: "g" },
  ];
  const invalid = new AppError("VALIDATION_FAILED", "x", { details: { issues } });
  expect(file.problemsIn(invalid)).toEqual([
    { line: undefined, message: "description: f" },
    { line: undefined, message: "g" },
    { line: 4, message: "match.type: a" },
    { line: 5, message: "match.data: b" },
    { line: 7, message: "target.action.0: e" },
    { line: 8, message: "payload.lines: d" },
    { line: 9, message: "payload.level: c" },
  ]);
  expect(file.problemsIn(new AppError("FORBIDDEN", "x"))).toBeUndefined();
  expect(file.problemsIn(new AppError("VALIDATION_FAILED", "x"))).toBeUndefined();
  expect(file.problemsIn(new Error("x"))).toBeUndefined();
});
