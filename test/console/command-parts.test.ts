// Tests the parts of the command pages, without a browser.

import { afterEach, expect, test, vi } from "vitest";
import {
  commandState,
  forgetCommands,
  hadSecret,
  noteCommand,
  readCommand,
  watchCommand,
} from "../../src/console/client/command.ts";
import { secretValues } from "../../src/console/fields/secret-fields.tsx";
import { prepare } from "../../src/console/pages/actions/preparation.tsx";
import { trailOf } from "../../src/console/pages/commands/command-trail.tsx";
import { matchesIn } from "../../src/console/pages/commands/output/find.ts";
import { noOutput, outputLines } from "../../src/console/pages/commands/output/output-lines.ts";
import { shapeOf } from "../../src/console/values/value-shape.ts";

const long = "x".repeat(300);

test.each<[value: never, shape: object]>([
  [null, { kind: "nothing" }],
  ["", { kind: "nothing" }],
  ["done", { kind: "text", text: "done" }],
  [false, { kind: "scalar", value: false }],
  [[1, null, "a"], { kind: "scalars", items: [1, null, "a"] }],
  [[{ a: 1 }, { b: [2] }], { kind: "table", columns: ["a", "b"] }],
  [[{ a: 1 }, 2], { kind: "json" }],
  [[[1]], { kind: "json" }],
  [[{}], { kind: "json" }],
  [{}, { kind: "json" }],
  [Object.fromEntries(Array.from({ length: 201 }, (_, n) => [n, n])), { kind: "json" }],
  [
    { a: 1, note: long, list: [{ b: 1 }], deep: { c: { d: 1 } } },
    {
      kind: "object",
      facts: [["a", 1]],
      parts: [
        ["note", { kind: "text", text: long }],
        ["list", { kind: "table", columns: ["b"], rows: [{ b: 1 }] }],
        ["deep", { kind: "json", value: { c: { d: 1 } } }],
      ],
    },
  ],
] as never)("%j is shown as %j", (value, shape) => {
  expect(shapeOf(value)).toMatchObject(shape);
});

const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;
const command = (more: object = {}) =>
  ({
    id: "cmd_1",
    type: "ACTION_EXECUTE",
    status: "PENDING",
    deliveries: 0,
    reason: "why",
    createdAt: at(0),
    startedAt: null,
    completedAt: null,
    errorMessage: null,
    result: null,
    lateResult: null,
    ...more,
  }) as never;
const event = (action: string, second: number, metadata: object = {}) =>
  ({
    action,
    at: at(second),
    actorName: "anna",
    actorType: "USER",
    message: null,
    metadata,
  }) as never;

test("the history comes from the audit trail, in order; the command itself provides missing steps", () => {
  const ended = command({
    status: "FAILED",
    startedAt: at(1),
    completedAt: at(3),
    errorMessage: "no disk",
    lateResult: { receivedAt: at(4) },
  });
  const kinds = (events: never[]) =>
    trailOf(ended, events).map(({ kind, who }) => `${kind} ${who}`);
  expect(kinds([])).toEqual(["created null", "delivered null", "failed null", "late null"]);
  const events = [
    event("command.retried", 5, { retriedAs: "cmd_2" }),
    event("command.result.late", 4),
    event("command.expired", 3, { errorCode: "COMMAND_TIMED_OUT" }),
    event("command.redelivered", 2),
    event("command.dispatched", 1),
    event("command.created", 0),
    event("something.else", 0),
  ];
  const trail = trailOf(ended, events);
  expect(trail.map(({ kind }) => kind)).toEqual([
    "created",
    "delivered",
    "redelivered",
    "expired",
    "late",
    "retried",
  ]);
  expect(trail[3]?.note).toBe("COMMAND_TIMED_OUT");
  expect(trail[5]?.commandId).toBe("cmd_2");
  const sameMoment = [event("command.completed", 0), event("command.dispatched", 0)];
  expect(trailOf(command(), sameMoment).map(({ kind }) => kind)).toEqual([
    "created",
    "delivered",
    "completed",
  ]);
});

/** Each call of `answer` responds to one fetch. */
function serve() {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const waiting: ((data: unknown) => void)[] = [];
  const asked: { path: string; signal: AbortSignal | null | undefined }[] = [];
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
    asked.push({ path, signal: init.signal });
    return new Promise((resolve) => {
      waiting.push((data) =>
        resolve(Promise.resolve(data).then((is) => Response.json({ data: is }))),
      );
    });
  });
  const turn = () => vi.advanceTimersByTimeAsync(1);
  const answer = async (data: unknown) => {
    waiting.shift()?.(data);
    await turn();
  };
  return { asked, answer, turn };
}

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  forgetCommands();
});

const withKey = (generatedKey: string) =>
  command({ status: "SUCCEEDED", result: { success: true, output: { generatedKey, n: 1 } } });

test("a secret survives a remount, a second read and a response without it", async () => {
  const { asked, answer, turn } = serve();
  const leave = watchCommand("cmd_1", () => undefined);
  void readCommand("cmd_1");
  leave();
  const stay = watchCommand("cmd_1", () => undefined);
  void readCommand("cmd_1");
  await turn();
  expect(asked).toEqual([{ path: "/api/admin/commands/cmd_1?wait=0", signal: undefined }]);

  await answer(withKey("s3cr3t"));
  expect(commandState("cmd_1").secret).toBe("s3cr3t");
  expect(JSON.stringify(commandState("cmd_1").command)).not.toContain("s3cr3t");
  // The second read was postponed, not dropped. Its response no longer contains the secret.
  expect(asked).toHaveLength(2);
  await answer(withKey("[REDACTED]"));
  // Only an unseen secret is kept after its page was left.
  expect(vi.getTimerCount()).toBe(0);
  const { command: shown, secret } = commandState("cmd_1");
  expect({ secret, had: shown && hadSecret(shown) }).toEqual({ secret: "s3cr3t", had: true });

  stay();
  await turn();
  expect(commandState("cmd_1")).toEqual({ command: null, secret: null, error: null });
});

test("an unseen secret is kept until its page opens again, but not for another user", async () => {
  const { asked, answer, turn } = serve();
  for (const isSomebodyElse of [false, true]) {
    const leave = watchCommand("cmd_1", () => undefined);
    void readCommand("cmd_1");
    void readCommand("cmd_1");
    leave();
    await turn();
    if (isSomebodyElse) forgetCommands();
    await answer(withKey("s3cr3t"));
    expect(commandState("cmd_1").secret).toBe(isSomebodyElse ? null : "s3cr3t");
    forgetCommands();
  }
  // A second read that nobody waits for could only lose the secret.
  expect(asked).toHaveLength(2);
});

test("the error of a read that ends after its page was left is forgotten", async () => {
  const { answer, turn } = serve();
  const leave = watchCommand("cmd_1", () => undefined);
  void readCommand("cmd_1");
  leave();
  await turn();
  await answer(Promise.reject(new TypeError("no connection")));
  expect(commandState("cmd_1").error).toBeNull();
});

test("the stream moves a command forward, never back, and a command is read when it ends", async () => {
  const { asked, answer } = serve();
  const leave = watchCommand("cmd_1", () => undefined);
  void readCommand("cmd_1");
  await answer(command({ status: "RUNNING", deliveries: 1 }));
  noteCommand(command({ status: "PENDING" }));
  expect(commandState("cmd_1").command?.status).toBe("RUNNING");
  noteCommand(command({ status: "RUNNING", deliveries: 2 }));
  expect(commandState("cmd_1").command?.deliveries).toBe(2);
  noteCommand(command({ status: "SUCCEEDED" }));
  noteCommand({ ...(command({ status: "SUCCEEDED" }) as object), id: "cmd_2" } as never);
  expect(asked.map(({ path }) => path)).toEqual(Array(2).fill("/api/admin/commands/cmd_1?wait=0"));
  await answer(command({ status: "SUCCEEDED", result: { success: true } }));
  expect(commandState("cmd_1").command?.result).toEqual({ success: true });
  leave();
});

test("a page prepares once, even if React remounts it, and stops waiting when the user leaves it", async () => {
  const { asked, answer, turn } = serve();
  const onEnd = vi.fn();
  prepare("svc_1", "pack", onEnd)();
  const leave = prepare("svc_1", "pack", onEnd);
  await turn();
  expect(asked).toHaveLength(1);
  expect(asked[0]?.signal?.aborted).toBe(false);
  await answer({ inputSchema: {} });
  expect(onEnd.mock.calls).toEqual([[{ kind: "ready", prepared: { inputSchema: {} } }]]);
  leave();

  const leaveEarly = prepare("svc_1", "pack", onEnd);
  await turn();
  leaveEarly();
  expect(asked[1]?.signal?.aborted).toBe(true);
});

test("secrets that the user enters again get their types from the schema", () => {
  const schema = {
    properties: {
      pin: { type: "integer" },
      code: { type: "string" },
      "a/b": { items: { properties: { key: { type: "object" } } } },
    },
  };
  const secrets = { "/pin": "12", "/code": "12", "/a~1b/0/key": '{"k":1}', "/other": "12" };
  expect(secretValues(secrets, schema)).toEqual({
    "/pin": 12,
    "/code": "12",
    "/a~1b/0/key": { k: 1 },
    "/other": "12",
  });
  expect(secretValues({ "/pin": "many" }, schema)).toEqual({ "/pin": "many" });
  expect(secretValues({ "/pin": "12" }, undefined)).toEqual({ "/pin": "12" });
});

test("the page keeps only the newest lines of an output, and finds texts in them", () => {
  const append = outputLines();
  const part = (text: string) => ({
    kind: "TEXT" as const,
    bytes: 1,
    stream: "stdout" as const,
    text,
  });
  let shown = append(noOutput, [part("a\nb"), { kind: "LOST", bytes: 5 }, part("c")]);
  shown = append(shown, [part("d\n")]);
  expect(shown.lines.map(({ text, gap }) => gap?.bytes ?? text)).toEqual(["a", "b", 5, "cd"]);
  expect(shown.hidden).toBe(0);
  const places = (wanted: string) =>
    matchesIn(shown.lines, wanted).map(({ line, begin, end }) => [line, begin, end]);
  expect(places("D")).toEqual([[2, 1, 2]]);
  expect([places(""), places(".*"), places("x")]).toEqual([[], [], []]);
  shown = append(shown, [part("x(\n".repeat(25_000))]);
  expect([shown.lines.length, shown.hidden]).toEqual([10_000, 15_004]);
  // Not all matches are counted.
  expect(places("X(")).toHaveLength(5_000);
});
