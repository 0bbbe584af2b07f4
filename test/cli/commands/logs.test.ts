// `commands logs` prints a command's output once and in order, safely, and follows it to its end.

import { test as base, describe, expect } from "vitest";
import { perFile } from "../../helpers/lifetime.ts";
import { until } from "../../helpers/process/process.ts";
import { following } from "../following.ts";
import { openWorld, type Way, type World, ways } from "../world.ts";
import { fetchCommand } from "./running.ts";

const world = perFile(() => openWorld());
const test = base.extend("running", () => openRunning(world()));

/** A command that runs on `edge-2`, and the calls of its agent. */
async function openRunning(world: World) {
  const id = await world.execute("sleeper", "snore");
  return {
    ...(await fetchCommand(world)),
    logs: (way: Way, ...flags: string[]) => world.run(way, ["commands", "logs", id, ...flags]),
    follow: (way: Way, ...flags: string[]) =>
      following(world, way, ["commands", "logs", id, "-f", ...flags]),
  };
}

test.for(ways)(
  "%s: prints what is stored, which cannot control a terminal, and ends",
  async (way, { running }) => {
    const { send, logs } = running;
    expect(await logs(way)).toEqual({ status: 0, stdout: "", stderr: "" });
    await send("\u001b]0;title\u0007one\ntwo\u202e");
    await send("failure\n", "stderr");
    await send("three\n", "stdout", 2048);
    const { status, stdout, stderr } = await logs(way);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout.split("\n")).toEqual([
      ...["one", "two\\u202e", "failure"],
      expect.stringMatching(/^\[.* 2\.0 KiB lost: it could not be sent in time .*\]$/),
      ...["three", ""],
    ]);
  },
);

test("--timestamps begins each line with its time and stream", async ({ running }) => {
  await running.send("one\ntwo\n");
  await running.send("oops\n", "stderr");
  const { stdout } = await running.logs("--server", "--timestamps");
  const times = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z /gm;
  expect(stdout.replace(times, "@ ")).toBe("@ stdout one\n@ stdout two\n@ stderr oops\n");
  expect(stdout.match(times)).toHaveLength(3);
});

test("JSON has the parts of the API", async ({ running: { send, logs } }) => {
  await send("one\n");
  await send("two\n", "stderr", 3);
  const parts = JSON.parse((await logs("--server", "-o", "json")).stdout);
  expect(parts).toMatchObject([
    { kind: "TEXT", offset: 0, stream: "stdout", text: "one\n" },
    { kind: "LOST", offset: 4, bytes: 3 },
    { kind: "TEXT", offset: 7, stream: "stderr", text: "two\n" },
  ]);
  const lines = (await logs("--server", "-o", "jsonl")).stdout.trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual(parts);
});

describe("with --follow", () => {
  test.for(ways)(
    "%s: prints what arrives until the command ends, and fails if the command did",
    async (way, { running }) => {
      await running.send("one\n");
      const logs = running.follow(way);
      await until("the first line", () => logs.out() === "one\n");
      await running.send("half");
      await until("the half line", () => logs.out() === "one\nhalf");
      await running.send(" line\n");
      const isFine = way === "--server";
      await running.end({ success: isFine });
      const { status } = await logs.ended;
      expect([status, logs.out()]).toEqual([isFine ? 0 : 1, "one\nhalf line\n"]);
      expect(logs.notes()).toBe(`${isFine ? "SUCCEEDED" : "FAILED"}: ${running.id}\n`);
    },
  );

  test("Ctrl-C leaves the command alone", async ({ running }) => {
    await running.send("one\n");
    const logs = running.follow("--server");
    await until("the first line", () => logs.out() === "one\n");
    expect(await logs.stop()).toBe(130);
    expect(logs.notes()).toContain(`platformctl commands wait ${running.id}`);
  });
});
