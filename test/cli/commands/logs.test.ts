// `commands logs` prints a command's output once and in order, safely, and follows it to its end.

import { describe, expect } from "vitest";
import type { OutputChunk } from "../../../src/domain/output/output.ts";
import { until } from "../../helpers/process/process.ts";
import { following } from "../following.ts";
import { test as base, failing, type Way, type World, ways } from "../world.ts";

const test = base.extend("running", async ({ world }) => openRunning(world));

/** A command that runs on `edge-2`, and the calls of its agent. */
async function openRunning(world: World) {
  const id = await world.execute("sleeper", "snore");
  const { client } = world.sleeping;
  await client.call("agent.poll", { query: { wait: 0 } });
  const params = { commandId: id };
  let offset = 0;
  return {
    id,
    async send(text: string, stream: OutputChunk["stream"] = "stdout", lost = 0) {
      offset += lost;
      const chunks = [{ offset, stream, text }];
      offset += Buffer.byteLength(text);
      await client.call("agent.output", { params, body: { chunks } });
    },
    end: (success: boolean) => client.call("agent.result", { params, body: { success } }),
    logs: (way: Way, ...flags: string[]) => world.run(way, ["commands", "logs", id, ...flags]),
    follow: (way: Way, ...flags: string[]) =>
      following(world, way, ["commands", "logs", id, "-f", ...flags]),
  };
}

test.for(ways)("%s: prints what is stored and ends", async (way, { running }) => {
  const { send, logs } = running;
  expect(await logs(way)).toEqual({ status: 0, stdout: "", stderr: "" });
  await send("one\ntwo");
  await send("failure\n", "stderr");
  await send("three\n", "stdout", 2048);
  const { status, stdout, stderr } = await logs(way);
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout.split("\n")).toEqual([
    ...["one", "two", "failure"],
    expect.stringMatching(/^\[.* 2\.0 KiB lost: it could not be sent in time .*\]$/),
    ...["three", ""],
  ]);
});

test("text cannot control the terminal", async ({ running: { send, logs } }) => {
  await send("a\u001b]0;title\u0007b \u202e\u0008 50%\r100%\r\n");
  expect((await logs("--server")).stdout).toBe("ab \\u202e\\u0008 50%\n100%\n");
});

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
  test.for(ways)("%s: prints what arrives until the command ends", async (way, { running }) => {
    await running.send("one\n");
    const logs = running.follow(way);
    await until("the first line", () => logs.out() === "one\n");
    await running.send("half");
    await until("the half line", () => logs.out() === "one\nhalf");
    await running.send(" line\n");
    await running.end(true);
    const { status } = await logs.ended;
    expect([status, logs.out()]).toEqual([0, "one\nhalf line\n"]);
    expect(logs.notes()).toBe(`SUCCEEDED: ${running.id}\n`);
  });

  test("fails if the command failed", async ({ running }) => {
    const logs = running.follow("--server", "-o", "jsonl");
    await running.send("one\n");
    await running.end(false);
    expect((await logs.ended).status).toBe(1);
    expect(logs.values("text")).toEqual(["one\n"]);
    expect(JSON.parse(logs.notes())).toEqual({ command: { id: running.id, status: "FAILED" } });
  });

  test("Ctrl-C leaves the command alone", async ({ running }) => {
    await running.send("one\n");
    const logs = running.follow("--server");
    await until("the first line", () => logs.out() === "one\n");
    expect(await logs.stop()).toBe(130);
    expect(logs.notes()).toContain(`platformctl commands wait ${running.id}`);
  });
});

test("a command that does not exist", async ({ world }) => {
  const words = ["commands", "logs", "cmd_01K00000000000000000000000"];
  expect(await world.run("--server", words)).toMatchObject(failing(3, "There is no command"));
  expect(await world.run("--server", ["commands", "logs", "cmd_01K", "-o", "yaml"])).toMatchObject(
    failing(2, "text, json, jsonl"),
  );
});
