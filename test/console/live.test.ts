// Tests what the console reads after messages of the live stream, and when. It does not read the
// health map for each change.

import { focusManager, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { queryClient } from "../../src/console/client/queries.ts";
import { openLiveStream } from "../../src/console/live/live-stream.ts";
import { Pauses } from "../../src/console/live/pauses.ts";
import { Refresher } from "../../src/console/live/refresh.ts";

const key = ["overview.health-map", {}];
const cellOf = (id: string, status: string, rest = {}) => ({
  id,
  code: id,
  name: `The ${id}`,
  status,
  ...rest,
});
const agentOf = (id: string, ...services: object[]) => ({
  id,
  code: id,
  name: null,
  status: "ONLINE",
  services,
});
const firstMap = {
  at: "2026-01-02T03:04:05.000Z",
  agents: [
    agentOf("east", cellOf("api", "HEALTHY"), cellOf("db", "HEALTHY")),
    agentOf("west", cellOf("web", "UNHEALTHY", { healthMessage: "port 8080 is closed" })),
  ],
  total: 3,
  truncated: false,
};
const service = (
  id: string,
  agentId: string,
  status: string,
  healthMessage: string | null = null,
) => ({ type: "service", data: { ...cellOf(id, status), agentId, healthMessage } }) as never;

let page: EventTarget & { hidden: boolean };
let refresher: Refresher;
let leave: () => void;
let reads: number;
/** What the next reads return. */
let served: typeof firstMap;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal("window", globalThis);
  page = Object.assign(new EventTarget(), { hidden: false });
  vi.stubGlobal("document", page);
  reads = 0;
  served = firstMap;
  const observer = new QueryObserver(queryClient, {
    queryKey: key,
    async queryFn() {
      const answer = served;
      reads++;
      await new Promise((resolve) => setTimeout(resolve, 100));
      return answer;
    },
  });
  leave = observer.subscribe(() => undefined);
  refresher = new Refresher();
  await vi.advanceTimersByTimeAsync(100);
  expect(reads).toBe(1);
});

afterEach(() => {
  refresher.close();
  leave();
  queryClient.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const shown = () => queryClient.getQueryData(key) as typeof firstMap;

test("changes appear without a read, and unchanged agents stay the same objects", async () => {
  const [east, west] = shown().agents;
  refresher.note(service("api", "east", "HEALTHY", "a message that the map omits"));
  refresher.note(service("web", "west", "STALE", "slow"));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(shown().agents[0]).toBe(east);
  expect(shown().agents[1]).toEqual(
    agentOf("west", cellOf("web", "STALE", { healthMessage: "slow" })),
  );
  refresher.note(service("web", "west", "HEALTHY", "fine"));
  refresher.note({ type: "agent", data: { ...west, status: "OFFLINE" } } as never);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(shown().agents[1]).toEqual({
    ...agentOf("west", cellOf("web", "HEALTHY")),
    status: "OFFLINE",
  });
  expect(reads).toBe(1);
});

test("a change is shown immediately, and further changes a second later", async () => {
  const web = () => shown().agents[1]?.services[0];
  refresher.note(service("web", "west", "STALE"));
  await vi.advanceTimersByTimeAsync(50);
  expect(web()).toMatchObject({ status: "STALE" });
  refresher.note(service("web", "west", "OFFLINE"));
  refresher.note(service("web", "west", "UNHEALTHY"));
  await vi.advanceTimersByTimeAsync(900);
  expect(web()).toMatchObject({ status: "STALE" });
  await vi.advanceTimersByTimeAsync(100);
  expect(web()).toMatchObject({ status: "UNHEALTHY" });
});

test("a removed service leaves the map without a read, like an agent without services, and further news of it changes nothing", async () => {
  const removed = (id: string, agentId: string, status: string) => {
    const data = { ...cellOf(id, status), agentId, removedAt: firstMap.at };
    refresher.note({ type: "service", data } as never);
    return vi.advanceTimersByTimeAsync(1_000);
  };
  const [, west] = shown().agents;
  for (const status of ["HEALTHY", "STALE"]) {
    await removed("db", "east", status);
    expect(shown()).toEqual({
      ...firstMap,
      agents: [agentOf("east", cellOf("api", "HEALTHY")), west],
      total: 2,
    });
  }
  await removed("api", "east", "HEALTHY");
  expect(shown()).toEqual({ ...firstMap, agents: [west], total: 1 });
  expect(reads).toBe(1);
});

test("the map is read again once, some time after a change", async () => {
  for (let second = 0; second < 59; second++) {
    refresher.note(service("db", "east", "UNHEALTHY", `for ${second} s`));
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(reads).toBe(1);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(reads).toBe(2);
  expect(shown().agents).toEqual(firstMap.agents);
  await vi.advanceTimersByTimeAsync(180_000);
  expect(reads).toBe(2);
});

test.each([
  ["a new service", "cache", "east"],
  ["a service that has moved", "web", "east"],
])("%s is read at once", async (_what, id, agentId) => {
  refresher.note(service(id, agentId, "HEALTHY"));
  await vi.advanceTimersByTimeAsync(1_100);
  expect(reads).toBe(2);
});

test("a service that a truncated map omits is read later", async () => {
  served = { ...firstMap, total: 9_000, truncated: true };
  refresher.noteAll();
  await vi.advanceTimersByTimeAsync(100);
  expect(reads).toBe(2);
  refresher.note(service("cache", "east", "UNHEALTHY"));
  await vi.advanceTimersByTimeAsync(59_000);
  expect(reads).toBe(2);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(reads).toBe(3);
});

test("a change during a read is not lost", async () => {
  refresher.noteAll();
  refresher.note(service("db", "east", "UNHEALTHY", "down"));
  await vi.advanceTimersByTimeAsync(950);
  served = {
    ...firstMap,
    agents: [
      agentOf(
        "east",
        cellOf("api", "HEALTHY"),
        cellOf("db", "UNHEALTHY", { healthMessage: "down" }),
      ),
      agentOf("west", cellOf("web", "HEALTHY")),
    ],
  };
  void queryClient.invalidateQueries({ queryKey: key });
  refresher.note(service("web", "west", "HEALTHY"));
  await vi.advanceTimersByTimeAsync(3_000);
  expect(shown().agents).toEqual(served.agents);
  expect(reads).toBeGreaterThanOrEqual(4);
});

test("old data is read again after a message and when the page gets the focus, but not while a change leaves the page", async () => {
  queryClient.mount();
  await vi.advanceTimersByTimeAsync(10_000);
  const changes = queryClient.getMutationCache();
  const deletion = changes.build(queryClient, {
    mutationFn: () => Promise.resolve(),
    meta: { leaving: true },
    gcTime: Number.POSITIVE_INFINITY,
  });
  const becomeStale = async () => {
    refresher.noteAll();
    focusManager.setFocused(false);
    focusManager.setFocused(true);
    await vi.advanceTimersByTimeAsync(1_100);
  };
  await deletion.execute(undefined);
  await becomeStale();
  expect(reads).toBe(1);
  changes.remove(deletion);
  await becomeStale();
  expect(reads).toBe(2);
  focusManager.setFocused(undefined);
  queryClient.unmount();
});

test("a slow read completes while messages arrive, and is repeated after the last message", async () => {
  const reads: { begun: number; signal: AbortSignal; isDone: boolean }[] = [];
  const observer = new QueryObserver(queryClient, {
    queryKey: ["agents.list"],
    queryFn: async ({ signal }) => {
      const read = { begun: performance.now(), signal, isDone: false };
      reads.push(read);
      await new Promise((resolve) => setTimeout(resolve, 1_200));
      read.isDone = true;
      return reads.length;
    },
  });
  const stop = observer.subscribe(() => undefined);
  let last = 0;
  for (let n = 0; n < 20; n++) {
    refresher.note({ type: "agent", data: {} } as never);
    last = performance.now();
    await vi.advanceTimersByTimeAsync(400);
  }
  expect(reads.filter(({ isDone }) => isDone).length).toBeGreaterThanOrEqual(3);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(reads.every(({ isDone, signal }) => isDone && !signal.aborted)).toBe(true);
  expect(reads.at(-1)?.begun).toBeGreaterThan(last);
  const count = reads.length;
  page.hidden = true;
  refresher.noteAll();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(reads).toHaveLength(count);
  page.hidden = false;
  page.dispatchEvent(new Event("visibilitychange"));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(reads).toHaveLength(count + 1);
  stop();
});

test.each([
  ["agent.deleted", "agents.list", "services.list", "overview.get", "registration-tokens.list"],
  ["service.deleted", "services.list", "agents.get", "overview.health-map"],
])("the audit event %s invalidates %s, %s, %s", async (action, ...old) => {
  const others = ["users.list", "commands.list"];
  for (const name of [...old, ...others]) queryClient.setQueryData([name], {});
  refresher.note({ type: "audit", data: { action } } as never);
  await vi.advanceTimersByTimeAsync(2_000);
  const isOld = (name: string) => queryClient.getQueryState([name])?.isInvalidated;
  expect(old.filter((name) => !isOld(name))).toEqual([]);
  expect(others.filter(isOld)).toEqual([]);
});

test("a stream that keeps failing is reopened with growing, random delays", () => {
  const pauses = new Pauses();
  let now = 0;
  const breakAfter = (openMs: number | null, chance = 1) => {
    if (openMs !== null) pauses.noteOpen(now);
    now += openMs ?? 0;
    return pauses.next(now, chance);
  };
  expect([null, 100, null, 9_999, 0, 0, 0].map((openMs) => breakAfter(openMs))).toEqual([
    500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000,
  ]);
  expect(breakAfter(10_000)).toBe(500);
  expect(breakAfter(null, 0)).toBe(500);
});

test("a connection without responses is replaced, and its late end and messages change nothing", async () => {
  const sockets: FakeSocket[] = [];
  class FakeSocket {
    static readonly OPEN = 1;
    readyState = 1;
    onopen = () => undefined;
    onmessage = (_: { data: string }) => undefined;
    onclose = () => undefined;
    constructor() {
      sockets.push(this);
    }
    close() {
      this.readyState = 2;
    }
  }
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("location", { href: "http://localhost/" });
  vi.stubGlobal("addEventListener", () => undefined);
  const statuses: string[] = [];
  const messages: unknown[] = [];
  const stream = openLiveStream({
    onStatus: (status) => statuses.push(status),
    onMessage: (message) => messages.push(message),
    onRefused: () => statuses.push("asked"),
  });
  sockets[0]?.onopen();
  stream.reconnect();
  stream.reconnect();
  sockets[0]?.onmessage({ data: "{}" });
  expect(statuses).toEqual(["live", "down", "asked"]);
  await vi.advanceTimersByTimeAsync(500);
  sockets[1]?.onopen();
  sockets[0]?.onclose();
  expect(statuses).toEqual(["live", "down", "asked", "live"]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sockets).toHaveLength(2);
  expect(messages).toEqual([]);
  stream.close();
  sockets[1]?.onclose();
  expect(statuses).toHaveLength(4);
});
