// The form of `actions run` at a terminal, with valid and invalid values of each kind.

import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/domain/payload/json.ts";
import { until } from "../../helpers/process/process.ts";
import {
  keys,
  openTerminal,
  type Terminal,
  type TerminalOptions,
} from "../../helpers/process/terminal.ts";
import { failing, openWorld, type World } from "../world.ts";

const run = ["actions", "run", "log-collector"];
const setLevel = [...run, "set-level"];

interface Prepared {
  inputSchema: JsonObject;
  initialPayload?: JsonObject;
  currentState?: unknown;
}

function openPrepared(prepared: Prepared): Promise<World> {
  const output = { initialPayload: {}, ...prepared };
  return openWorld({ prepared: { success: true, output }, executed: { success: true } });
}

async function openForm(prepared: Prepared, words: string[] = [], options: TerminalOptions = {}) {
  const world = await openPrepared(prepared);
  return { world, terminal: openTerminal([...setLevel, "--db", world.db, ...words], options) };
}

/** For commands in this process, whose forms end before the first question. */
const io = { interactive: true, isTerminal: true, width: 100 };

async function payloads(world: World): Promise<JsonObject[]> {
  const owner = world.as("owner");
  const { data } = await owner.page("commands.list", { query: { type: "ACTION_EXECUTE" } });
  const details = data.map(({ id }) => owner.call("commands.get", { params: { commandId: id } }));
  return (await Promise.all(details)).map(({ payload }) => payload);
}

const of = (properties: JsonObject, required: string[] = Object.keys(properties)): JsonObject => ({
  type: "object",
  required,
  properties,
});

/** What the screen shows, and the keys that are then typed. `FIELD` means the field's name. */
type Step = [shows: string | RegExp, types: string];

async function play(terminal: Terminal, steps: Step[]): Promise<void> {
  for (const [shows, types] of steps) {
    await terminal.answer(shows, types);
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches escapes
const colour = /\u001b\[(3\d|9\d|1|2)m/;
const { enter, down, space, backspace } = keys;
const erase = (count: number) => backspace.repeat(count);

interface Kind {
  what: string;
  field: JsonObject;
  required?: boolean;
  initial?: JsonObject;
  steps: Step[];
  /** The field's value in the payload, or undefined if the field is omitted. */
  is: unknown;
}

const kinds: Kind[] = [
  {
    what: "text: required, too long, and a pattern",
    field: { type: "string", maxLength: 5, pattern: "^[a-z]+$" },
    steps: [
      [/FIELD \(text, matches \^\[a-z\]\+\$, at most 5 characters\)/, enter],
      [/> This is required\. Expected: text/, `abcdef${enter}`],
      [/> must have at most 5 characters/, `${erase(6)}A1${enter}`],
      [/> must match the pattern \/\^\[a-z\]\+\$\//, `${erase(2)}abc${enter}`],
    ],
    is: "abc",
  },
  {
    what: "prepared text, removed",
    field: { type: "string" },
    required: false,
    initial: { a: "info" },
    steps: [
      [/\(info\)/, backspace],
      [/optional\)\n?$/, enter],
    ],
    is: undefined,
  },
  {
    what: "a whole number with a range",
    field: { type: "integer", minimum: 1, maximum: 10, multipleOf: 2 },
    steps: [
      [/FIELD \(whole number, 1 to 10, a multiple of 2\)/, `few${enter}`],
      [/> few is not a number\. Expected: whole number, 1 to 10/, `${erase(3)}2.5${enter}`],
      [/> must be a whole number/, `${erase(3)}0${enter}`],
      [/> must be at least 1/, `${erase(1)}11${enter}`],
      [/> must be at most 10/, `${erase(2)}5${enter}`],
      [/> must be a multiple of 2/, `${erase(1)}90071992547409930${enter}`],
      [/would be rounded/, `${erase(17)}4${enter}`],
    ],
    is: 4,
  },
  {
    what: "yes or no",
    field: { type: "boolean", title: "Loud" },
    initial: { a: true },
    steps: [
      [/FIELD \(Loud\)\? \(Y\/n\)/, `maybe${enter}`],
      [/must answer with/, `${erase(5)}n${enter}`],
    ],
    is: false,
  },
  {
    what: "an optional yes or no, omitted",
    field: { type: "boolean" },
    required: false,
    steps: [[/❯ \(leave it out\)\n {2}yes\n {2}no/, enter]],
    is: undefined,
  },
  {
    what: "a choice with a prepared value",
    field: { enum: ["debug", "info", 3, null] },
    initial: { a: "info" },
    steps: [[/ {2}debug\n❯ info\n {2}3\n {2}null/, down + enter]],
    is: 3,
  },
  {
    what: "several choices, with a minimum",
    field: { type: "array", items: { enum: ["a", "b", "c"] }, minItems: 2 },
    steps: [
      [/❯◯ a\n ◯ b\n ◯ c/, enter],
      [/> must have at least 2 items/, `${space}${down}${down}${space}${enter}`],
    ],
    is: ["a", "c"],
  },
  {
    what: "a list, one item after another",
    field: {
      type: "array",
      items: { type: "string", minLength: 2 },
      minItems: 1,
      uniqueItems: true,
    },
    steps: [
      [/FIELD\.0 \(text, at least 2 characters\)/, enter],
      [/> This is required/, `ab${enter}`],
      [/FIELD\.1 \(text, at least 2 characters; leave empty to end the list\)/, `x${enter}`],
      [/> must have at least 2 characters/, `${erase(1)}ab${enter}`],
      [/FIELD\.2 /, enter],
      [/> FIELD: must not have the same item twice/, `cd${enter}`],
      [/FIELD\.1 [^\n]*\n?$/, enter],
    ],
    is: ["cd"],
  },
  {
    what: "a prepared list that is kept",
    field: { type: "array", items: { type: "integer" } },
    initial: { a: [1, 2] },
    steps: [[/FIELD \(list of whole numbers\): keep \[1,2\]\? \(Y\/n\)/, enter]],
    is: [1, 2],
  },
  {
    what: "a list of objects",
    field: {
      type: "array",
      items: of({ host: { type: "string" }, port: { type: "integer", maximum: 65535 } }, ["host"]),
    },
    steps: [
      [/Add an item to FIELD\? \(y\/N\)/, `y${enter}`],
      [/FIELD\.0\.host \(text\)/, `one${enter}`],
      [/FIELD\.0\.port \(whole number, at most 65535; optional\)/, `99999${enter}`],
      [/> must be at most 65535/, `${erase(5)}80${enter}`],
      [/Add another item to FIELD\? \(y\/N\)/, `n${enter}`],
    ],
    is: [{ host: "one", port: 80 }],
  },
  {
    what: "an optional object with a default, filled in",
    field: of({ b: { type: "string" }, c: { type: "integer", default: 443 } }),
    required: false,
    steps: [
      [/Fill in FIELD \(optional\)\? \(y\/N\)/, `y${enter}`],
      [/FIELD\.b \(text\)/, `x${enter}`],
      [/FIELD\.c \(whole number\) \(443\)/, enter],
    ],
    is: { b: "x", c: 443 },
  },
  {
    what: "alternatives, as JSON or as text",
    field: { oneOf: [{ type: "integer" }, { type: "string", minLength: 3 }] },
    steps: [
      [/FIELD \(JSON\)/, `{"x"${enter}`],
      [/> This is not JSON: /, `${erase(4)}[1]${enter}`],
      [/> must be a whole number/, `${erase(3)}text${enter}`],
    ],
    is: "text",
  },
  {
    what: "a constant, which is shown but not asked for",
    field: of({ v: { const: "v1" }, b: { type: "string" } }),
    steps: [[/\n {2}FIELD\.v: always v1\n\? FIELD\.b \(text\)/, `x${enter}`]],
    is: { v: "v1", b: "x" },
  },
  {
    what: "or null",
    field: { anyOf: [{ type: "integer" }, { type: "null" }] },
    steps: [[/FIELD \(whole number, or null\)/, enter]],
    is: null,
  },
];

describe("fields", () => {
  test("of every kind are asked for below the current state, even with --yes", async () => {
    const fields = kinds.map((kind, at) => ({ ...kind, name: `field${at}` }));
    const properties = Object.fromEntries(fields.map(({ name, field }) => [name, field]));
    const required = fields.filter((kind) => kind.required ?? true).map(({ name }) => name);
    const initialPayload = Object.fromEntries(
      fields.flatMap(({ name, initial }) => (initial?.a === undefined ? [] : [[name, initial.a]])),
    );
    const inputSchema = of(properties, required);
    const currentState = { level: "info", files: [{ name: "app.log", bytes: 10 }] };
    const world = await openPrepared({ inputSchema, initialPayload, currentState });
    const terminal = openTerminal([...run, "rotate-log", "--yes", "--db", world.db]);
    const shown = /current state\n {2}level {2}info\n {2}files\n {4}NAME +BYTES\n {4}app.log +10\n/;
    await terminal.shows(shown);
    for (const { name, steps } of fields) {
      // The part of the screen that belongs to this field.
      const text = () => {
        const all = terminal.text();
        const at = all.indexOf(name);
        return at < 0 ? "" : all.slice(all.lastIndexOf("\n", all.lastIndexOf("\n", at) - 1));
      };
      for (const [shows, types] of steps) {
        const pattern = new RegExp(new RegExp(shows).source.replaceAll("FIELD", name));
        await until(`${name} shows ${pattern}`, () => pattern.test(text())).catch((cause) => {
          throw new Error(`${cause.message}; it shows:\n${text()}`, { cause });
        });
        await terminal.answer(pattern, types);
      }
    }
    await terminal.shows(/status +SUCCEEDED/);
    expect(await terminal.ended).toBe(0);
    expect(terminal.text()).not.toContain("Run rotate-log");
    expect(terminal.raw()).toMatch(colour);
    const wanted = fields.filter(({ is }) => is !== undefined).map(({ name, is }) => [name, is]);
    expect(await payloads(world)).toEqual([Object.fromEntries(wanted)]);
  });

  test("with secrets never appear on the screen, not even in errors", async () => {
    const inputSchema = of({
      pin: { type: "string", writeOnly: true, minLength: 4 },
      code: { type: "string", format: "password", minLength: 4 },
      apiKey: { type: "string", minLength: 4 },
      several: { type: ["string", "integer"], writeOnly: true },
      number: { type: "integer", format: "password", maximum: 99999 },
      marks: { type: "array", items: { type: "string", writeOnly: true } },
    });
    const initialPayload = { marks: ["hunter2"] };
    const { world, terminal } = await openForm({ inputSchema, initialPayload });
    for (const name of ["pin", "code", "apiKey"]) {
      const asked = String.raw`${name} \(text, hidden, at least 4 characters\)`;
      await play(terminal, [
        [new RegExp(asked), `hun${enter}`],
        [new RegExp(String.raw`${asked}\n> must have at least 4 characters`), `hunter2${enter}`],
      ]);
    }
    await play(terminal, [
      [/several \(JSON, hidden\)/, `"hunter3${enter}`],
      [/> This value is not valid\. Expected: JSON, hidden\./, `"hunter3"${enter}`],
      [/number \(whole number, hidden, at most 99999\)/, `777777${enter}`],
      [/> This value is not valid\. Expected: whole number/, `77777${enter}`],
      [/marks \(list of texts\): keep \["\*{8}"\]\?/, enter],
      [/payload\n(?:.*\n)* +pin: "?(\*{8}|\[REDACTED\])/, ""],
    ]);
    expect(await terminal.ended).toBe(0);
    expect(terminal.raw()).not.toMatch(/hunter|7777/);
    const hidden = "[REDACTED]";
    const secrets = { pin: hidden, code: hidden, apiKey: hidden, several: hidden, number: hidden };
    expect(await payloads(world)).toEqual([{ ...secrets, marks: [hidden] }]);
  });
});

describe("the form", () => {
  test("asks nothing if --set gives all values, or with --defaults", async () => {
    const at = of({ port: { type: "integer", default: 443 }, name: { type: "string" } }, []);
    const inputSchema = of({ level: { type: "string" }, at }, ["level"]);
    const world = await openPrepared({ inputSchema });
    const start = (...words: string[]) => world.run("--server", [...setLevel, ...words], { io });
    expect(await start("--defaults")).toMatchObject(
      failing(2, /a value, .*Provide:\n +--set level=… \(text\)/),
    );
    const set = ["--set", "level=a", "--set", "at.name=b"];
    expect(await start(...set, "--set", "at.port=1")).toMatchObject({ status: 0 });
    expect(await start(...set, "--defaults")).toMatchObject({ status: 0 });
    // The defaults of an object that only --set creates are added.
    expect(await payloads(world)).toEqual([
      { level: "a", at: { port: 443, name: "b" } },
      { level: "a", at: { port: 1, name: "b" } },
    ]);
  });

  test("asks for what other values make necessary, even values from --set, in 40 columns and without colours if NO_COLOR is set", async () => {
    const size = { type: "integer", title: "How much" };
    const inputSchema = {
      ...of({ mode: { enum: ["slow", "fast"] }, size }),
      if: { properties: { mode: { const: "fast" } } },
      // biome-ignore lint/suspicious/noThenProperty: JSON Schema has this keyword
      then: { properties: { size: { maximum: 3 }, why: { type: "string" } }, required: ["why"] },
    };
    const currentState = [{ name: "n".repeat(60), bytes: 1 }];
    const { world, terminal } = await openForm({ inputSchema, currentState }, ["--set", "size=5"], {
      columns: 40,
      env: { NO_COLOR: "1" },
    });
    await play(terminal, [
      [/❯ slow/, down + enter],
      [/yet:\n> why: is required\n> size: must be at most 3\n\? why \(text\)/, `haste${enter}`],
      [/\? size \(How much; whole number, at most\n3\) \(5\)/, `4${enter}`],
      [/> must be at most 3\. Expected: whole/, `${erase(1)}1${enter}`],
    ]);
    expect(await terminal.ended).toBe(0);
    expect(await payloads(world)).toEqual([{ mode: "fast", size: 1, why: "haste" }]);
    const [state = ""] = terminal.text().split("\n✔");
    expect(state).toContain("n…  1");
    for (const line of state.split("\n")) expect(line.length).toBeLessThanOrEqual(40);
    expect(terminal.raw()).not.toMatch(colour);
  });

  test("lets the user choose a field to correct if an error names none", async () => {
    const text = { type: "string" };
    const inputSchema = {
      ...of({ user: text, group: text }, []),
      dependentRequired: { user: ["group"] },
    };
    const { world, terminal } = await openForm({ inputSchema });
    await play(terminal, [
      [/user \(text; optional\)/, `ann${enter}`],
      [/group \(text; optional\)/, enter],
      [/> the payload: needs group, because user is given/, ""],
      [/❯ user\n {2}group\n {2}the payload/, down + enter],
      [/\n\? group \(text; optional\)/, `staff${enter}`],
    ]);
    expect(await terminal.ended).toBe(0);
    expect(await payloads(world)).toEqual([{ user: "ann", group: "staff" }]);
  });

  test("asks for a payload without separate fields as JSON", async () => {
    const inputSchema = { oneOf: [of({ a: {} }), of({ b: {} })] };
    const { world, terminal } = await openForm({ inputSchema });
    await play(terminal, [
      [/the payload \(JSON\)/, `[1]${enter}`],
      [/> must be an object/, `${erase(3)}{"b":1}${enter}`],
    ]);
    expect(await terminal.ended).toBe(0);
    expect(await payloads(world)).toEqual([{ b: 1 }]);
  });

  test("fails if a required choice has no options", async () => {
    const world = await openPrepared({ inputSchema: of({ file: { enum: [] } }) });
    const ran = await world.run("--server", setLevel, { io });
    expect(ran.status).toBe(5);
    expect(ran.stderr).toContain("file: the agent offers no choices.");
    expect(await payloads(world)).toEqual([]);
  });
});
