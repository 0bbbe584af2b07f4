// All processes of a cluster use the database's clock.

import { afterEach, describe, expect, test, vi } from "vitest";
import { DatabaseClock } from "../../../../src/store/engine/postgresql/clock.ts";
import { hasPostgres } from "../../../helpers/postgres.ts";
import { databaseTime, openEngine, openOn } from "./engine.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

describe("a reading of the clock", () => {
  /** A clock that was read at 1,000,000 when `performance.now()` was 500. */
  function opened() {
    let passed = 500;
    vi.spyOn(performance, "now").mockImplementation(() => passed);
    const clock = new DatabaseClock(1_000_000);
    const pass = (ms: number) => {
      passed += ms;
    };
    return { clock, pass };
  }

  test("advances with the monotonic clock", () => {
    const { clock, pass } = opened();
    expect(clock.now()).toBe(1_000_000);
    pass(250.75);
    expect(clock.now()).toBe(1_000_250);
  });

  test.each([
    ["forward", 1_060_000],
    ["back", 940_000],
  ])("follows a database whose clock was set %s", (_, reading) => {
    const { clock, pass } = opened();
    pass(1000);
    const sentAt = performance.now();
    pass(2);
    clock.note(reading, sentAt);
    expect(Math.abs(clock.now() - reading)).toBeLessThanOrEqual(3);
  });

  test("changes nothing if its response came late, as after a pause of the process", () => {
    const { clock, pass } = opened();
    const sentAt = performance.now();
    pass(20_000);
    clock.note(1_000_001, sentAt);
    expect(clock.now()).toBe(1_020_000);
  });
});

describe.skipIf(!hasPostgres)("the time of a process", () => {
  const hour = 3_600_000;

  test("is the database's, whatever its own wall clock shows", async () => {
    const { url, database, other } = await openEngine();
    const real = Date.now;
    vi.spyOn(Date, "now").mockImplementation(() => real() + hour);
    const second = await openOn(url);
    const written = await second.write(async (tx) => tx.now);
    const time = await databaseTime(other);
    for (const each of [database.now(), second.now(), written]) {
      expect(Number.isInteger(each)).toBe(true);
      expect(Math.abs(each - time)).toBeLessThan(hour / 2);
    }
  });

  test("follows the database's clock without a write", async () => {
    const { other } = await openEngine();
    const before = await databaseTime(other);
    const note = vi.spyOn(DatabaseClock.prototype, "note");
    const newest = () => Math.max(...note.mock.calls.map(([reading]) => reading));
    await vi.waitFor(() => expect(newest()).toBeGreaterThanOrEqual(before), {
      timeout: 60_000,
      interval: 50,
    });
    expect(newest()).toBeLessThanOrEqual(await databaseTime(other));
  });
});
