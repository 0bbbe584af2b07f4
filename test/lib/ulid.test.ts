// The clock and the randomness are plain functions, so every id is known.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createIdFactory, createUlid, timesOfUlids } from "../../src/lib/ulid.ts";

const zeros = new Uint8Array(10);
const ones = new Uint8Array(10).fill(0xff);

describe("createUlid", () => {
  test.each([
    { now: 0, random: zeros, ulid: "00000000000000000000000000" },
    { now: 2 ** 48 - 1, random: ones, ulid: "7ZZZZZZZZZZZZZZZZZZZZZZZZZ" },
    { now: 1469918176385, random: zeros, ulid: "01ARYZ6S410000000000000000" },
    {
      now: 1,
      random: Uint8Array.of(0x00, 0x44, 0x32, 0x14, 0xc7, 0x42, 0x54, 0xb6, 0x35, 0xcf),
      ulid: "00000000010123456789ABCDEF",
    },
  ])("$now → $ulid", ({ now, random, ulid }) => {
    expect(createUlid(now, random)).toBe(ulid);
  });

  test("sorts by time, then by randomness", () => {
    const time = fc.integer({ min: 0, max: 2 ** 48 - 1 });
    const random = fc.uint8Array({ minLength: 10, maxLength: 10 });
    fc.assert(
      fc.property(time, random, time, random, (time, random, otherTime, otherRandom) => {
        const order = time - otherTime || Buffer.compare(random, otherRandom);
        const [ulid, other] = [createUlid(time, random), createUlid(otherTime, otherRandom)];
        expect(ulid).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
        expect(Math.sign(order)).toBe(ulid < other ? -1 : ulid > other ? 1 : 0);
      }),
    );
  });

  test.each([-1, 2 ** 48, 1.5, Number.NaN])("the time %s is refused", (now) => {
    expect(() => createUlid(now, zeros)).toThrow(RangeError);
  });

  test.each([0, 9, 11])("%s bytes of randomness are refused", (length) => {
    expect(() => createUlid(0, new Uint8Array(length))).toThrow(RangeError);
  });
});

describe("createIdFactory", () => {
  /** The factory's clock is adjustable, and its randomness is one repeated byte. */
  function setUp(byte = 0) {
    const clock = { now: 1000 };
    const newId = createIdFactory(
      () => clock.now,
      (bytes) => bytes.fill(byte),
    );
    return { clock, newId };
  }

  test("increments within a millisecond, whatever the prefix", () => {
    const { newId } = setUp();
    const ids = [newId("a"), newId("b"), newId("a")];
    expect(ids).toEqual([
      "a_00000000Z80000000000000000",
      "b_00000000Z80000000000000001",
      "a_00000000Z80000000000000002",
    ]);
  });

  test("keeps the last time when the clock is set back", () => {
    const { clock, newId } = setUp();
    const first = newId("a");
    clock.now = 500;
    expect(newId("a")).toBe(first.replace(/0$/, "1"));
    clock.now = 1001;
    expect(newId("a")).toBe(`a_${createUlid(1001, zeros)}`);
  });

  test("uses the next millisecond when the random part overflows", () => {
    const { clock, newId } = setUp(0xff);
    expect(newId("a")).toBe(`a_${createUlid(1000, ones)}`);
    expect(newId("a")).toBe(`a_${createUlid(1001, ones)}`);
    clock.now = 1001;
    expect(newId("a")).toBe(`a_${createUlid(1002, ones)}`);
  });

  test("refuses a broken clock", () => {
    const { clock, newId } = setUp();
    clock.now = Number.NaN;
    expect(() => newId("a")).toThrow(RangeError);
  });

  test("each id is greater than the last, whatever the clock does", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 5 }), { minLength: 2 }), (times) => {
        const clock = times.values();
        const newId = createIdFactory(
          () => clock.next().value ?? 0,
          (bytes) => bytes.fill(0xff),
        );
        const ids = times.map(() => newId("a"));
        expect(ids).toEqual([...new Set(ids)].sort());
      }),
    );
  });
});

describe("timesOfUlids", () => {
  test.each([
    { text: "", times: { from: 0, to: 2 ** 48 - 1 } },
    { text: "7ZZZZZZZZZ", times: { from: 2 ** 48 - 1, to: 2 ** 48 - 1 } },
    { text: "01ARYZ6S41", times: { from: 1469918176385, to: 1469918176385 } },
    { text: "01aryz6s4", times: { from: 1469918176384, to: 1469918176415 } },
    { text: "01ARYZ6S410000ZZ", times: { from: 1469918176385, to: 1469918176385 } },
    { text: "8", times: null },
    { text: "01U", times: null },
    { text: "01-", times: null },
  ])("$text", ({ text, times }) => {
    expect(timesOfUlids(text)).toEqual(times);
  });

  test("includes the time of every ULID that begins with the text", () => {
    const time = fc.integer({ min: 0, max: 2 ** 48 - 1 });
    fc.assert(
      fc.property(time, fc.integer({ min: 0, max: 26 }), (now, length) => {
        const times = timesOfUlids(createUlid(now, ones).slice(0, length));
        expect(times?.from).toBeLessThanOrEqual(now);
        expect(times?.to).toBeGreaterThanOrEqual(now);
      }),
    );
  });
});
