import { expect, test } from "vitest";
import { frontOf, refusal } from "../helpers/http/front.ts";
import { listenTestApp } from "../helpers/http/http.ts";
import {
  cutOff,
  ended,
  execute,
  fast,
  serviceWith,
  startAgent,
  startWired,
  until,
} from "./harness.ts";

const storageFull = [503, refusal("UNAVAILABLE")] as const;
const tooMany = [429, refusal("RATE_LIMITED")] as const;
const tooManyOfNewer = [429, refusal("SLOW_DOWN")] as const;
const maintenance = [503, "<h1>Maintenance</h1>"] as const;

test("an agent repeats every kind of call after the server's Retry-After and not before", async () => {
  const kinds = [
    { code: "registers", refused: /\/register$/, answer: tooMany },
    { code: "beats", refused: /\/heartbeat$/, answer: maintenance },
    { code: "reports", refused: /\/services$/, answer: storageFull },
    { code: "polls", refused: /\/commands\?/, answer: storageFull },
    { code: "results", refused: /\/result$/, answer: tooManyOfNewer },
  ];
  const waits = await Promise.all(
    kinds.map(async ({ code, refused, answer }) => {
      const server = await listenTestApp();
      const front = await frontOf(server, refused, answer);
      // Other calls reach the server in the meantime. That is no reason to retry earlier.
      const timing = { ...fast, heartbeatSeconds: 0.1 };
      await startAgent(server, serviceWith({}), { server: front.url, timing });
      expect(await ended(server, await execute(server))).toMatchObject({ status: "SUCCEEDED" });
      const [first = 0, second = 0] = front.calls;
      return { code, isLater: second - first >= 1000, is: second - first };
    }),
  );
  expect(waits.filter(({ isLater }) => !isLater)).toEqual([]);
});

test("a large number of results does not lengthen the server's Retry-After", async () => {
  const server = await listenTestApp();
  const refusals = { times: Number.POSITIVE_INFINITY, retryAfter: 30 };
  const front = await frontOf(server, /\/result$/, storageFull, refusals);
  const codes = Array.from({ length: 9 }, (_, index) => `service-${index}`);
  const tested = await startAgent(
    server,
    codes.flatMap((code) => serviceWith({}, code)),
    { server: front.url, concurrency: 9, timing: cutOff },
  );
  for (const code of codes) await execute(server, {}, code);
  const retries = () => tested.events.filter((event) => event.type === "result.retry");
  await until(() => retries().length === 9, "all retries");
  const delays = retries().map(({ delayMs }) => delayMs);
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(30_000);
  expect(Math.max(...delays)).toBeLessThanOrEqual(30_150);
});

test("after an outage the server accepts all results, and more results mean fewer retries of each", async () => {
  const codes = Array.from({ length: 16 }, (_, index) => `service-${index}`);
  let runs = 0;
  const gate = Promise.withResolvers<void>();
  const run = async () => {
    runs++;
    await gate.promise;
  };
  const { server, wire, tested } = await startWired(
    codes.flatMap((code) => serviceWith({ execute: run }, code)),
    { concurrency: 16 },
  );
  const ids: string[] = [];
  for (const code of codes) ids.push(await execute(server, {}, code));
  await until(() => runs === 16, "all runs");
  wire.up = false;
  gate.resolve();
  const retries = () => tested.events.filter((event) => event.type === "result.retry");
  await until(() => retries().length >= 100, "retries");
  // A single result would wait at most 50 ms.
  const longest = Math.max(...retries().map(({ delayMs }) => delayMs));
  expect(longest).toBeGreaterThan(50);
  expect(longest).toBeLessThanOrEqual(200);
  wire.up = true;
  for (const id of ids) expect(await ended(server, id)).toMatchObject({ status: "SUCCEEDED" });
});

test("while the server refuses results only, the agent reports one loss and one return", async () => {
  const server = await listenTestApp();
  const front = await frontOf(server, /\/result$/, storageFull, { times: 20, retryAfter: 0 });
  const timing = { ...fast, heartbeatSeconds: 0.01 };
  const tested = await startAgent(server, serviceWith({}), { server: front.url, timing });
  expect(await ended(server, await execute(server))).toMatchObject({ status: "SUCCEEDED" });
  await tested.event("connection.restored");
  const types = tested.events.map(({ type }) => type);
  const news = types.filter((type) => type.startsWith("connection."));
  expect(news).toEqual(["connection.lost", "connection.restored"]);
  expect(front.calls).toHaveLength(21);
});
