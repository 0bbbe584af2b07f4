// With `-o output`, standard output gets only what the action wrote to its own standard output.

import { expect } from "vitest";
import type { Json } from "../../../src/domain/payload/json.ts";
import { until } from "../../helpers/process/process.ts";
import { following } from "../following.ts";
import { test as base, failing, openWorld, type World } from "../world.ts";
import { fetchCommand } from "./running.ts";

const raw = ["-o", "output"];
const snore = ["actions", "run", "sleeper", "snore", "--payload", "{}", ...raw];
const test = base.extend("snoring", async ({ world }) => openSnoring(world));

/**
 * Starts `actions run -o output`. Returns the run, and the calls of the agent that runs its
 * command.
 */
async function openSnoring(world: World) {
  const run = following(world, "--server", snore);
  await until("the command is there", async () => (await world.executions()).length > 0);
  return { run, ...(await fetchCommand(world)) };
}

test("`actions run` prints standard output as it arrives", async ({ snoring }) => {
  const { run, id, send, end } = snoring;
  await send("one\n");
  await until("the first line", () => run.out() === "one\n");
  await send("warning\n", "stderr");
  await send("tw");
  await until("half of a line", () => run.out() === "one\ntw");
  await end({ success: true, output: "one\ntw" });
  expect((await run.ended).status).toBe(0);
  expect(run.out()).toBe("one\ntw");
  expect(run.notes()).toBe(`snore on sleeper: ${id}\n`);
});

test("a failure and missing output are reported on standard error", async ({ snoring }) => {
  const { run, id, send, end } = snoring;
  await send("one\n");
  await send("three\n", "stdout", 2048);
  await end({ success: false, error: { code: "BOOM", message: "it exploded" } });
  expect((await run.ended).status).toBe(1);
  expect(run.out()).toBe("one\nthree\n");
  expect(run.notes()).toContain("2.0 KiB lost");
  expect(run.notes()).toMatch(new RegExp(`\nBOOM: it exploded\nFAILED in .*: ${id}\n$`));
});

test.each<[what: string, output: Json, printed: string]>([
  ["text", "one\ntwo", "one\ntwo\n"],
  ["nothing", null, ""],
  ["a generated key", { generatedKey: "k-1" }, '{\n  "generatedKey": "k-1"\n}\n'],
])("without output, the result is printed: %s", async (_what, output, printed) => {
  const world = await openWorld({ executed: { success: true, output } });
  const words = ["actions", "run", "log-collector", "set-level", "--defaults", ...raw];
  const { status, stdout, stderr } = await world.run("--server", words);
  expect([status, stdout]).toEqual([0, printed]);
  expect(stderr.includes("Keep the generatedKey now")).toBe(printed.includes("generatedKey"));
});

test("`commands get`, `wait` and `retry` print it as well", async ({ world, snoring }) => {
  const { run, id, send, end } = snoring;
  await send("one\n");
  await until("the first line", () => run.out() === "one\n");
  const words = (word: string) => ["commands", word, id, ...raw];
  expect(await world.run("--server", words("get"))).toEqual({
    status: 0,
    stdout: "one\n",
    stderr: `It is RUNNING. For all output: platformctl commands wait ${id} -o output\n`,
  });
  await end({ success: true });
  await run.ended;
  for (const word of ["get", "wait"]) {
    expect(await world.run("--server", words(word))).toEqual({
      status: 0,
      stdout: "one\n",
      stderr: "",
    });
  }
  const failed = await world.execute("log-collector", "explode");
  await world.run("--server", ["commands", "wait", failed]);
  const retry = await world.run("--server", ["commands", "retry", failed, ...raw]);
  expect(retry).toMatchObject(failing(1, "BOOM: it exploded\nFAILED"));
});

test("control characters do not reach a terminal", async ({ snoring, world }) => {
  const { run, id, send, end } = snoring;
  await send("100\u0008%\r\nend");
  await end({ success: true });
  await run.ended;
  expect(run.out()).toBe("100\u0008%\r\nend");
  const io = { isTerminal: true };
  const { stdout } = await world.run("--server", ["commands", "get", id, ...raw], { io });
  expect(stdout).toBe("100\\u0008%\nend");
});
