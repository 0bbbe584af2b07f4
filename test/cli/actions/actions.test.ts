// `actions run`: the payload, the confirmation and the wait.

import { describe, expect } from "vitest";
import { perFile } from "../../helpers/lifetime.ts";
import { failing, fileWith, openWorld, type Ran, test } from "../world.ts";

const setLevel = ["actions", "run", "log-collector", "set-level"];
const snore = ["actions", "run", "sleeper", "snore", "--payload", "{}"];

describe("the payload", () => {
  type Payload = [what: string, words: string, is: object, undeclared?: string[], stdin?: string];
  const payloads: Payload[] = [
    ["what the agent prepared, and --set", "--set lines=3", { level: "info", lines: 3 }],
    [
      "--set as text if the schema declares text, otherwise as JSON",
      "--set level=10 --set other=10 --set on=true --set t=a=b",
      { level: "10", other: 10, on: true, t: "a=b" },
      ["other", "on", "t"],
    ],
    [
      "--set inside objects",
      '--set a.b=1 --set a.c=[2] --set d={"e":null}',
      { level: "info", a: { b: 1, c: [2] }, d: { e: null } },
      ["a", "d"],
    ],
    ["--set on items of a list", '--payload {"l":[1,2]} --set l.1=3 --set l.2=4', { l: [1, 3, 4] }],
    ["--payload @file", "--payload @file", { level: "error" }],
    ["standard input", "--payload -", { level: "debug" }, [], '{"level":"debug"}'],
  ];

  const working = perFile(() => openWorld());

  test.each(payloads)("is %s", async (_what, words, is, undeclared = [], stdin = "") => {
    const stderr = undeclared.map((name) => {
      const message = `warning: set-level declares no field ${name}; it is sent anyway.`;
      return `${JSON.stringify({ note: { code: "FIELD_NOT_DECLARED", message } })}\n`;
    });
    const given = words.replace("@file", `@${fileWith('{ "level": "error" }\n')}`).split(" ");
    const ran = await working().run("--server", [...setLevel, ...given, "-o", "json"], { stdin });
    expect(unnamed(ran)).toMatchObject({ status: 0, stderr: stderr.join("") });
    const result = { output: { did: "set-level", payload: is } };
    expect(JSON.parse(ran.stdout)).toMatchObject({ status: "SUCCEEDED", payload: is, result });
  });

  const shared = perFile(() => openWorld());

  test.for([
    { words: "--payload {level}", says: /--payload is not JSON: / },
    { words: "--payload [1]", says: /--payload must be a JSON object, such as/ },
    { words: "--payload @/nowhere/x", says: /--payload: \/nowhere\/x cannot be read: / },
    { words: "--set level", says: /--set must be key=value, not level/ },
    { words: "--set __proto__.x=1", says: /--set cannot name __proto__/ },
    { words: "--set lines=9007199254740993", says: /--set lines: the number is too large: / },
    {
      words: '--payload {"a":[9007199254740993]}',
      says: /--payload: the number at \/a\/0 is too large: whole numbers above 9007199254740991/,
    },
    { words: "--set lines=few", says: /--set lines: .*Expected: whole number\./ },
    { words: "--set many=[1] --set many.2=1", says: /--set many has length 1: the next item is/ },
    { words: "--wait --detach", says: /give --wait or --detach, not both/ },
    { words: "--detach -o output", says: /give -o output or --detach, not both/ },
  ])("is refused if given as $words", async ({ words, says }) => {
    expect(await shared().run("--server", [...setLevel, ...words.split(" ")])).toMatchObject(
      failing(2, says),
    );
    expect(await shared().executions()).toEqual([]);
  });
});

describe("without a terminal", () => {
  const required = {
    type: "object",
    required: ["file", "keep"],
    properties: { file: { enum: ["app.log", "db.log"] }, keep: { type: "integer", minimum: 1 } },
  };
  const open = (output: object) => openWorld({ prepared: { success: true, output } });

  test("missing values are listed in an error, and nothing runs", async () => {
    const world = await open({ inputSchema: required, initialPayload: {} });
    const ran = await world.run("--server", setLevel);
    expect(ran).toEqual({
      status: 2,
      stdout: "",
      stderr:
        "platformctl: the action needs 2 values, and there is no terminal to prompt on. Provide:\n" +
        "  --set file=… (one of app.log, db.log)\n" +
        "  --set keep=… (whole number, at least 1)\n",
    });
    const json = await world.run("--server", [...setLevel, "--set", "keep=2", "-o", "json"]);
    expect(JSON.parse(json.stderr).error).toMatchObject({
      code: "PAYLOAD_INVALID",
      details: { issues: [{ path: "file", message: "required: one of app.log, db.log" }] },
    });
    expect(await world.executions()).toEqual([]);
    const all = [...setLevel, "--set", "keep=2", "--set", "file=db.log"];
    expect(unnamed(await world.run("--server", all))).toMatchObject({ status: 0, stderr: "" });
  });

  test("a note lists required values that were only prepared, unless --defaults is given", async () => {
    const properties = {
      file: { type: "string" },
      keep: { type: "integer" },
      pin: { type: "string", writeOnly: true },
      where: { type: "object", required: ["host"], properties: { host: { type: "string" } } },
      tags: { type: "array", items: { type: "string" } },
      note: { type: "string" },
    };
    const inputSchema = {
      type: "object",
      required: ["file", "keep", "pin", "tags"],
      properties,
    };
    const initialPayload = {
      ...{ file: "app.log", keep: 3, pin: "4711", where: { host: "edge" } },
      ...{ tags: ["a"], note: "" },
    };
    const world = await open({ inputSchema, initialPayload });
    const words = [...setLevel, "--set", "keep=2", "--set", "tags.0=b"];
    expect(unnamed(await world.run("--server", words))).toMatchObject({
      status: 0,
      stderr:
        "file: app.log, as prepared\n" +
        "pin: ********, as prepared\n" +
        "where.host: edge, as prepared\n",
    });
    const quiet = await world.run("--server", [...words, "--defaults"]);
    expect(unnamed(quiet)).toMatchObject({ status: 0, stderr: "" });
    const refused = await world.run("--server", [...words, "--set", "note=3", "--set", "keep=few"]);
    expect(refused).toMatchObject({ status: 2, stdout: "" });
    expect(refused.stderr).not.toContain("as prepared");
  });

  test("the payload is validated before it is sent", async () => {
    const inputSchema = { ...required, dependentRequired: { keep: ["why"] } };
    const world = await open({ inputSchema, initialPayload: { file: "app.log", keep: 1 } });
    expect(await world.run("--server", setLevel)).toMatchObject(
      failing(2, "needs why, because keep is given"),
    );
  });

  test("--queue uses the defaults that the agent declared", async ({ world }) => {
    const set = ["--set", "lines=3", "--set", "level=10", "--reason", "drill"];
    const words = [...setLevel, "--queue", ...set, "-o", "json"];
    const { status, stdout } = await world.run("--server", words);
    expect(status).toBe(0);
    const { payload, reason } = JSON.parse(stdout);
    expect({ payload, reason }).toEqual({ payload: { lines: 3, level: "10" }, reason: "drill" });
  });
});

test("--timeout exits with 8 and names the next step, and the command continues", async () => {
  const world = await openWorld({ passingTime: true });
  const started = performance.now();
  const ran = await world.run("--server", [...snore, "--timeout", "1s", "-o", "json"]);
  expect(performance.now() - started).toBeGreaterThan(900);
  const { id, status } = JSON.parse(ran.stdout);
  expect({ status, ended: ran.status }).toEqual({ status: "PENDING", ended: 8 });
  const message = `Still PENDING after 1s. To continue waiting: platformctl commands wait ${id}`;
  const lines = [
    { command: { id, action: "snore", serviceCode: "sleeper" } },
    { note: { code: "WAIT_TIMED_OUT", message } },
  ];
  expect(ran.stderr).toBe(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const again = await world.run("--server", ["commands", "wait", id, "--timeout", "0s"]);
  expect(again.status).toBe(8);
});

/** Removes the line that names the command. */
function unnamed(ran: Ran): Ran {
  const line = /^(\S+ on \S+: cmd_\w{26}|\{"command":.*\})\n/m;
  expect(ran.stderr).toMatch(line);
  return { ...ran, stderr: ran.stderr.replace(line, "") };
}
