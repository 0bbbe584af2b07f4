// The pool of reader processes, with processes that answer only when the test says so.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type {
  ReaderEvents,
  ReadRequest,
  StatementRequest,
} from "../../src/domain/storage/reader-process.ts";
import type { Reader } from "../../src/store/database.ts";
import { ReaderPool, type ReaderPoolLimits } from "../../src/store/engine/reader-pool.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const staying = { gone: false, onGone: () => () => undefined };

/** A process that remembers its requests. */
class FakeProcess {
  readonly requests: StatementRequest[] = [];
  isKilled = false;
  readonly events: ReaderEvents;

  constructor(events: ReaderEvents) {
    this.events = events;
  }

  send(request: ReadRequest): void {
    this.requests.push(request as StatementRequest);
  }

  kill(): void {
    this.isKilled = true;
  }

  /** Responds to the last request with a row that contains its SQL. */
  answer(): void {
    const { id, sql } = this.requests.at(-1) as StatementRequest;
    this.events.onResponse({ id, rows: [{ sql }] });
  }
}

function openPool(limits: Partial<ReaderPoolLimits> = {}) {
  const started: FakeProcess[] = [];
  const start = (_file: string, events: ReaderEvents) => {
    const process = new FakeProcess(events);
    started.push(process);
    return process;
  };
  const pool = new ReaderPool(start, "platform.db", { processes: 2, together: 2, ...limits });
  return { pool, started, reader: pool.readerFor(staying, "stream") };
}

/** A caller that can leave. */
function leavingCaller() {
  const listeners = new Set<() => void>();
  const onGone = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const leave = () => {
    for (const listener of listeners) listener();
  };
  return { caller: { gone: false, onGone }, leave, listeners };
}

test("reads run in the order of their arrival, one per process", async () => {
  const { started, reader } = openPool();
  const reads = ["a", "b", "c", "d"].map((sql) => reader.all(sql));
  expect(started.map(({ requests }) => requests.map(({ sql }) => sql))).toEqual([["a"], ["b"]]);
  started[1]?.answer();
  started[0]?.answer();
  started[1]?.answer();
  started[0]?.answer();
  expect(await Promise.all(reads)).toEqual([..."abcd"].map((sql) => [{ sql }]));
  expect(started).toHaveLength(2);
});

test("on few processors reads run one after the other, and do not wait for a long one", async () => {
  const { started, reader } = openPool({ together: 1, longMs: 500 });
  const reads = ["long", "b", "c"].map((sql) => reader.all(sql));
  const running = () => started.map(({ requests }) => requests.map(({ sql }) => sql));
  vi.advanceTimersByTime(499);
  expect(running()).toEqual([["long"]]);
  vi.advanceTimersByTime(1);
  expect(running()).toEqual([["long"], ["b"]]);
  started[1]?.answer();
  expect(running()).toEqual([["long"], ["b", "c"]]);
  started[0]?.answer();
  started[1]?.answer();
  expect(await Promise.all(reads)).toHaveLength(3);
  void reader.all("d");
  void reader.all("e");
  expect(running()).toEqual([
    ["long", "d"],
    ["b", "c"],
  ]);
});

test("the first row is requested as such, and no row is undefined", async () => {
  const { started, reader } = openPool();
  const found = reader.get("SELECT ?", 1);
  expect(started[0]?.requests[0]).toEqual({ id: 1, sql: "SELECT ?", params: [1], form: "first" });
  started[0]?.events.onResponse({ id: 1, rows: [] });
  expect(await found).toBeUndefined();
});

test("an error of the storage is UNAVAILABLE, and other errors are unchanged", async () => {
  const { started, reader } = openPool();
  const fail = (code: string | null, message: string) => {
    const id = started[0]?.requests.at(-1)?.id ?? 0;
    started[0]?.events.onResponse({ id, failure: { code, message } });
  };
  const damaged = reader.all("a");
  fail("SQLITE_CORRUPT", "database disk image is malformed");
  await expect(damaged).rejects.toMatchObject({
    code: "UNAVAILABLE",
    cause: { reason: "DAMAGED" },
  });
  const wrong = reader.all("b");
  fail("SQLITE_ERROR", "no such table: x");
  await expect(wrong).rejects.toThrow("no such table: x");
});

test("a read is refused if too many are waiting", async () => {
  const { started, reader } = openPool({ processes: 1, waiting: 2 });
  const reads = ["a", "b", "c"].map((sql) => reader.all(sql));
  await expect(reader.all("d")).rejects.toMatchObject({
    code: "UNAVAILABLE",
    retryAfterSeconds: 1,
    message: "Too many reads of the database are waiting.",
  });
  for (let n = 0; n < 3; n++) started[0]?.answer();
  expect(await Promise.all(reads)).toHaveLength(3);
});

test("one credential can have a quarter of the waiting reads", async () => {
  const { pool, started, reader } = openPool({ processes: 1, waiting: 8 });
  const running = reader.all("running");
  const readerOf = (credential: string) => pool.readerFor({ ...staying, credential }, "stream");
  const one = readerOf("one");
  const many = Promise.allSettled(Array.from({ length: 20 }, (_, n) => one.all(`one ${n}`)));
  const others = [readerOf("other").all("other"), reader.all("no credential")];
  for (let n = 0; n < 5; n++) started[0]?.answer();
  expect(await Promise.all(others)).toEqual([[{ sql: "other" }], [{ sql: "no credential" }]]);
  expect(await running).toHaveLength(1);
  const refused = (await many).filter(({ status }) => status === "rejected");
  expect(refused).toHaveLength(18);
  expect(refused[0]).toMatchObject({ reason: { code: "UNAVAILABLE", retryAfterSeconds: 1 } });
});

test("a read that takes too long is stopped, and the next one runs in a new process", async () => {
  const { started, reader } = openPool({ processes: 1, readMs: 10_000 });
  const slow = reader.all("slow");
  vi.advanceTimersByTime(6_000);
  const next = reader.all("next");
  vi.advanceTimersByTime(4_000);
  await expect(slow).rejects.toThrow("This read took longer than 10 s and was stopped.");
  expect(started.map(({ isKilled }) => isKilled)).toEqual([true, false]);
  started[1]?.answer();
  expect(await next).toEqual([{ sql: "next" }]);
});

test("the time that a read waits counts", async () => {
  const { started, reader } = openPool({ processes: 1, readMs: 10_000 });
  void reader.all("slow").catch(() => undefined);
  vi.advanceTimersByTime(1);
  const waiting = reader.all("waiting").catch((error: Error) => error.message);
  started[0]?.events.onResponse({ id: 1, rows: [] });
  const last = reader.all("last").catch((error: Error) => error.message);
  vi.advanceTimersByTime(10_000);
  expect([await waiting, await last]).toEqual([
    expect.stringContaining("took longer than 10 s"),
    expect.stringContaining("took longer than 10 s"),
  ]);
});

test("all reads of a question share its time, and each read of a stream has its own", async () => {
  const { pool, started } = openPool({ processes: 1, readMs: 10_000 });
  const read = async (reader: Reader) => {
    const rows = reader.all("slow");
    vi.advanceTimersByTime(6_000);
    started.at(-1)?.answer();
    return rows;
  };
  const stream = pool.readerFor(staying, "stream");
  const slow = [{ sql: "slow" }];
  expect([await read(stream), await read(stream)]).toEqual([slow, slow]);
  const question = pool.readerFor(staying);
  expect(await read(question)).toEqual(slow);
  await expect(read(question)).rejects.toThrow("took longer than 10 s");
});

test("a waiting read whose caller leaves is dropped", async () => {
  const { pool, started, reader } = openPool({ processes: 1 });
  const running = reader.all("running");
  const { caller, leave, listeners } = leavingCaller();
  const dropped = pool.readerFor(caller).all("dropped");
  leave();
  await expect(dropped).rejects.toThrow("The read was stopped.");
  started[0]?.answer();
  await running;
  expect(started[0]?.requests.map(({ sql }) => sql)).toEqual(["running"]);
  expect(listeners.size).toBe(0);
});

test("a running read whose caller leaves may end soon, and is stopped otherwise", async () => {
  const { pool, started, reader } = openPool({ processes: 1, abandonedMs: 200 });
  const { caller, leave } = leavingCaller();
  const quick = pool.readerFor(caller).all("quick");
  leave();
  await expect(quick).rejects.toThrow("The read was stopped.");
  vi.advanceTimersByTime(199);
  started[0]?.answer();
  const slow = pool.readerFor(caller).all("slow");
  const next = reader.all("next");
  vi.advanceTimersByTime(1);
  expect(started.map(({ isKilled }) => isKilled)).toEqual([false]);
  leave();
  await expect(slow).rejects.toThrow("The read was stopped.");
  vi.advanceTimersByTime(200);
  expect(started.map(({ isKilled }) => isKilled)).toEqual([true, false]);
  started[1]?.answer();
  expect(await next).toEqual([{ sql: "next" }]);
});

test("callers of the same waiting read share it, until the last one leaves", async () => {
  const { pool, started, reader } = openPool({ processes: 1 });
  const running = reader.all("same", 1);
  const { caller, leave } = leavingCaller();
  const left = pool.readerFor(caller).all("same", 1);
  const [shared, otherParameter] = [reader.all("same", 1), reader.all("same", 2)];
  leave();
  await expect(left).rejects.toThrow("The read was stopped.");
  for (let n = 0; n < 3; n++) started[0]?.answer();
  expect(await Promise.all([running, shared, otherParameter])).toEqual(
    Array(3).fill([{ sql: "same" }]),
  );
  expect(started[0]?.requests.map(({ params }) => params)).toEqual([[1], [1], [2]]);
});

test("a read fails when its process ends, and the next one gets a new process", async () => {
  const { started, reader } = openPool({ processes: 1 });
  const [broken, waiting] = [reader.all("broken"), reader.all("waiting")];
  started[0]?.events.onEnd(new Error("platform read-database ended with SIGKILL"));
  await expect(broken).rejects.toMatchObject({
    code: "UNAVAILABLE",
    retryAfterSeconds: 1,
    cause: { message: "platform read-database ended with SIGKILL" },
  });
  started[1]?.answer();
  expect(await waiting).toEqual([{ sql: "waiting" }]);
});

test("an idle process ends after a while, and not while it reads", async () => {
  const { started, reader } = openPool({ processes: 1, idleMs: 60_000, readMs: 100_000 });
  const first = reader.all("first");
  started[0]?.answer();
  await first;
  vi.advanceTimersByTime(59_999);
  const second = reader.all("second");
  vi.advanceTimersByTime(60_000);
  expect(started[0]?.isKilled).toBe(false);
  started[0]?.answer();
  await second;
  vi.advanceTimersByTime(60_000);
  expect(started[0]?.isKilled).toBe(true);
});

test("closing the pool stops all reads and processes", async () => {
  const { pool, started, reader } = openPool({ processes: 1 });
  const reads = [reader.all("running"), reader.all("waiting")];
  pool.close();
  for (const read of reads) await expect(read).rejects.toThrow("The read was stopped.");
  expect(started.map(({ isKilled }) => isKilled)).toEqual([true]);
});
