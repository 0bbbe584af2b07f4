// How tables look: to a person in a pipe or at a terminal, narrow or wide, and with text in them that
// means no good. (`cli.md` "Output")

import { expect, test } from "vitest";
import { cli, collector, openWorld } from "./world.ts";

test("a table has heads, aligned columns and relative times; wide has exact ones", async () => {
  const world = await openWorld();
  const { stdout } = await world.run("--server", ["agents", "list"]);
  const [head = "", ...rows] = stdout.trimEnd().split("\n");
  expect(head).toMatch(/^CODE {4}STATUS {2}LAST SEEN {2}MODE {5}VERSION {2}ID$/);
  expect(rows.map((row) => row.slice(0, 16))).toEqual(["edge-2  ONLINE  ", "edge-1  ONLINE  "]);
  const at = head.indexOf("LAST SEEN");
  for (const row of rows) expect(row.slice(at)).toMatch(/^(now|\ds ago) /);

  const wide = await world.run("--server", ["agents", "list", "-o", "wide"]);
  expect(wide.stdout).toMatch(/^CODE .* REGISTERED .* LABELS/);
  expect(wide.stdout).toContain(` ${new Date(world.clock.now()).toISOString()} `);
});

test("an empty list says on stderr what to do next; in machine forms it is just empty", async () => {
  const world = await openWorld();
  const none = ["commands", "list"];
  const { stdout, stderr } = await world.run("--db", none);
  expect({ stdout, stderr }).toEqual({
    stdout: "",
    stderr: "No commands. Run an action: platformctl actions run SERVICE ACTION\n",
  });
  const forms = { json: "[]\n", jsonl: "", yaml: "[]\n", name: "" };
  for (const [form, text] of Object.entries(forms)) {
    const ran = await world.run("--db", [...none, "-o", form]);
    expect(ran).toEqual({ status: 0, stdout: text, stderr: "" });
  }
});

test("an empty list that was asked for less says that, not how to begin", async () => {
  const world = await openWorld();
  const filtered = await world.run("--db", ["agents", "list", "--status", "DISABLED"]);
  expect(filtered.stderr).toBe("Nothing matches.\n");
  const beyond = await world.run("--db", ["agents", "list", "--page", "9"]);
  expect(beyond.stderr).toBe("There is no page 9: there are 2 in all.\n");
});

test("a list that goes on says so on stderr", async () => {
  const world = await openWorld();
  const first = await world.run("--db", ["agents", "list", "--limit", "1"]);
  expect(first.stderr).toBe("\n1 to 1 of 2; go on with --page 2, or --all\n");
  const second = await world.run("--db", ["agents", "list", "--limit", "1", "--page", "2"]);
  expect(second.stderr).toBe("\n2 to 2 of 2\n");
  expect(first.stdout).toContain("edge-2");
  expect(second.stdout).toContain("edge-1");
});

test("states have colours only where colours are wanted", async () => {
  const world = await openWorld();
  const words = ["services", "list", "--columns", "code,status"];
  const plain = await world.run("--db", words);
  expect(plain.stdout).not.toContain("\u001b");
  const colourful = await world.run("--db", words, { io: { colour: true } });
  expect(colourful.stdout).toContain("\u001b[32mHEALTHY\u001b[39m");
  expect(colourful.stdout).toContain("\u001b[31mUNHEALTHY\u001b[39m");
});

test("a table fits the terminal, without cutting what one copies", async () => {
  const world = await openWorld();
  await world.registerAgent("edge-3", [
    { code: "chatty", name: "Chatty", version: "1", health: { status: "DOWN", message: long } },
  ]);
  const words = ["services", "list"];
  const inPipe = await world.run("--db", words);
  expect(inPipe.stdout).toContain(long);
  const { stdout } = await world.run("--db", words, { io: { width: 80 } });
  const lengths = stdout.split("\n").map((line) => line.length);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(80);
  expect(stdout).toContain("log-collector");
  expect(stdout).not.toContain(long);
});

const long = "the collector does not answer ".repeat(5).trim();

test("text of an agent cannot steer the terminal", async () => {
  const world = await openWorld();
  const evil = "\u001b]0;pwned\u0007 up\r\nsecond line\u009b31m\u202e";
  const { client } = await world.registerAgent("edge-3", [
    { ...collector, code: "evil", name: evil, health: { status: "UP", message: evil } },
  ]);
  const forms = [
    ["services", "list"],
    ["services", "list", "-o", "wide"],
    ["services", "get", "evil"],
  ];
  for (const words of forms) {
    const { stdout } = await world.run("--db", words);
    expect(stdout).toContain("\\u001b]0;pwned\\u0007 up\\r\\nsecond line\\u009b31m\\u202e");
    expect(stdout).not.toMatch(steering);
  }

  const id = await world.execute("evil", "set-level");
  await client.call("agent.poll");
  const params = { commandId: id };
  await client.call("agent.result", { params, body: { success: true, output: evil } });
  const { stdout } = await world.run("--db", ["commands", "get", id]);
  expect(stdout).toContain("pwned");
  expect(stdout).not.toMatch(steering);
  const failed = await world.run("--db", ["agents", "get", evil]);
  expect(failed.stderr).toContain("pwned");
  expect(failed.stderr).not.toMatch(steering);

  const json = await world.run("--db", ["services", "get", "evil", "-o", "json"]);
  expect(JSON.parse(json.stdout).name).toBe(evil);
});

// biome-ignore lint/suspicious/noControlCharactersInRegex: these must not come through
const steering = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/;

test.each([
  { words: ["--columns", "code,nope"], says: "there is no column nope; there are: code, status," },
  {
    words: ["-o", "xml"],
    says: "argument 'xml' is invalid. Allowed choices are table, wide, json",
  },
])("$words is wrong usage", async ({ words, says }) => {
  const world = await openWorld();
  const ran = await cli(["services", "list", ...words, "--db", world.file]);
  expect(ran).toMatchObject({ status: 2, stdout: "" });
  expect(ran.stderr).toContain(says);
});
