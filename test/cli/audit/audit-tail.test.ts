// Tests that `audit tail` prints every event exactly once and in order, even if the server is
// unreachable for a while.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import { wireTo } from "../../agent/harness.ts";
import { addRows, tamper } from "../../core/audit/long-trail.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { bin } from "../../helpers/process/installed.ts";
import { cleanEnv, databaseEnv, until } from "../../helpers/process/process.ts";
import { following as follow, valuesIn } from "../following.ts";
import { cli, failing, test, type Way, type World, ways } from "../world.ts";

const words = ["audit", "tail", "--follow"];

const seqsIn = (jsonLines: string) => valuesIn<number>(jsonLines, "seq");

function following(
  world: Pick<World, "run">,
  way: Way,
  flags: string[],
  env: Record<string, string> = {},
) {
  const tail = follow(world, way, [...words, ...flags], env);
  return { ...tail, seqs: () => tail.values<number>("seq") };
}

async function allSeqs(client: Client, afterSeq: number): Promise<number[]> {
  const seqs: number[] = [];
  while (true) {
    const query = { afterSeq: seqs.at(-1) ?? afterSeq, pageSize: 200 };
    const events = await client.call("audit-events.list", { query });
    if (events.length === 0) return seqs;
    seqs.push(...events.map(({ seq }) => seq));
  }
}

const makeToken = (client: Client, name: string) =>
  client.call("registration-tokens.create", { body: { name } });

test("without --follow, prints the newest events, oldest first, or refuses wrong options", async ({
  world,
}) => {
  // A page has at most 200 rows.
  await addRows(world, 200);
  const all = await allSeqs(world.as("viewer"), 0);
  const tail = async (...flags: string[]) => {
    const ran = await world.run("--server", ["audit", "tail", "-o", "jsonl", ...flags]);
    expect(ran).toMatchObject({ status: 0, stderr: "" });
    return seqsIn(ran.stdout);
  };
  expect(await tail()).toEqual(all.slice(-10));
  expect(await tail("-n", "3")).toEqual(all.slice(-3));
  expect(await tail("-n", "203")).toEqual(all.slice(-203));
  expect(await tail("-n", "9999")).toEqual(all);
  expect(await tail("-n", "0")).toEqual([]);
  expect(await tail("-n", "1", "--action", "agent.registered")).toHaveLength(1);
  for (const [flags, says] of [
    [["--follow", "--to", "1h"], /leave out --to/],
    [["-n", "many"], /whole number/],
    [["--follow", "--columns", "nope"], /there is no column nope/],
  ] as const) {
    expect(await world.run("--server", ["audit", "tail", ...flags])).toMatchObject(
      failing(2, says),
    );
  }
});

test.for(ways)(
  "%s: new events are printed once each, and Ctrl-C stops the command",
  async (way, { world }) => {
    const before = await allSeqs(world.as("viewer"), 0);
    const tail = following(world, way, ["-n", "2", "-o", "json"]);
    await until("the tail has printed something", () => tail.seqs().length === 2);
    for (let i = 0; i < 5; i++) await makeToken(world.as("owner"), `t${i}`);
    await until("all events have been printed", () => tail.seqs().length === 7);
    expect(await tail.stop()).toBe(130);
    const after = await allSeqs(world.as("viewer"), before.at(-3) ?? 0);
    expect(tail.seqs()).toEqual(after);
    expect(tail.notes()).toContain("interrupted");
  },
);

test("prints a growing table with exact times, YAML, or names, of matching events only", async ({
  world,
}) => {
  const table = following(world, "--db", ["-n", "1", "--columns", "seq,at,action"]);
  const bare = following(world, "--db", ["-n", "1", "--no-headers", "--columns", "action"]);
  const yaml = following(world, "--db", ["-n", "1", "-o", "yaml"]);
  const names = following(world, "--db", ["-n", "1", "-o", "name"]);
  const onlyTokens = "-n 1 -o wide --action registration_token.*".split(" ");
  const wide = following(world, "--db", onlyTokens);
  const tails = [table, bare, yaml, names, wide];
  await until("all tails have printed something", () => tails.every((tail) => tail.out() !== ""));
  await makeToken(world.as("owner"), "\u001b[2Jgone\u0007\r\n\u009b31m\u202e");
  await until("all tails have printed more", () => tails.every(hasContinued));
  await world.run("--server", ["agents", "disable", "edge-2"]);
  await until("the table has the next event", () => table.out().includes("agent.disabled"));
  await makeToken(world.as("owner"), "last");
  await until("the last token has been printed", () => wide.out().includes("last"));
  expect(wide.out().trimEnd().split("\n")).toHaveLength(4);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for them
  expect(wide.out()).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  const [head, first, second] = table.out().split("\n");
  expect(head).toMatch(/^SEQ +AT +ACTION$/);
  expect(first).toMatch(/^\d+ +\d{4}-\d\d-\d\dT[\d:.]+Z +api_key.created$/);
  expect(second).toMatch(/^\d+ +\d{4}-\d\d-\d\dT[\d:.]+Z +registration_token.created$/);
  expect(bare.out()).toMatch(/^api_key.created\nregistration_token.created\n/);
  expect(yaml.out().match(/^- seq: /gm)?.length).toBeGreaterThanOrEqual(2);
  expect(names.out()).toMatch(/^(aud_\w+\n){2,4}$/);
});

test("on a terminal, the rows fit, and show the time of day", async ({ world }) => {
  const io = { isTerminal: true, width: 80 };
  const tail = follow(world, "--db", [...words, "-n", "1"], {}, io);
  await until("the tail has printed something", () => tail.out() !== "");
  await makeToken(world.as("owner"), "a token with quite a long name for a table");
  await until("the tail has printed more", () => tail.out().includes("registration_token"));
  const lines = tail.out().trimEnd().split("\n");
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(tail.out()).toMatch(/^\d+ +(\d\d:\d\d:\d\d|\d\d-\d\d \d\d:\d\d) .*\bapi_key\.created\b/m);
});

function hasContinued(tail: ReturnType<typeof following>): boolean {
  const text = tail.out();
  return text.includes("registration_token.created") || (text.match(/^aud_/gm)?.length ?? 0) >= 2;
}

test("a revoked key ends the command with the reason", async ({ world }) => {
  const owner = world.as("owner");
  const made = await owner.call("api-keys.create", { body: { name: "short", role: "viewer" } });
  const tail = following(world, "--server", ["-n", "0", "-o", "json"], { API_KEY: made.key });
  await until("the tail is live", async () => {
    await makeToken(owner, "t");
    return tail.out() !== "";
  });
  await owner.call("api-keys.revoke", { params: { keyId: made.id } });
  const { status, stderr } = await tail.ended;
  expect(status).toBe(4);
  expect(tail.notes() + stderr).toMatch(/^Not live: the API key has ended.*\n.*UNAUTHORIZED/);
});

test("an outage of the server causes no missing or repeated events", async ({ world }) => {
  const wire = await wireTo(world);
  const client = world.as("owner");
  const overWire: Pick<World, "run"> = {
    run: (way, words, options) => cli([...words, way, wire.url], options),
  };
  const flags = ["-n", "1", "-o", "jsonl"];
  const overHttp = following(overWire, "--server", flags, { API_KEY: world.key });
  const onFile = following(world, "--db", flags);
  const tails = [overHttp, onFile];
  const havePrinted = (count: number) => tails.every((tail) => tail.seqs().length >= count);
  await until("both tails have printed the newest row", () => havePrinted(1));
  // A tail prints this row once its stream is open, and reads nothing more before it is live.
  await makeToken(client, "first");
  await until("both tails are live", () => havePrinted(2));
  let isOver = false;
  const writing = (async () => {
    for (let i = 0; !isOver; i++) {
      await Promise.all([1, 2, 3].map((part) => makeToken(client, `t${i}.${part}`)));
      await sleep(5);
    }
  })();
  onTestFinished(() => {
    isOver = true;
    return writing;
  });
  await until("both tails have printed more", () => havePrinted(3));
  wire.up = false;
  await until("the tail has reported it", () => overHttp.notes().includes("Not live: "));
  wire.up = true;
  const isLive = () => overHttp.notes().includes("Live again; nothing was missed.");
  await until("the tail is live again", isLive, 30_000);
  isOver = true;
  await writing;
  const last = (await client.call("audit-events.list", { query: { pageSize: 1 } }))[0]?.seq ?? 0;
  for (const tail of tails) {
    await until("all events have been printed", () => tail.seqs().at(-1) === last, 30_000);
    const seqs = tail.seqs();
    const begin = seqs[0] ?? 0;
    expect(seqs).toEqual(Array.from({ length: last - begin + 1 }, (_, at) => begin + at));
    expect(await tail.stop()).toBe(130);
  }
  expect(onFile.notes()).not.toContain("Not live");
});

/** Prints the last two rows of the trail, and waits for more. Returns the number of the last row. */
async function tailTwoRows(world: World) {
  const tail = following(world, "--server", ["-n", "1", "-o", "jsonl"]);
  await until("the stream is open", () => world.app.core.feed.isWatched);
  world.clock.advance(1000);
  // A new event is printed after the tail has read where the trail ends.
  await makeToken(world.as("owner"), "t");
  await until("the tail is live", () => tail.seqs().length === 2);
  world.clock.advance(1000);
  return { tail, last: tail.seqs()[1] ?? 0 };
}

test("a shortened trail is reported and followed from its new end", async ({ world }) => {
  const { tail, last } = await tailTwoRows(world);
  await tamper(world, `DELETE FROM audit_events WHERE seq >= ${last}`);
  for (const { outlet } of world.app.core.feed.watchers) outlet.end("stopping");
  await until("the tail is live again", () => tail.notes().includes("Live again"));
  expect(tail.notes()).toContain(
    `Row ${last} of the trail is gone, so the database was restored or has lost changes. ` +
      `The rows after row ${last - 1} follow.\n`,
  );
  await makeToken(world.as("owner"), "t");
  await until("the event has been printed", () => tail.seqs().length === 3);
  expect(tail.seqs()).toEqual([last - 1, last, last]);
});

test("rows that replace lost ones are printed, even if the trail is longer than before", async ({
  world,
}) => {
  const { tail, last } = await tailTwoRows(world);
  await tamper(world, `DELETE FROM audit_events WHERE seq >= ${last}`);
  for (const name of ["a", "b"]) await makeToken(world.as("owner"), name);
  await until("the events have been printed", () => tail.seqs().length === 4);
  expect(tail.seqs()).toEqual([last - 1, last, last, last + 1]);
  expect(tail.notes()).toContain(`Row ${last} of the trail is gone`);
});

test("a reader that closes the pipe ends the command without an error", async ({ world }) => {
  const client = world.as("owner");
  const statusFile = join(temporaryFolder(), "status");
  const tail = `'${bin}/platformctl' audit tail -f -o jsonl --db '${world.db}'`;
  const script = `{ ${tail}; echo $? > '${statusFile}'; } | head -n 3`;
  const shell = spawn("sh", ["-c", script], {
    env: cleanEnv(databaseEnv([script])),
    stdio: "pipe",
  });
  onTestFinished(() => void shell.kill("SIGKILL"));
  const ended = new Promise((resolve) => shell.once("close", resolve));
  const [stdout, stderr] = [text(shell.stdout), text(shell.stderr)];
  const making = setInterval(() => void makeToken(client, "more"), 50);
  onTestFinished(() => clearInterval(making));
  await ended;
  clearInterval(making);
  expect(seqsIn(await stdout)).toHaveLength(3);
  expect(await stderr).toBe("");
  expect(readFileSync(statusFile, "utf8")).toBe("0\n");
});
