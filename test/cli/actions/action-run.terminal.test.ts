// `actions run` at a terminal, apart from the form.

import { describe, expect, vi } from "vitest";
import type { Io } from "../../../src/cli/terminal/io.ts";
import type { JsonObject } from "../../../src/domain/payload/json.ts";
import { until } from "../../helpers/process/process.ts";
import { keys, openTerminal } from "../../helpers/process/terminal.ts";
import { fetchCommand } from "../commands/running.ts";
import { following } from "../following.ts";
import { failing, openWorld, test, type World } from "../world.ts";

const rotate = ["actions", "run", "log-collector", "rotate-log", "--set", "file=app.log"];
const snore = ["actions", "run", "sleeper", "snore", "--payload", "{}"];
const question = /\? Run rotate-log \(HIGH\) on log-collector of edge-1\? \(y\/N\)/;
const { enter, ctrlC } = keys;

/** For command lines that ask nothing, and therefore run in this process. */
const atTerminal = { interactive: true, isTerminal: true };

const file = { type: "object", required: ["file"], properties: { file: { type: "string" } } };
const prepared = {
  success: true,
  output: { inputSchema: file, initialPayload: {}, currentState: { files: 2 } },
};

test("a HIGH action shows the state and the payload, and runs only if the answer is yes", async () => {
  const world = await openWorld({ prepared });
  const terminal = openTerminal([...rotate, "--db", world.db]);
  await terminal.shows(/current state\n {2}files {2}2\n\n+payload\n {2}file: app.log\n/);
  await terminal.answer(question, enter);
  expect(await terminal.ended).toBe(5);
  expect(terminal.text()).toMatch(/not confirmed; nothing was done\./);
  expect(await world.executions()).toEqual([]);
});

test("if standard input is the payload, only --yes confirms", async ({ world }) => {
  const words = [...rotate.slice(0, 4), "--payload", "-"];
  const readStdin = vi.fn(async () => "{}");
  const ran = await world.run("--server", words, { io: { ...atTerminal, readStdin } });
  const says = "Add --yes to confirm: standard input is used for other input.";
  expect(ran).toMatchObject(failing(5, says));
  expect(readStdin).not.toHaveBeenCalled();
});

test("a payload typed at the terminal does not hide the line of the wait", async ({ world }) => {
  const words = [...snore.slice(0, 4), "--payload", "-", "--timeout=0s"];
  const lines: string[] = [];
  const showLine = (text: string) => void lines.push(text);
  const io = { ...atTerminal, showLine };
  const ran = await world.run("--server", words, { stdin: "{}", io });
  expect(ran.status).toBe(8);
  expect(lines).toContainEqual(expect.stringContaining("waiting (waited 0s of 0s)"));
});

test("Ctrl-C while a payload is typed cancels the command line", async ({ world }) => {
  const set = ["actions", "run", "log-collector", "set-level", "--payload", "-", "--debug"];
  const env = { PLATFORM_API_KEY: world.key };
  const terminal = openTerminal([...set, "--server", world.url], { columns: 300, env });
  await terminal.answer(/capsule-services\/log-collector 200/, '{"level":\r');
  await terminal.answer('\n{"level":', ctrlC);
  expect(await terminal.ended).toBe(130);
  expect(terminal.text()).toMatch(/platformctl: interrupted$/);
  expect(await world.executions()).toEqual([]);
});

test("Ctrl-C ends the wait, but does not stop the command, whose id the error has", async ({
  world,
}) => {
  const run = following(world, "--server", [...snore, "-o", "json"]);
  await until("the command is there", () => run.notes().includes("cmd_"));
  expect(await run.stop()).toBe(130);
  const [command] = await world.executions();
  expect(command?.status).toBe("PENDING");
  const printed = run.notes().trimEnd().split("\n");
  const details = { commandId: command?.id };
  expect(printed.map((line) => JSON.parse(line))).toMatchObject([
    { command: { id: command?.id } },
    { error: { code: "INTERRUPTED", details } },
  ]);
});

test("the wait shows each state on one line and clears it afterwards, even at 40 columns", async () => {
  // The clock stands still in the past, so the agent was last seen long ago.
  const world = await openWorld({ fixedTime: true });
  const words = ["actions", "run", "lazy", "nap", "--payload", "{}", "--queue", "--db", world.db];
  const lazy = await world.registerAgent("edge-3", [
    {
      code: "lazy",
      name: "Lazy",
      version: "1.0.0",
      healthStatus: "UP",
      actions: [{ name: "nap" }],
    },
  ]);
  const terminal = openTerminal(words, { columns: 40 });
  await terminal.shows(/^nap on lazy:\s+cmd_[\w\n]+\n\S PENDING: edge.*… \(waited \d+s of 60s\)$/);
  const { commands } = await lazy.client.call("agent.poll", { query: { wait: 0 } });
  await terminal.shows(/\n\S RUNNING: edge.*… \(waited \d+s of 60s\)$/);
  const commandId = commands[0]?.id ?? "";
  await lazy.client.call("agent.result", { params: { commandId }, body: { success: true } });
  expect(await terminal.ended).toBe(0);
  expect(terminal.text()).toMatch(/\nid +cmd_[\w\n]+status +SUCCEEDED\n/);
  expect(terminal.text()).not.toContain("RUNNING");
});

test("a failed prepare prints the agent's error with advice", async () => {
  const error = { code: "COLLECTOR_DOWN", message: "the collector does not \u001b[31manswer" };
  const world = await openWorld({ prepared: { success: false, error } });
  const says =
    /^platformctl: The agent could not prepare the action: the collector does not \\u001b\[31manswer \(COLLECTOR_DOWN\)\. See platformctl commands get cmd_\w+; to run the action without preparing it, use --payload\.\n$/;
  expect(await world.run("--server", rotate, { io: atTerminal })).toEqual(failing(1, says));
});

test("a generated key is shown once with a note, and redacted later", async () => {
  const output = { generatedKey: "k-12345", user: "ann" };
  const world = await openWorld({ prepared, executed: { success: true, output } });
  const words = [...rotate, "--yes"];
  const ran = await world.run("--server", words);
  expect(ran.stdout).toMatch(/output\n {2}generatedKey {2}k-12345\n {2}user +ann\n/);
  expect(ran.stderr).toMatch(/^rotate-log on log-collector: cmd_\w+\n/);
  expect(ran.stderr).toContain("\n\nKeep the generatedKey now: it is shown only once.\n");
  const [command] = await world.executions();
  const again = await world.run("--server", ["commands", "get", command?.id ?? ""]);
  expect(again.stdout).toContain("generatedKey  [REDACTED]");
  expect(again.stderr).toBe("");
});

const controlCharacters = "\u001b]0;gone\u0007\u001b[2J\u009b31m\r\u202e";
const named = (count: number, field: JsonObject) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, field]));

const of = (properties: JsonObject, more: JsonObject = {}) => ({
  type: "object",
  properties,
  ...more,
});
const text = { type: "string" };
const thousand = named(1000, text);

type Harm = [what: string, schema: JsonObject, words: string[], status: number, says: RegExp];

const harms: Harm[] = [
  ["a thousand fields", of(thousand), [], 0, /There are too many fields to ask for\. The prepared/],
  [
    "a thousand required fields",
    of(thousand, { required: Object.keys(thousand) }),
    [],
    2,
    /the action needs 400 values, and there is no terminal to prompt on\. Provide:\n {2}--set f0=… \(text\)(.|\n)*and 390 more/,
  ],
  [
    "a pattern that takes forever to match",
    of({ a: { ...text, pattern: "^(a+)+$" } }, { required: ["a"] }),
    ["--set", `a=${"a".repeat(40)}!`],
    2,
    /checking it against the action's schema takes too long/,
  ],
  [
    "a schema that nothing can match",
    { required: 5, properties: { a: text } },
    [],
    2,
    /the action's schema cannot be used/,
  ],
];

test.each(harms)(
  "a harmful schema does no harm: %s",
  async (_what, inputSchema, words, status, says) => {
    const output = { inputSchema, initialPayload: {} };
    const world = await openWorld({
      prepared: { success: true, output },
      executed: { success: true },
    });
    const run = ["actions", "run", "log-collector", "set-level", ...words];
    const ran = await world.run("--server", run, { io: { ...atTerminal, width: 120 } });
    expect(ran.status).toBe(status);
    expect(ran.stderr).toMatch(says);
  },
);

test("control characters are printed as escapes", async () => {
  const text = `bad${controlCharacters}`;
  const field = { title: text, description: text };
  const inputSchema = {
    type: "object",
    properties: {
      [text]: { ...field, enum: [text, "good"] },
      typed: { ...field, type: "string", pattern: "^bad|\u001b\\[2J\u009b" },
      some: { ...field, type: "array", items: { enum: [text] } },
      made: { ...field, type: "object", properties: { [text]: {} } },
    },
  };
  const output = {
    inputSchema,
    initialPayload: { [text]: text, typed: text, some: [text] },
    currentState: { [text]: text, rows: [{ [text]: text }] },
  };
  const world = await openWorld({
    prepared: { success: true, output },
    executed: {
      success: true,
      output: { [text]: text, list: [{ [text]: text }], long: `${text}\n` },
    },
  });
  const words = ["actions", "run", "log-collector", "rotate-log", "--db", world.db];
  const terminal = openTerminal(words, { columns: 200, rows: 60 });
  const mark = "bad\\u001b]0;gone\\u0007\\u001b[2J\\u009b31m\\r\\u202e";
  for (const shows of [`❯ ${mark}`, /\? typed \(/, /\? some \(/, /Fill in made/]) {
    await terminal.answer(shows, enter);
  }
  await terminal.answer(question, `y${enter}`);
  expect(await terminal.ended).toBe(0);
  expect(terminal.text()).toContain(mark);
  for (const one of ["\u001b]0;", "\u001b[2J", "\u009b", "\u202e", "\u0007"]) {
    expect(terminal.raw()).not.toContain(one);
  }
});

describe("output while the command runs", () => {
  /**
   * Runs `snore` without the line that shows the state. Returns the calls of the service's agent.
   */
  async function openSnoring(world: World, flags: string[] = [], more: Partial<Io> = {}) {
    let printed = "";
    const print = (text: string) => {
      printed += text;
    };
    const io = {
      ...atTerminal,
      ...more,
      out: print,
      note: print,
      outBytes: async (bytes: Uint8Array) => print(Buffer.from(bytes).toString()),
    };
    const ran = world.run("--server", [...snore, ...flags], { io });
    await until("the command is there", async () => (await world.executions()).length > 0);
    const agent = await fetchCommand(world);
    return {
      ...agent,
      text: () => printed.trimEnd(),
      async end(body: object) {
        await agent.end(body);
        return (await ran).status;
      },
    };
  }

  const ended = (status: string, id: string) =>
    expect.stringMatching(new RegExp(`^${status} in [\\d.]+m?s: ${id}$`));

  test("complete lines are shown at once, and the result does not repeat them", async ({
    world,
  }) => {
    const { text, id, send, end } = await openSnoring(world);
    await send("first\nsec");
    await until("the first line is shown", () => text().endsWith("first"));
    await send("ond\u001b[2J\nhalf");
    await until("the second line is shown", () => text().endsWith("second"));
    expect(await end({ success: true, output: "first\nsecond\nhalf" })).toBe(0);
    expect(text().split("\n")).toEqual([
      `snore on sleeper: ${id}`,
      ...["first", "second", "half"],
      ended("SUCCEEDED", id),
    ]);
  });

  test("a line that is wider than the terminal is not broken", async ({ world }) => {
    const { text, send, end } = await openSnoring(world, [], { noteWidth: 30 });
    const line = "https://id.example/login?code=0123456789 is valid for 10 minutes";
    await send(`${line}\n`);
    expect(await end({ success: true, output: line })).toBe(0);
    expect(text().split("\n")).toContain(line);
  });

  test("what the output has not told is shown: a structured result", async ({ world }) => {
    const { text, id, send, end } = await openSnoring(world);
    await send("working\n");
    expect(await end({ success: true, output: { bytes: 911 } })).toBe(0);
    expect(text().split("\n")).toEqual([
      `snore on sleeper: ${id}`,
      ...["working", "", "output", "  bytes  911", ""],
      ended("SUCCEEDED", id),
    ]);
  });

  test("-o wide shows the whole command, and does not repeat the output", async ({ world }) => {
    const { text, send, end } = await openSnoring(world, ["-o", "wide"]);
    await send("first\n");
    expect(await end({ success: true, output: "first" })).toBe(0);
    expect(text()).toMatch(/\nfirst\nid +cmd_.*\nif state +-$/s);
  });
});
