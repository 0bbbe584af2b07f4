// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders are what is tested

import { describe, expect, test } from "vitest";
import { problemsOfAction } from "../../../../src/agent/sidecar/actions/check-action.ts";
import { fillExec } from "../../../../src/agent/sidecar/actions/fill-exec.ts";
import { fillHeader, fillUrl } from "../../../../src/agent/sidecar/actions/fill-http.ts";
import { placeholdersIn } from "../../../../src/agent/sidecar/actions/template.ts";
import type { ActionConfig } from "../../../../src/agent/sidecar/config/config.ts";

const payload = {
  name: "a b",
  shell: "$(id); `id` | rm -rf '*' \"x\"",
  dash: "-rf",
  minus: -5,
  count: 0,
  off: false,
  none: null,
  empty: "",
  list: [1, { deep: "ä" }],
  object: { a: { b: "in" }, "a-b": 1 },
  dot: ".",
  dots: "..",
  path: "../x/y?z#w&v=1%2e",
  nul: "a\0b",
};

test("placeholders are found in a text", () => {
  const found = placeholdersIn(
    "${payload.a.b-c}x${payload}$${payload.no}${HOME}${payloads}$payload.x",
  );
  expect(found).toEqual([
    { text: "${payload.a.b-c}", path: ["a", "b-c"] },
    { text: "${payload}", path: [] },
  ]);
  expect(placeholdersIn("$${payload:-x}")).toEqual([]);
});

test.each([
  "${payload.}",
  "${payload..a}",
  "${payload.a",
  "${payload .a}",
  "${payload:-a}",
  "${payload.a b}",
])("%s is refused, because it only looks like a placeholder", (text) => {
  expect(() => placeholdersIn(`x ${text}`)).toThrow(
    "a placeholder must look like ${payload.field}",
  );
});

describe("placeholders in a command", () => {
  test.each<[string, string[]]>([
    ["${payload.name}", ["a b"]],
    ["--name=${payload.name}!", ["--name=a b!"]],
    ["${payload.shell}", [payload.shell]],
    ["${payload.count}/${payload.off}", ["0/false"]],
    ["${payload.empty}", [""]],
    ["${payload.list}", ['[1,{"deep":"ä"}]']],
    ["${payload.list.1.deep}", ["ä"]],
    ["${payload.object.a-b}", ["1"]],
    ["-${payload.dash}", ["--rf"]],
    ["$${payload.name} ${HOME} $$", ["${payload.name} ${HOME} $$"]],
    ["$${payload:-x}", ["${payload:-x}"]],
    // A word is omitted if its placeholder has no value.
    ["${payload.missing}", []],
    ["--x=${payload.none}", []],
    ["${payload.name}:${payload.missing}", []],
    ["${payload.name.length}", []],
    ["${payload.constructor}", []],
    ["${payload.__proto__.x}", []],
  ])("%s is filled in", (template, words) => {
    expect(commandOf(["run", template])).toEqual(["run", ...words]);
  });

  test.each([
    ["${payload.dash}", 'dash must not begin with "-"'],
    ["${payload.minus}", 'minus must not begin with "-"'],
    ["${payload.empty}${payload.dash}", 'must not begin with "-"'],
    ["--x=${payload.nul}", "contains a NUL character"],
  ])("%s is refused", (template, message) => {
    expect(() => commandOf(["run", template])).toThrow(message);
    expect(() => commandOf(["run", template])).toThrow(
      expect.objectContaining({ code: "PAYLOAD_INVALID" }),
    );
  });

  test("a value may begin with a dash after --, but not before it", () => {
    expect(commandOf(["rm", "--", "${payload.dash}"])).toEqual(["rm", "--", "-rf"]);
    expect(() => commandOf(["rm", "${payload.dash}", "--"])).toThrow("must not begin");
    // A payload value never counts as the end of the options.
    const sly = { command: ["rm", "x${payload.a}", "${payload.b}"], env: {}, passEnv: [] };
    expect(() => fillExec(sly, { a: "--", b: "-rf" })).toThrow("must not begin");
  });

  test.each([
    ["--out ${payload.missing} --force", "missing is required: --out may need it as its value"],
    ["--out ${payload.none}", "none is required: --out may need it as its value"],
    ["${payload.missing} all", "missing is required: all would take its place"],
    ["-- ${payload.name}:${payload.missing} ${payload.name}", "missing is required"],
    ["-- -${payload.missing} all", "missing is required: all would take its place"],
  ])(
    "%s is refused, because another word would take the place of the missing value",
    (words, message) => {
      expect(() => commandOf(["tool", ...words.split(" ")])).toThrow(message);
      expect(() => commandOf(["tool", ...words.split(" ")])).toThrow(
        expect.objectContaining({
          code: "PAYLOAD_INVALID",
          details: { issues: [expect.objectContaining({ path: message.split(" ")[0] })] },
        }),
      );
    },
  );

  test.each([
    ["--limit=${payload.missing} all", ["all"]],
    ["all ${payload.missing} ${payload.none}", ["all"]],
    ["-l -- ${payload.missing}", ["-l", "--"]],
    ["--out ${payload.empty} --force", ["--out", "", "--force"]],
  ])("in %s, a missing value is omitted, either with its option or at the end", (words, rest) => {
    expect(commandOf(["tool", ...words.split(" ")])).toEqual(["tool", ...rest]);
  });

  test("environment variables are filled in too", () => {
    const env = { A: "<${payload.name}>", B: "${payload.missing}", C: "-${payload.dash}", D: "" };
    const filled = fillExec({ command: ["x"], env, passEnv: ["P"], cwd: "c" }, payload);
    expect(filled).toEqual({
      command: ["x"],
      env: { A: "<a b>", C: "--rf", D: "" },
      passEnv: ["P"],
      cwd: "c",
    });
  });
});

describe("placeholders in a URL", () => {
  test.each([
    ["http://h:1/a", "http://h:1/a"],
    ["http://h/${payload.name}/x", "http://h/a%20b/x"],
    ["http://h/${payload.path}", "http://h/..%2Fx%2Fy%3Fz%23w%26v%3D1%252e"],
    ["http://h/v${payload.dot}${payload.dot}/x", "http://h/v../x"],
    [
      "http://h/x?q=${payload.path}&all=1#f",
      "http://h/x?q=..%2Fx%2Fy%3Fz%23w%26v%3D1%252e&all=1#f",
    ],
    ["http://h/x?q=${payload.missing}&all=1", "http://h/x?all=1"],
    ["http://h/x?q=${payload.none}", "http://h/x"],
    ["http://h/x?q=${payload.empty}", "http://h/x?q="],
    ["http://h/x?${payload.name}=1?/", "http://h/x?a%20b=1?/"],
    ["http://h/./../$${payload.name}", "http://h/./../${payload.name}"],
  ])("%s is filled in", (template, url) => {
    expect(fillUrl(template, payload)).toBe(url);
  });

  test.each([
    ["http://h/${payload.dots}/x", "dots must not be"],
    ["http://h/${payload.dot}", "dot must not be"],
    ["http://h/.${payload.dot}", "dot must not be"],
    ["http://h/%2E${payload.dot}", "dot must not be"],
    ["http://h/${payload.empty}/x", "empty is required"],
    ["http://h/x/${payload.missing}", "missing is required"],
    ["http://h/x?q=${payload.nul}", "NUL"],
  ])("%s is refused", (template, message) => {
    expect(() => fillUrl(template, payload)).toThrow(message);
  });
});

test("placeholders in a header are filled in, and unsafe values are refused", () => {
  expect(fillHeader("for ${payload.name}", payload)).toBe("for a b");
  expect(fillHeader("${payload.missing}", payload)).toBeNull();
  for (const text of ["a\r\nhost: b", "\u0001", "日本"]) {
    expect(() => fillHeader("x ${payload.text}", { text })).toThrow("not allowed in a header");
  }
});

describe("an action is checked before it runs", () => {
  const inputSchema = {
    properties: { zone: { type: "string" }, deep: { properties: { a: true } }, any: {} },
  };
  const action = (execute: object, rest: Partial<ActionConfig> = {}) =>
    ({ name: "a", timeoutSeconds: undefined, inputSchema, execute, ...rest }) as ActionConfig;
  const exec = (command: string[], env = {}) => ({ exec: { command, env, passEnv: [] } });
  const http = (url: string, headers = {}) => ({ http: { url, headers } });

  const command = (...words: string[]) => action(exec(["a", ...words]));
  const fields = exec(["a", "${payload.no}", "${payload.deep.b}"], {
    X: "${payload.zone.x}",
    Y: "${payload.y}",
  });
  const headers = { a: "${payload.zone}", b: { env: "${payload.x}" } };

  test.each<[ActionConfig, ...problems: string[]]>([
    [command("${payload.zone}", "${payload.deep.a}", "${payload.any.x}")],
    [
      action(fields),
      "execute.exec.command.1: the inputSchema has no field no",
      "execute.exec.command.2: the inputSchema has no field deep.b",
      "execute.exec.env.Y: the inputSchema has no field y",
    ],
    [command("${payload.}"), "execute.exec.command.1: a placeholder must look like"],
    [
      action(http("http://h/${payload.zone}"), { inputSchema: undefined }),
      "execute.http.url: the action has no inputSchema",
    ],
    [action(http("http://h/${payload.x}"), { inputSchema: { $ref: "#/x" } })],
    [
      action(exec(["a"]), { prepare: http("http://h/", headers) }),
      "prepare.http.headers.a: prepare has no payload",
    ],
    [action(exec(["${payload.zone}"])), "execute.exec.command.0: the program itself"],
    [
      action(exec(["sh", "-ce", "echo ${payload.zone}"])),
      "execute.exec.command.2: sh could run a value as code",
    ],
    [action(exec(["sh", "-c", 'echo "$1"', "--", "${payload.zone}"]))],
    [action(http("http://${payload.zone}.h/")), "execute.http.url: the host and the port"],
    [action(http("http://${payload.zone}@h/")), "execute.http.url: the host and the port"],
  ])("%j", (config, ...problems) => {
    const found = problemsOfAction(config).map(
      ({ path, message }) => `${path.join(".")}: ${message}`,
    );
    expect(found).toEqual(problems.map((problem) => expect.stringContaining(problem)));
  });
});

describe("a field that an action needs must be required", () => {
  const inputSchema = {
    required: ["given", "deep"],
    properties: {
      given: {},
      maybe: {},
      deep: { required: ["given"], properties: { given: {}, maybe: {} } },
      open: { type: "object" },
    },
  };

  test.each<[string, string | null]>([
    ["--out ${payload.given} --force", null],
    ["--out ${payload.deep.given} --force", null],
    ["--out=${payload.maybe} --force", null],
    ["${payload.given} ${payload.maybe} ${payload.deep.maybe}", null],
    ["-l -- ${payload.maybe}", null],
    ["--whole ${payload} --force", null],
    ["--out ${payload.maybe} --force", "maybe must be required in the inputSchema: --out may"],
    ["-l ${payload.maybe}", "maybe must be required in the inputSchema: -l may need it"],
    ["${payload.maybe} ${payload.given}", "maybe must be required"],
    ["-- ${payload.given}-${payload.deep.maybe} all", "deep.maybe must be required"],
    ["${payload.open.x} all", "open.x must be required"],
  ])("%s", (words, message) => {
    const exec = { command: ["tool", ...words.split(" ")], env: {}, passEnv: [] };
    const action = { name: "a", timeoutSeconds: undefined, inputSchema, execute: { exec } };
    const found = problemsOfAction(action as ActionConfig).map((problem) => problem.message);
    expect(found).toEqual(message === null ? [] : [expect.stringContaining(message)]);
  });
});

function commandOf(command: string[]): string[] {
  return fillExec({ command, env: {}, passEnv: [] }, payload).command;
}
