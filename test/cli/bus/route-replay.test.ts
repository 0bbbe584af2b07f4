// Tests `routes test … --since`, which shows what a route would have done with past events.

import { expect } from "vitest";
import { ctrlC } from "../following.ts";
import { test as base, failing, fileWith, openWorld, type World } from "../world.ts";

const test = base.extend("past", () => openPast());

const rule = {
  name: "louder",
  state: "ENABLED" as const,
  match: { type: "log.*" },
  target: { serviceCode: "log-collector", action: "set-level" },
  payload: { level: "/data/level" },
};

async function publish(world: World, type: string, data: Record<string, string> = {}) {
  const body = { type, source: "log-collector", data };
  return (await world.as("operator").call("bus-events.publish", { body })).id;
}

/** Creates a world with events that arrived after the route was created. */
async function openPast() {
  const world = await openWorld();
  const { id } = await world.as("operator").call("bus-routes.create", { body: rule });
  const ids = [
    await publish(world, "log.full", { level: "warn" }),
    await publish(world, "log.full"),
    await publish(world, "order.new"),
  ];
  const wrote = await world.as("operator").page("audit-events.list");
  const replay = (...words: string[]) => world.run("--server", ["routes", "test", ...words]);
  const total = async () => (await world.as("operator").page("audit-events.list")).pagination.total;
  const wroteNothing = async () => (await total()) === wrote.pagination.total;
  return { world, id, ids, replay, wroteNothing };
}

const reason =
  "No payload can be made: the event has no value at /data/level, the source of level.";

test("shows its progress, and prints a table with the outcome of each event, and a summary", async () => {
  const { world, ids, wroteNothing } = await openPast();
  const progress: string[] = [];
  const io = { interactive: true, showLine: (text: string) => void progress.push(text) };
  const command = ["routes", "test", "louder", "--since", "24h"];
  const ran = await world.run("--server", command, { io });
  expect(ran.status).toBe(0);
  expect(progress[0]).toContain("replaying");
  expect(progress.at(-1)).toBe("");
  const lines = ran.stdout.split("\n");
  expect(lines[0]).toMatch(/^RECEIVED +EVENT +TYPE +OUTCOME +RECORDED +REASON$/);
  const shown = lines.slice(1, 4).map((line) => line.split(/ {2,}/).slice(1));
  expect(shown).toEqual([
    [ids[0], "log.full", "COMMAND_CREATED", "COMMAND_CREATED", "-"],
    [ids[1], "log.full", "FAILED", "FAILED", reason],
    [ids[2], "order.new", "no match", "-", "-"],
  ]);
  expect(lines.slice(4).join("\n")).toBe(`
summary
  events    3
  matched   2
  commands  1
  failed    1
            1: ${reason}
  recorded  1 command, 1 failed
`);
  expect(ran.stderr).toMatch(/^\nThe oldest stored event is from 20\S+Z\.\n$/);
  expect(await wroteNothing()).toBe(true);
});

test("prints lines for programs, and the summary as a note", async ({ past: { ids, replay } }) => {
  const json = await replay("louder", "--since", "24h", "-o", "json");
  expect(json).toMatchObject({ status: 0, stderr: "" });
  expect(JSON.parse(json.stdout)).toMatchObject({ summary: { events: 3, matched: 2 } });
  const names = await replay("louder", "--since", "24h", "--matched", "-o", "name");
  const line = "3 events, 2 matched: 1 command, 1 failed\n";
  expect(names).toEqual({ status: 0, stdout: `${ids[0]}\n${ids[1]}\n`, stderr: line });
  const jsonl = await replay("louder", "--since", "24h", "-o", "jsonl");
  const rows = jsonl.stdout.trimEnd().split("\n");
  expect(rows.map((row) => JSON.parse(row).eventId)).toEqual(ids);
  expect(jsonl.stderr).toBe(line);
  const columns = ["--no-headers", "--columns", "event,outcome"];
  const bare = await replay("louder", "--since", "24h", ...columns);
  expect(bare.stdout).toBe(`${ids[0]}  COMMAND_CREATED\n${ids[1]}  FAILED\n${ids[2]}  no match\n`);
  expect(bare.stderr).toContain(line);
});

test("an unsaved file is named with -f or as the argument, and its problems have lines", async ({
  past: { ids, replay },
}) => {
  const draft = { ...rule, match: { type: "order.*" }, payload: {} };
  for (const words of [["-f", fileWith(draft, "route")], [fileWith(draft, "route.JSON")]]) {
    const ran = await replay(...words, "--since", "24h", "--matched", "-o", "json");
    expect(ran).toMatchObject({ status: 0, stderr: "" });
    expect(JSON.parse(ran.stdout)).toMatchObject({
      events: [{ eventId: ids[2], outcome: "COMMAND_CREATED", payload: {}, recorded: null }],
      summary: { events: 3, matched: 1, recorded: null },
    });
  }
  const table = await replay(fileWith(draft), "--since", "24h");
  expect(table.stdout).not.toMatch(/recorded/i);
  const event = fileWith({ type: "order.new", source: "log-collector" }, "event.json");
  expect((await replay(fileWith(draft), "--event", event)).status).toBe(0);
  const wrong = fileWith({ ...rule, match: { type: "*" } });
  expect(await replay(wrong, "--since", "24h")).toMatchObject(
    failing(2, `${wrong}:1: match.type: must be a dotted name`),
  );
  expect(await replay("./none.yaml", "--since", "1h")).toMatchObject(
    failing(3, /no bus route \.\/none\.yaml\..*There is no such file either\.\n$/),
  );
});

test("a note reports that the route is DISABLED if any event matches", async ({
  past: { world, replay },
}) => {
  await world.run("--server", ["routes", "disable", "louder"]);
  const disabled = "The route is DISABLED: this is what it would do if it were enabled.";
  expect((await replay("louder", "--since", "1h")).stderr).toContain(disabled);
  const earlier = ["--since", "2d", "--until", "1d"];
  expect((await replay("louder", ...earlier)).stderr).not.toContain(disabled);
});

test("invalid combinations of flags are usage errors", async ({ past: { replay } }) => {
  for (const [words, says] of [
    ["--until 1h", "also give the start: --since 24h"],
    ["--matched", "also give the start: --since 24h"],
    ["--since 2999-01-01", "--since 2999-01-01 is in the future."],
    ["--since 1h --until 2h", "must be later than --since ("],
    ["--since 24", "--since must be a time such as"],
    ["--since 1h --until x", "--until must be a time such as"],
    ["--since 1h --event -", "--event names one event and --since a period"],
    ["--since 1h --event-id x", "--event-id names one event and"],
    ["--since 1h -f -", "give either the name of a saved route"],
    ["--since 1h --columns x", "there is no column x"],
  ] as const) {
    const ran = await replay("louder", ...words.split(" "));
    expect(ran, words).toMatchObject(failing(2, says));
  }
});

test("Ctrl-C stops the replay between two pages", async ({ world }) => {
  await world.as("operator").call("bus-routes.create", { body: rule });
  const { app } = world;
  for (let at = 0; at < 3; at++) await publish(world, "log.full", { level: "warn" });
  // The clock advances so fast that each page ends after one event.
  let time = 0;
  app.core.monotonic = () => (time += 200);
  const all = await world.run("--server", ["routes", "test", "louder", "--since", "1h"]);
  expect(all.stdout.match(/COMMAND_CREATED {2}COMMAND_CREATED/g)).toHaveLength(3);
  expect(all.stdout.match(/RECEIVED/g)).toHaveLength(1);
  const { onInterrupt, press } = ctrlC();
  let printed = "";
  const ran = await world.run("--server", ["routes", "test", "louder", "--since", "1h"], {
    io: {
      onInterrupt,
      async outBytes(bytes) {
        printed += Buffer.from(bytes);
        press();
      },
    },
  });
  expect(ran).toMatchObject({ status: 130, stderr: "platformctl: interrupted\n" });
  expect(printed.match(/COMMAND_CREATED {2}COMMAND_CREATED/g)).toHaveLength(1);
});
