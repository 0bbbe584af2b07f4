import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatDuration, parseDurationSeconds } from "../../src/lib/duration.ts";

describe("parseDurationSeconds", () => {
  test.each([
    { text: "90", seconds: 90 },
    { text: "7d", seconds: 604_800 },
    { text: "1d2h3m4s", seconds: 93_784 },
    { text: "007", seconds: 7 },
    { text: "1m90s", seconds: 150 },
  ])("$text", ({ text, seconds }) => {
    expect(parseDurationSeconds(text)).toBe(seconds);
  });

  const wrong = ["", " ", "h", "1h30", "30m1h", "1h1h", "1.5h", "-1h", "+1h", "1 h", "90 ", "1H"];
  test.each([...wrong, "1w", "never", "1e3", "9".repeat(30), `${"9".repeat(15)}d`, "1\n"])(
    "'%s' is not a duration",
    (text) => {
      expect(parseDurationSeconds(text)).toBeNull();
    },
  );

  test("returns null or a safe integer for any text", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseDurationSeconds(text)).toSatisfy(
          (seconds) => seconds === null || Number.isSafeInteger(seconds),
        );
      }),
    );
  });
});

describe("formatDuration", () => {
  test.each([
    { seconds: 0, text: "0s" },
    { seconds: 0.9, text: "0s" },
    { seconds: -0.9, text: "0s" },
    { seconds: 90, text: "1m30s" },
    { seconds: 93_784, text: "1d2h3m4s" },
    { seconds: -90, text: "-1m30s" },
  ])("$seconds → $text", ({ seconds, text }) => {
    expect(formatDuration(seconds)).toBe(text);
  });

  test("a formatted duration parses to the same seconds", () => {
    fc.assert(
      fc.property(fc.nat(), (seconds) => {
        expect(parseDurationSeconds(formatDuration(seconds))).toBe(seconds);
      }),
    );
  });
});
