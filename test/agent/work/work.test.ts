// The agent's commands without a server.

import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { Bell } from "../../../src/agent/bell.ts";
import { ServerClock } from "../../../src/agent/connection/deadline.ts";
import { type Action, ActionError, type DeliveredCommand } from "../../../src/agent/index.ts";
import { Journal } from "../../../src/agent/work/journal.ts";
import { CommandOutput } from "../../../src/agent/work/output/command-output.ts";
import { runCommand } from "../../../src/agent/work/run-command.ts";
import { createWork } from "../../../src/agent/work/work.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { noOutput, until } from "../harness.ts";

afterEach(() => void vi.useRealTimers());

const command = (id: string, changed: Partial<DeliveredCommand> = {}): DeliveredCommand => ({
  id,
  type: "ACTION_EXECUTE",
  serviceCode: "notes",
  action: "work",
  payload: {},
  expiresAt: new Date(Date.now() + 60_000).toISOString(),
  ...changed,
});

/** Sets the clock ahead by this much, as after a heartbeat whose response came late. */
const setClock = (clock: ServerClock, aheadMs: number) => {
  const now = performance.now();
  clock.observe(new Date(Date.now() + aheadMs).toISOString(), now, now);
};

const nowhere = {
  send: async () => null,
  secrets: () => ["hunter2"],
  patience: async () => undefined,
};

/** The first line of a journal without commands, which began long ago. */
const longKept = `{"journal":1}\n`;

async function makeWork(
  actions: Action[],
  isAheadMs = 0,
  concurrency = 2,
  journalText: string = longKept,
) {
  const file = join(temporaryFolder(), "journal.jsonl");
  writeFileSync(file, journalText);
  const journal = await Journal.open(file, { isNew: false });
  const clock = new ServerClock();
  setClock(clock, isAheadMs);
  const sent: [id: string, code: string][] = [];
  const emitted: string[] = [];
  const sharing = { isShared: false, wasShared: false };
  const refreshClock = vi.fn(async (_: AbortSignal) => setClock(clock, 0));
  const work = createWork({
    journal,
    outbox: {
      send: ({ id }: { id: string }, result: { success: boolean; error?: { code: string } }) =>
        sent.push([id, result.error?.code ?? "done"]),
    } as never,
    emit: (_level, _message, { type }) => void emitted.push(type),
    concurrency,
    clock,
    refreshClock,
    sharing: () => sharing,
    services: () => [{ code: "notes", name: "Notes", version: "1", actions }],
    openOutput: () => new CommandOutput({ ...nowhere, line: new AbortController().signal }),
  });
  onTestFinished(async () => {
    await work.stop(0);
    await journal.close();
  });
  return { work, journal, file, sent, emitted, refreshClock, clock, sharing };
}

/** Returns a handler whose first run continues until the test ends it. */
function firstHeld() {
  const runs: string[] = [];
  const gate = Promise.withResolvers<void>();
  const execute: Action["execute"] = async (_payload, { command: { id } }) => {
    runs.push(id);
    if (runs.length === 1) await gate.promise;
  };
  return { runs, gate, execute };
}

function copyOf(file: string): string {
  const copy = join(temporaryFolder(), "journal.jsonl");
  copyFileSync(file, copy);
  return copy;
}

const inTenMinutes = () => new Date(Date.now() + 600_000).toISOString();

/**
 * When this command ends and there is no room, the work checks whether waiting commands expired.
 */
const waking = () => command("cmd_wake", { type: "ACTION_PREPARE", expiresAt: inTenMinutes() });

const levels = { type: "object", properties: { level: { type: "integer", minimum: 1 } } };
const useless = { properties: { level: { $ref: "#/nowhere" } } };

test("a handler starts after its command is in the journal", async () => {
  let kept = "";
  const execute: Action["execute"] = () => {
    kept = readFileSync(file, "utf8");
  };
  const { work, file, sent } = await makeWork([{ name: "work", execute }]);
  await work.accept([command("cmd_1")]);
  await until(() => sent.length > 0, "the result");
  expect(kept).toContain("cmd_1");
});

test.each([
  ["matches the schema reaches the handler unchanged", levels, "command.started"],
  ["cannot be checked is reported, and the handler gets it", useless, "payload.unchecked"],
])("a payload that %s", async (_, inputSchema, event) => {
  const seen: unknown[] = [];
  const execute: Action["execute"] = (given) => void seen.push(given);
  const { work, sent, emitted } = await makeWork([{ name: "work", inputSchema, execute }]);
  const payload = { level: 3, more: "x" };
  await work.accept([command("cmd_1", { payload })]);
  await until(() => sent.length > 0, "the result");
  expect([sent, seen, emitted[0]]).toEqual([[["cmd_1", "done"]], [payload], event]);
});

test("a payload that does not match the schema is refused with the path of its error, and nothing runs", async () => {
  const { runs, execute } = firstHeld();
  const { work, sent, journal } = await makeWork([{ name: "work", inputSchema: levels, execute }]);
  await work.accept([command("cmd_1", { payload: { level: 0 } })]);
  await until(() => sent.length > 0, "the result");
  const message = expect.stringMatching(/^The payload does not match the action's schema: level: /);
  const details = { issues: [expect.objectContaining({ path: "level" })] };
  expect(journal.find("cmd_1")?.result).toEqual({
    success: false,
    error: { code: "PAYLOAD_INVALID", message, details },
  });
  expect(runs).toEqual([]);
});

test.each<[what: string, execute: Action["execute"], result: object]>([
  [
    "an output",
    () => ({ log: ["pin hunter2"], hunter2: 1 }),
    { success: true, output: { log: ["pin [REDACTED]"], "[REDACTED]": 1 } },
  ],
  [
    "an error",
    () => {
      throw new ActionError("BAD_PIN", "not HUNTER2", { stderr: "aHVudGVyMg== hunter2" });
    },
    {
      success: false,
      error: {
        code: "BAD_PIN",
        message: "not [REDACTED]",
        details: { stderr: "[REDACTED]g== [REDACTED]" },
      },
    },
  ],
  [
    "what a handler hides",
    (_payload, { output }) => {
      output.hide("swordfish");
      return "a swordfish";
    },
    { success: true, output: "a [REDACTED]" },
  ],
])("the payload's secrets are removed from %s", async (_, execute, result) => {
  const { work, sent, journal } = await makeWork([{ name: "work", execute }]);
  await work.accept([command("cmd_1")]);
  await until(() => sent.length > 0, "the result");
  expect(journal.find("cmd_1")?.result).toEqual(result);
});

const untextual = Object.create(null);

test.each<[what: string, thrown: unknown, error: object]>([
  ["an ActionError without a code", new ActionError(undefined as never, "x"), { message: "x" }],
  ["an ActionError with a status", new ActionError(503 as never, "x"), { code: "503" }],
  ["a message that is no text", Object.assign(new Error("x"), { message: 7 }), { message: "7" }],
  ["something without a text", untextual, { message: "an error without a message" }],
])("a handler that throws %s ends with a failure", async (_, thrown, error) => {
  const execute = () => {
    throw thrown;
  };
  const { work, sent, journal } = await makeWork([{ name: "work", execute }]);
  await work.accept([command("cmd_1")]);
  await until(() => sent.length > 0, "the result");
  expect(journal.find("cmd_1")?.result).toMatchObject({
    success: false,
    error: { code: "ACTION_FAILED", ...error },
  });
});

test("a result that cannot be cleaned is a failure, and the next command runs", async () => {
  const execute = () => "done";
  const { work, sent } = await makeWork([{ name: "work", execute }]);
  const clean = vi.spyOn(CommandOutput.prototype, "clean");
  onTestFinished(() => clean.mockRestore());
  clean.mockImplementationOnce(() => {
    throw new RangeError("too deep");
  });
  await work.accept([command("cmd_1"), command("cmd_2")]);
  await until(() => sent.length === 2, "both results");
  expect(sent).toEqual([
    ["cmd_1", "ACTION_FAILED"],
    ["cmd_2", "done"],
  ]);
});

test("what a prepare hides is removed from the state, but not from the form, which the operator sends back", async () => {
  const prepare: Action["prepare"] = ({ output }) => {
    output.hide("swordfish");
    return { initialPayload: { fish: "swordfish" }, currentState: "a swordfish" };
  };
  const { work, sent, journal } = await makeWork([{ name: "work", prepare, execute: () => null }]);
  const prepared = command("cmd_1", { type: "ACTION_PREPARE" });
  await work.accept([prepared, command("cmd_2", { expectedState: "another" })]);
  await until(() => sent.length === 2, "both results");
  expect(journal.find("cmd_1")?.result).toMatchObject({
    output: { initialPayload: { fish: "swordfish" }, currentState: "a [REDACTED]" },
  });
  expect(journal.find("cmd_2")?.result).toMatchObject({
    error: { code: "STATE_CHANGED", details: { currentState: "a [REDACTED]" } },
  });
});

test("waiting commands expire only by a clock that was just updated", async () => {
  const { runs, gate, execute } = firstHeld();
  const { work, sent, refreshClock } = await makeWork([{ name: "work", execute }], 90_000, 1);
  await work.accept([command("cmd_1", { expiresAt: inTenMinutes() })]);
  await work.accept([command("cmd_2")]);
  const room = work.whenRoom(new AbortController().signal);
  await work.accept([waking()]);
  await until(() => refreshClock.mock.calls.length > 0, "the check");
  gate.resolve();
  await room;
  await until(() => sent.some(([id]) => id === "cmd_2"), "the second");
  expect(sent).toContainEqual(["cmd_2", "done"]);
  expect(runs).toEqual(["cmd_1", "cmd_2"]);
});

test("a command delivered after it has expired is not run", async () => {
  const { runs, execute } = firstHeld();
  const { work, sent } = await makeWork([{ name: "work", execute }]);
  await work.accept([command("cmd_1", { expiresAt: new Date(Date.now() - 1).toISOString() })]);
  await until(() => sent.length > 0, "the result");
  expect(sent).toEqual([["cmd_1", "COMMAND_EXPIRED"]]);
  expect(runs).toEqual([]);
});

test.each([
  ["after a suspend, a command that has expired in the meantime is not run", 0, "COMMAND_EXPIRED"],
  ["a command runs although the host's clock was set forward", 3_600_000, "done"],
])("%s", async (_, isWrongByMs, code) => {
  onTestFinished(() => void vi.useRealTimers());
  const { runs, gate, execute } = firstHeld();
  const { work, sent, refreshClock, clock } = await makeWork([{ name: "work", execute }]);
  refreshClock.mockImplementation(async () => setClock(clock, -isWrongByMs));
  await work.accept([command("cmd_1"), command("cmd_2")]);
  // The monotonic clock does not advance.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
  gate.resolve();
  await until(() => sent.length === 2, "both results");
  expect(sent[1]).toEqual(["cmd_2", code]);
  expect(runs).toEqual(code === "done" ? ["cmd_1", "cmd_2"] : ["cmd_1"]);
});

test.each([
  ["is not run if its time is over", 61_000, "COMMAND_EXPIRED"],
  ["runs within its time", 30_000, "done"],
])("after the server's clock was set back, a waiting command %s", async (_, waitedMs, code) => {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  const { gate, execute } = firstHeld();
  const { work, sent, refreshClock, clock } = await makeWork([{ name: "work", execute }]);
  const setBack = () => setClock(clock, -3_600_000);
  refreshClock.mockImplementation(async () => setBack());
  await work.accept([command("cmd_1"), command("cmd_2")]);
  setBack();
  vi.advanceTimersByTime(waitedMs);
  gate.resolve();
  await until(() => sent.length === 2, "both results");
  expect(sent[1]).toEqual(["cmd_2", code]);
});

test.each([
  ["back", -3_600_000],
  ["forward", 3_600_000],
])(
  "after the host's clock was set %s, a command is not run if the agent stops while it asks for the time",
  async (_, wrongByMs) => {
    const { runs, execute } = firstHeld();
    const { work, sent, refreshClock } = await makeWork([{ name: "work", execute }]);
    refreshClock.mockImplementation((signal) => new Bell().wait(signal));
    const delivered = command("cmd_1");
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + wrongByMs });
    await work.accept([delivered]);
    await work.stop(0);
    expect([sent, runs]).toEqual([[["cmd_1", "AGENT_STOPPED"]], []]);
  },
);

test("a command that starts after the host's clock was set forward gets its whole time", async () => {
  onTestFinished(() => void vi.useRealTimers());
  let left = 0;
  const execute: Action["execute"] = (_payload, { command: { expiresAt } }) => {
    left = Date.parse(expiresAt) - (clock.now() ?? 0);
  };
  const { work, sent, refreshClock, clock } = await makeWork([{ name: "work", execute }]);
  refreshClock.mockImplementation(async () => setClock(clock, -180_000));
  const expiresAt = inTenMinutes();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 180_000 });
  await work.accept([command("cmd_1", { expiresAt })]);
  await until(() => sent.length === 1, "the result");
  expect(refreshClock).toHaveBeenCalledTimes(1);
  expect(left).toBeGreaterThan(590_000);
});

test("an expired command frees its place, is still held and in the journal, and does not run when delivered again", async () => {
  const { runs, gate, execute } = firstHeld();
  const { work, journal, sent, clock, refreshClock } = await makeWork([{ name: "work", execute }]);
  refreshClock.mockImplementation(async () => undefined);
  await work.accept([command("cmd_1")]);
  const second = command("cmd_2", { expiresAt: new Date(Date.now() + 30_000).toISOString() });
  const others = Array.from({ length: 19 }, (_, index) => ({ ...second, id: `cmd_o${index}` }));
  await work.accept([second, ...others]);
  expect(work.room()).toBe(0);
  setClock(clock, 40_000);
  const room = work.whenRoom(new AbortController().signal);
  await work.accept([waking()]);
  await room;
  expect(work.room()).toBe(1);
  expect(sent).toContainEqual(["cmd_2", "COMMAND_EXPIRED"]);
  expect(work.held()).toContain("cmd_2");
  expect(journal.find("cmd_2")).toMatchObject({
    state: "finished",
    result: { error: { code: "COMMAND_EXPIRED" } },
  });
  setClock(clock, 0);
  await work.accept([second]);
  gate.resolve();
  await work.accept([command("cmd_3")]);
  await until(() => sent.some(([id]) => id === "cmd_3"), "the third");
  expect(runs).toEqual(["cmd_1", "cmd_3"]);
});

test("after a timeout, the next command waits until the handler has returned", async () => {
  const { runs, gate, execute } = firstHeld();
  const { work, sent } = await makeWork([{ name: "work", execute, timeoutSeconds: 0.05 }]);
  await work.accept([command("cmd_1"), command("cmd_2")]);
  await until(() => sent.length > 0, "the result of the first");
  expect(sent).toEqual([["cmd_1", "ACTION_TIMED_OUT"]]);
  // This is long enough for a second execution to start, if that were allowed.
  await work.accept([command("cmd_3", { type: "ACTION_PREPARE" })]);
  await until(() => sent.length > 1, "the prepare");
  expect(runs).toEqual(["cmd_1"]);
  expect(work.room()).toBe(1);
  gate.resolve();
  await until(() => sent.length > 2, "the result of the second");
  expect(runs).toEqual(["cmd_1", "cmd_2"]);
});

test("a stop does not wait for a handler that has timed out", async () => {
  const { gate, execute } = firstHeld();
  const { work, sent } = await makeWork([{ name: "work", execute, timeoutSeconds: 0.05 }]);
  await work.accept([command("cmd_1")]);
  await until(() => sent.length > 0, "the result");
  expect(work.room()).toBe(1);
  await work.stop(60_000);
  await until(() => work.room() === 2, "the end of the wait for the handler");
  gate.resolve();
});

test("a handler that never returns keeps its turn for 10 s after its timeout, or until the stop", async () => {
  vi.useFakeTimers();
  const stopping = new AbortController();
  const run = async () => {
    const reasons: unknown[] = [];
    const execute: Action["execute"] = (_payload, { signal }) => {
      signal.addEventListener("abort", () => reasons.push(signal.reason));
      return new Promise(() => undefined);
    };
    const action: Action = { name: "work", execute, timeoutSeconds: 1 };
    const job = {
      action,
      timeMs: 1000,
      stop: stopping.signal,
      log: () => undefined,
      output: noOutput,
    };
    const cancel = new AbortController().signal;
    const running = runCommand({ ...job, cancel, command: command("cmd_1") });
    await vi.advanceTimersByTimeAsync(1000);
    const { result, ended } = await running;
    const message = "The action did not finish within its timeout of 1s.";
    expect(result).toMatchObject({ error: { code: "ACTION_TIMED_OUT", message } });
    expect(reasons).toMatchObject([{ code: "ACTION_TIMED_OUT" }]);
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    return { isOver: () => isOver };
  };
  const first = await run();
  await vi.advanceTimersByTimeAsync(9_999);
  expect(first.isOver()).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(first.isOver()).toBe(true);
  const second = await run();
  expect(second.isOver()).toBe(false);
  stopping.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(second.isOver()).toBe(true);
});

test("a cancelled handler that does not return within 10 s is reported as not stopped", async () => {
  vi.useFakeTimers();
  const cancelling = new AbortController();
  const action: Action = { name: "work", execute: () => new Promise(() => undefined) };
  const running = runCommand({
    output: noOutput,
    command: command("cmd_1"),
    action,
    timeMs: 1000,
    stop: new AbortController().signal,
    cancel: cancelling.signal,
    log: () => undefined,
  });
  cancelling.abort();
  await vi.advanceTimersByTimeAsync(10_000);
  expect((await running).result).toMatchObject({ error: { code: "COMMAND_NOT_STOPPED" } });
});

test("a command is not run if it is cancelled while waiting or before its delivery", async () => {
  const { runs, gate, execute } = firstHeld();
  const { work, sent, journal } = await makeWork([{ name: "work", execute }]);
  await work.accept([command("cmd_1"), command("cmd_2"), command("cmd_3")]);
  expect(work.cancel(["cmd_2", "cmd_4"])).toBe(2);
  expect(work.cancel(["cmd_2", "cmd_4"])).toBe(0);
  await work.accept([command("cmd_4")]);
  gate.resolve();
  await until(() => sent.length === 4, "all results");
  expect(runs).toEqual(["cmd_1", "cmd_3"]);
  expect(Object.fromEntries(sent)).toEqual({
    cmd_1: "done",
    cmd_2: "COMMAND_CANCELLED",
    cmd_3: "done",
    cmd_4: "COMMAND_CANCELLED",
  });
  // Commands that have already ended are not reported again.
  expect(work.cancel(["cmd_1", "cmd_3"])).toBe(0);
  expect(journal.find("cmd_4")).toMatchObject({ state: "finished" });
});

test.each([
  ["began a short time ago", `{"journal":1,"incompleteForMs":1000,"isNew":true}\n`],
  ["was lost", ""],
])(
  "if the journal %s, an unknown command that was cancelled may have run, and does not run now",
  async (_, text) => {
    const { runs, execute } = firstHeld();
    const { work, sent } = await makeWork([{ name: "work", execute }], 0, 2, text);
    expect(work.cancel(["cmd_1"])).toBe(1);
    await until(() => sent.length === 1, "the result");
    await work.accept([command("cmd_1")]);
    expect([sent, runs]).toEqual([[["cmd_1", "AGENT_RESTARTED"]], []]);
  },
);

test("while another program uses the token, only the program that has a cancelled command answers for it", async () => {
  const { gate, execute } = firstHeld();
  const { work, sent, emitted, sharing } = await makeWork([{ name: "work", execute }]);
  await work.accept([command("cmd_1"), command("cmd_2")]);
  Object.assign(sharing, { isShared: true, wasShared: true });
  expect(work.cancel(["cmd_1", "cmd_2", "cmd_3"])).toBe(2);
  gate.resolve();
  await until(() => sent.length === 2, "the results of its own commands");
  expect(emitted.filter((type) => type === "command.cancelled")).toHaveLength(2);
  // The other program has ended without an answer. It may have started the command.
  sharing.isShared = false;
  expect(work.cancel(["cmd_1", "cmd_2", "cmd_3"])).toBe(1);
  await until(() => sent.length === 3, "the result of the unknown command");
  expect(sent.at(-1)).toEqual(["cmd_3", "AGENT_RESTARTED"]);
});

test("an agent killed while it refuses cancelled commands does not later report that they may have run", async () => {
  const { gate, execute } = firstHeld();
  const { work, file, journal } = await makeWork([{ name: "work", execute }]);
  await work.accept([command("cmd_1"), command("cmd_2")]);
  // The agent is killed after the first write of the cancellation.
  vi.spyOn(journal, "finished").mockReturnValue(new Promise(() => undefined));
  work.cancel(["cmd_2", "cmd_3"]);
  const written = () => {
    const text = readFileSync(file, "utf8");
    return ["cmd_2", "cmd_3"].every((id) => text.includes(id));
  };
  await until(written, "the journal");
  const left = await Journal.open(copyOf(file), { isNew: false });
  onTestFinished(() => left.close());
  expect(left.inHand()).toMatchObject([
    { id: "cmd_1", state: "received" },
    { id: "cmd_2", state: "finished", result: { error: { code: "COMMAND_CANCELLED" } } },
    { id: "cmd_3", state: "finished", result: { error: { code: "COMMAND_CANCELLED" } } },
  ]);
  vi.restoreAllMocks();
  gate.resolve();
});

test("a cancellation after the stop does not prolong it", async () => {
  vi.useFakeTimers();
  const [stopping, cancelling] = [new AbortController(), new AbortController()];
  const running = runCommand({
    output: noOutput,
    command: command("cmd_1"),
    action: { name: "work", execute: () => new Promise(() => undefined) },
    timeMs: 60_000,
    stop: stopping.signal,
    cancel: cancelling.signal,
    log: () => undefined,
  });
  let result: unknown;
  void running.then((outcome) => {
    result = outcome.result;
  });
  stopping.abort();
  cancelling.abort();
  await vi.advanceTimersByTimeAsync(1000);
  expect(result).toMatchObject({ error: { code: "AGENT_STOPPED" } });
});

test("while there is no room for a poll, the agent gets cancellations by heartbeats", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const { gate, execute } = firstHeld();
  const slow: Action = { name: "work", execute };
  const { work, refreshClock } = await makeWork([slow]);
  const two = [command("cmd_1"), command("cmd_2", { type: "ACTION_PREPARE" })];
  await work.accept([two[0]!]);
  // The second slot is used by a command that never ends.
  Object.assign(slow, { prepare: () => gate.promise });
  await work.accept([two[1]!]);
  const room = work.whenRoom(new AbortController().signal);
  await vi.advanceTimersByTimeAsync(11_000);
  expect(refreshClock).toHaveBeenCalledTimes(2);
  gate.resolve();
  await vi.advanceTimersByTimeAsync(1000);
  await room;
});

test("without room, the agent calls every 5 s, even if it is woken in between", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const { gate, execute } = firstHeld();
  const { work, sent, refreshClock } = await makeWork([{ name: "work", execute }], 0, 1);
  await work.accept([command("cmd_1")]);
  const room = work.whenRoom(new AbortController().signal);
  await vi.advanceTimersByTimeAsync(500);
  work.cancel(["cmd_2"]);
  while (sent.length === 0) await nextTurn();
  await vi.advanceTimersByTimeAsync(4500);
  expect(refreshClock).toHaveBeenCalledTimes(1);
  gate.resolve();
  await vi.advanceTimersByTimeAsync(1000);
  await room;
});
