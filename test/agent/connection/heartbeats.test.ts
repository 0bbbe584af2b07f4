import { expect, test, vi } from "vitest";
import type { AgentContext } from "../../../src/agent/agent-context.ts";
import { CallSchedule } from "../../../src/agent/connection/call-schedule.ts";
import { Connection } from "../../../src/agent/connection/connection.ts";
import { createHeartbeats } from "../../../src/agent/connection/heartbeats.ts";
import { createEmit } from "../../../src/agent/events/events.ts";
import { createReporter } from "../../../src/agent/services/reporter.ts";
import { settingsOf } from "../../../src/agent/settings.ts";

function makeHeartbeats(answer: () => object) {
  const events: string[] = [];
  const agent = { code: "edge-1", mode: "embedded" };
  const settings = settingsOf({ agent, server: "http://127.0.0.1:1", stateDir: "state" });
  const emit = createEmit(({ type }) => events.push(type));
  const context: AgentContext = { settings, emit, stopSignal: new AbortController().signal };
  const connection = new Connection(context, {} as never);
  const call = async () => ({
    serverTime: new Date().toISOString(),
    clockSkewMs: 0,
    heartbeatIntervalSeconds: 30,
    cancelled: [],
    ...answer(),
  });
  connection.persist = (send) => send({ call } as never, context.stopSignal, 0);
  const heartbeats = createHeartbeats(
    context,
    connection,
    new CallSchedule().add(),
    () => undefined,
  );
  return { heartbeats, context, connection, events };
}

/**
 * Sends one heartbeat for each of the server's answers. Returns the types of the emitted events.
 */
async function eventsFor(answers: (boolean | undefined)[]): Promise<string[]> {
  let next = 0;
  const { heartbeats, events } = makeHeartbeats(() => ({ duplicated: answers[next++] }));
  for (const _ of answers) await heartbeats.beat();
  return events;
}

test("the latest heartbeat says whether another program uses the token now", async () => {
  let duplicated = false;
  const { heartbeats } = makeHeartbeats(() => ({ duplicated }));
  const seen: unknown[] = [];
  for (duplicated of [false, true, false]) {
    await heartbeats.beat();
    seen.push(heartbeats.sharing());
  }
  expect(seen).toEqual([
    { isShared: false, wasShared: false },
    { isShared: true, wasShared: true },
    { isShared: false, wasShared: true },
  ]);
});

test("the interval of reports follows the latest heartbeat, or the registration if the server is older", async () => {
  let answer = {};
  const { heartbeats, context, connection } = makeHeartbeats(() => answer);
  vi.spyOn(connection, "identity", "get").mockReturnValue({
    ...{ server: "", agentCode: "edge-1", agentId: "", agentToken: "" },
    ...{ reportIntervalSeconds: 20, pollWaitSeconds: 25 },
  });
  const repeat = vi.fn(async (_: () => number) => undefined);
  const { reportSeconds } = heartbeats;
  const none = {} as never;
  const reporter = createReporter(
    context,
    none,
    connection,
    { repeat } as never,
    none,
    reportSeconds,
  );
  await reporter.reportForever(context.stopSignal);
  const intervalMs = repeat.mock.calls[0]![0];
  await heartbeats.beat();
  expect(intervalMs()).toBe(20_000);
  answer = { reportIntervalSeconds: 5 };
  await heartbeats.beat();
  expect(intervalMs()).toBe(5000);
});

test.each<{ what: string; answers: (boolean | undefined)[]; events: string[] }>([
  {
    what: "each change is an event",
    answers: [false, true, true, false, false, true],
    events: ["token.shared", "token.unshared", "token.shared"],
  },
  {
    what: "a server that does not know changes nothing",
    answers: [undefined, true, undefined, true, undefined, false],
    events: ["token.shared", "token.unshared"],
  },
])("another program with the agent's token: $what", async ({ answers, events }) => {
  expect(await eventsFor(answers)).toEqual(events);
});
