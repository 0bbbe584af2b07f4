// The health map follows the live stream without being read for each change.

import { QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { queryClient } from "../../src/console/client/queries.ts";
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

let refresher: Refresher;
let leave: () => void;
let reads: number;
/** What the next reads return. */
let served: typeof firstMap;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal("window", globalThis);
  vi.stubGlobal("document", Object.assign(new EventTarget(), { hidden: false }));
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
