import { expect, test } from "vitest";
import {
  outputOf,
  preparedFrom,
  reportedError,
  shownOf,
} from "../../../../src/agent/sidecar/actions/program-output.ts";
import { Beginning, Ending } from "../../../../src/agent/sidecar/programs/bounded-output.ts";

const whole = (text: string) => ({ text, cut: false, bytes: text.length });

test.each<[string, unknown]>([
  ["", null],
  ['{"a":1}\n', { a: 1 }],
  ["[1, 2]", [1, 2]],
  ['"quoted"', "quoted"],
  ["42\n", 42],
  ["12345678901234567890", "12345678901234567890"],
  ["plain\ntext\n\n", "plain\ntext\n"],
  ['{"a":1', '{"a":1'],
  ['{"a":1}{"b":2}', '{"a":1}{"b":2}'],
  // The server would refuse this text as JSON.
  ['{"a":1,"a":2}', '{"a":1,"a":2}'],
  ['{"__proto__":1}', '{"__proto__":1}'],
  ["[".repeat(30) + "]".repeat(30), expect.any(Array)],
  ["[".repeat(31) + "]".repeat(31), expect.any(String)],
  ["\u0001\u001b[31m", "\u0001\u001b[31m"],
])("the output %j becomes %j", (text, output) => {
  expect(outputOf(whole(text))).toEqual(output);
});

test("truncated output is marked and is never read as JSON", () => {
  expect(outputOf({ text: "[1]", cut: true, bytes: 5_000_000 })).toEqual({
    truncated: true,
    bytes: 5_000_000,
    message: "The output (4.8 MiB) was cut to its first 256.0 KiB.",
    output: "[1]",
  });
  expect(outputOf({ text: "x", cut: true, bytes: null })).not.toHaveProperty("bytes");
});

test("cut text does not end inside a secret", () => {
  const before = "x".repeat(3980);
  for (const secret of ['"password": "hunter2…hunter2"', `platform_agent_${"1".repeat(43)}`]) {
    expect(shownOf(`${before}${secret}`)).toBe(before);
    expect(
      outputOf({ text: `${before}${secret.slice(0, 20)}`, cut: true, bytes: null }),
    ).toMatchObject({
      output: before,
    });
    expect(shownOf(secret)).toBe(secret);
  }
  expect(shownOf("x".repeat(5000))).toBe("x".repeat(4000));
});

test.each<[string, unknown]>([
  [
    '{"inputSchema":{},"initialPayload":1,"currentState":"x"}',
    { inputSchema: {}, initialPayload: 1, currentState: "x" },
  ],
  ['{"currentState":null}', { currentState: null }],
  ['{"stateFingerprint":"v1"}', { stateFingerprint: "v1" }],
  ['{"inputSchema":"x"}', { currentState: { inputSchema: "x" } }],
  ['{"inputSchema":{},"more":1}', { currentState: { inputSchema: {}, more: 1 } }],
  ["{}", { currentState: {} }],
  ["# Server\nredis_version:7\n", { currentState: "# Server\nredis_version:7" }],
  ["", { currentState: null }],
])("the form in %j is read", (text, prepared) => {
  expect(preparedFrom(whole(text))).toEqual(prepared);
});

test("a truncated form is refused, and a truncated current state is kept", () => {
  const cut = { cut: true, bytes: 1e6 };
  expect(() => preparedFrom({ ...cut, text: ' {"inputSchema"' })).toThrow(
    expect.objectContaining({ code: "OUTPUT_TOO_LARGE" }),
  );
  expect(preparedFrom({ ...cut, text: "state" })).toMatchObject({
    currentState: { output: "state" },
  });
});

test.each<[unknown, object]>([
  [
    { error: { code: "C", message: "m", details: [1], requestId: "r" } },
    { code: "C", message: "m", details: [1] },
  ],
  [{ error: { code: 5, message: " " } }, {}],
  [{ type: "about:blank", title: "Full", detail: "No room." }, { message: "No room." }],
  [{ title: "Full" }, { message: "Full" }],
  [{ message: "m", statusCode: 500 }, { message: "m" }],
  [{ error: "text" }, { message: "text" }],
  [["error"], {}],
  ["error", {}],
  [null, {}],
])("the error in %j is read", (value, told) => {
  expect(reportedError(value as never)).toEqual(told);
});

test("the kept beginning is limited and ends with a whole character, however the output is split", () => {
  const text = "ä€🙂".repeat(20);
  const bytes = Buffer.from(text);
  for (let maxBytes = 1; maxBytes <= bytes.length + 1; maxBytes++) {
    for (const size of [1, 7, 1000]) {
      const kept = new Beginning(maxBytes);
      for (let at = 0; at < bytes.length; at += size) kept.add(bytes.subarray(at, at + size));
      expect(text.startsWith(kept.text())).toBe(true);
      expect(Buffer.byteLength(kept.text())).toBeGreaterThan(Math.min(maxBytes, bytes.length) - 4);
      expect([kept.bytes, kept.isCut]).toEqual([bytes.length, bytes.length > maxBytes]);
    }
  }
});

test("the kept beginning of invalid UTF-8 has replacement characters", () => {
  const kept = new Beginning(10);
  kept.add(Buffer.from([0xff, 0x41, 0xc3]));
  expect(kept.text()).toBe("�A�");
});

test.each<[string, number, string[]]>([
  ["", 3, []],
  ["one\ntwo\r\n\n three \n", 3, ["one", "two", " three "]],
  ["one\ntwo\nthree\nfour", 2, ["three", "four"]],
  ["10%\r20%\r30%\n", 2, ["20%", "30%"]],
  [`lost ${"x".repeat(100)}\nkept\n`, 3, ["kept"]],
  [`${"€".repeat(100)}`, 3, ["€".repeat(33)]],
  [`${"€".repeat(100)}\n\n`, 3, ["€".repeat(32)]],
])("the last lines of %j are found", (text, max, lines) => {
  const bytes = Buffer.from(text);
  for (const size of [1, 3, 5000]) {
    const kept = new Ending(100);
    for (let at = 0; at < bytes.length; at += size) kept.add(bytes.subarray(at, at + size));
    expect(kept.lines(max)).toEqual(lines);
  }
});
