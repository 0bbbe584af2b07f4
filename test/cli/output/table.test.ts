// Tests the layout of tables, of messages and of times.

import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import { relativeTime } from "../../../src/cli/output/relative-time.ts";
import { growingLayout, layOut } from "../../../src/cli/output/table.ts";
import { aligned, cutTo, padTo, wrapLines, wrapTo } from "../../../src/cli/output/text-width.ts";

const plain = (text: string) => text;
const columns = [
  { head: "CODE", firm: true },
  { head: "NAME", firm: false },
  { head: "STATUS", firm: true },
  { head: "MESSAGE", firm: false },
];
const rows = [
  ["edge-1", "漢字のサービス名", "ONLINE", "家族 👨‍👩‍👧‍👦 and flags 🇩🇪 and more of it"],
  ["edge-22", "new 👍🏽 emoji", "OFFLINE", "-"],
  ["x", "e\u0301galite\u0301", "ONLINE", "word ".repeat(1000)],
];
const grid = { columns, rows, headed: true, paint: plain };

const linesOf = (width?: number, mayLeaveOut = true) =>
  layOut(grid, width, mayLeaveOut).text.trimEnd().split("\n");

test("without a terminal the width is unlimited, and columns are aligned", () => {
  const [head = "", ...lines] = linesOf();
  const at = head.indexOf("STATUS");
  for (const [index, line] of lines.entries()) {
    const before = line.slice(0, line.indexOf(rows[index]?.[2] ?? ""));
    expect(stringWidth(before)).toBe(at);
    expect(line).toContain(rows[index]?.[3]?.trim());
  }
});

test("a growing table fits, and repeats its heads only when other columns are shown", () => {
  const columns = [
    { head: "CODE", firm: true },
    { head: "RESULT", firm: true, usual: "SUCCESS" },
    { head: "NOTE", firm: false },
  ];
  const add = growingLayout(30, true);
  const some = (...rows: string[][]) => add({ columns, rows, headed: true, paint: plain });
  const words = "a long note of many words";
  expect(some(["a-1", "SUCCESS", words])).toEqual({
    text: "CODE  NOTE\na-1   a long note of many wor…\n",
    leftOut: ["RESULT"],
  });
  expect(some(["a-1234", "SUCCESS", "short"])).toEqual({ text: "a-1234  short\n", leftOut: [] });
  expect(some(["a-1", "FAILED", words]).text).toBe(
    "CODE    RESULT   NOTE\na-1     FAILED   a long note…\n",
  );
  expect(some(["a-1", "SUCCESS", "short"]).text).toBe("a-1     SUCCESS  short\n");
});

test.each([80, 40, 24])("no line is wider than %d columns", (width) => {
  for (const line of linesOf(width)) expect(stringWidth(line)).toBeLessThanOrEqual(width);
});

test("long values continue below their beginning, and long words stay whole", () => {
  const id = "x".repeat(30);
  const lines = [
    ["reason", "the disk fills up too fast"],
    ["id", id],
    ["see", `the page ${id} 漢字 漢字 漢字 漢字 漢字`],
  ] as const;
  expect(aligned(lines, 28)).toEqual([
    "reason  the disk fills up\n        too fast",
    `id      ${id}`,
    `see     the page\n        ${id}\n        漢字 漢字 漢字 漢字\n        漢字`,
  ]);
  expect(aligned(lines)[0]).toBe("reason  the disk fills up too fast");
});

test("long text is cut first, and then columns are left out from the right, but never keys", () => {
  const narrow = layOut(grid, 60, true);
  expect(narrow.leftOut).toEqual([]);
  expect(narrow.text).toContain("…");
  const narrower = layOut(grid, 27, true);
  expect(narrower.leftOut).toEqual(["MESSAGE"]);
  for (const [code = "", , status = ""] of rows) {
    expect(narrower.text).toMatch(new RegExp(`^${code} .* ${status}$`, "m"));
  }
});

test("if requested columns do not fit, each row becomes a block", () => {
  const { text, leftOut } = layOut(grid, 24, false);
  expect(leftOut).toEqual([]);
  expect(text.split("\n\n")).toHaveLength(rows.length);
  expect(text).toMatch(/^CODE: edge-1\nNAME: 漢字のサービス名\nSTATUS: ONLINE\nMESSAGE: 家族/);
});

test("a key that is wider than the terminal is printed whole", () => {
  const id = `agt_${"0".repeat(26)}`;
  const one = { columns: [{ head: "ID", firm: true }], rows: [[id]], headed: true, paint: plain };
  expect(layOut(one, 20, true).text).toBe(`ID: ${id}\n`);
});

test("colours do not count towards the width", () => {
  const painted = { ...grid, paint: (text: string) => `\u001b[32m${text}\u001b[39m` };
  const { text } = layOut(painted, 60, true);
  expect(text.replaceAll(/\p{Cc}\[3[29]m/gu, "").replaceAll(/ +$/gm, "")).toBe(
    layOut(grid, 60, true).text,
  );
});

describe("text is cut between characters", () => {
  test.each([
    { text: "abcdef", width: 6, cut: "abcdef" },
    { text: "abcdefg", width: 6, cut: "abcde…" },
    { text: "漢字漢字", width: 6, cut: "漢字…" },
    { text: "👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦", width: 5, cut: "👨‍👩‍👧‍👦👨‍👩‍👧‍👦…" },
    { text: "🇩🇪🇫🇷🇮🇹", width: 5, cut: "🇩🇪🇫🇷…" },
    { text: "e\u0301e\u0301e\u0301", width: 2, cut: "e\u0301…" },
  ])("$text is cut to $width columns", ({ text, width, cut }) => {
    expect(cutTo(text, width)).toBe(cut);
    expect(stringWidth(padTo(cutTo(text, width), width))).toBe(width);
  });
});

test.each([
  { text: "a sound host", width: 12, lines: ["a sound host"] },
  { text: "a sound host", width: 7, lines: ["a sound", "host"] },
  { text: "in /srv/data", width: 5, lines: ["in", "/srv/", "data"] },
  { text: "worker-eu-central-1a", width: 12, lines: ["worker-eu-", "central-1a"] },
  { text: "a-longword", width: 6, lines: ["a-long", "word"] },
  { text: "漢字 漢字漢", width: 5, lines: ["漢字", "漢字", "漢"] },
])("$text wraps at $width columns", ({ text, width, lines }) => {
  expect(wrapTo(text, width).split("\n")).toEqual(lines);
});

test("a column that wraps is neither cut nor left out", () => {
  const columns = [
    { head: "STATE", firm: true },
    { head: "FOUND", firm: false, wraps: true },
    { head: "NOTE", firm: true },
  ];
  const rows = [["OK", "kept in /var/cache", "well"]];
  const grid = { columns, rows, headed: true, paint: plain };
  expect(layOut(grid, 31, true).leftOut).toEqual([]);
  expect(layOut(grid, 17, true)).toEqual({
    text: "STATE  FOUND\nOK     kept in\n       /var/cache\n",
    leftOut: ["NOTE"],
  });
  expect(layOut(grid, 9, true)).toEqual({
    text: "STATE: OK\nFOUND: kept in /var/cache\nNOTE: well\n",
    leftOut: [],
  });
});

test("columns that matter stay, and a long key wraps at its marks", () => {
  const columns = [
    { head: "CODE", firm: true },
    { head: "AGENT", firm: false },
    { head: "WHY", firm: false, stays: true },
    { head: "SEEN", firm: true },
    { head: "ERROR", firm: false, stays: true },
  ];
  const rows = [["billing-worker-eu-central-1a", "edge-1", "-", "1m ago", "connection refused"]];
  const grid = { columns, rows, headed: true, paint: plain };
  expect(layOut(grid, 69, true).leftOut).toEqual([]);
  expect(layOut(grid, 68, true).leftOut).toEqual(["WHY"]);
  expect(layOut(grid, 44, true)).toEqual({
    text:
      "CODE                      ERROR\n" +
      "billing-worker-eu-        connection refused\ncentral-1a\n",
    leftOut: ["AGENT", "WHY", "SEEN"],
  });
  expect(layOut({ ...grid, oneLine: true }, 44, true).text).toContain(
    "eu-central-1a  connection re…",
  );
});

test("columns are left out before text is cut too short", () => {
  const columns = [
    { head: "ID", firm: true },
    { head: "NAME", firm: false },
    { head: "TYPE", firm: true },
  ];
  const rows = [["id-0000001", "log-collector", "ACTION_EXECUTE"]];
  const grid = { columns, rows, headed: false, paint: (text: string) => text };
  expect(layOut(grid, 36, true)).toEqual({
    text: "id-0000001  log-col…  ACTION_EXECUTE\n",
    leftOut: [],
  });
  expect(layOut(grid, 35, true)).toEqual({
    text: "id-0000001  log-collector\n",
    leftOut: ["TYPE"],
  });
});

test("columns that say nothing are left out before anything is cut, and then minor columns", () => {
  const columns = [
    { head: "ID", firm: true },
    { head: "SEQ", firm: false, minor: true },
    { head: "RESULT", firm: true, stays: true, usual: "SUCCESS" },
    { head: "NOTE", firm: false },
    { head: "ERROR", firm: false, stays: true },
  ];
  const row = ["id-0000001", "1024", "SUCCESS", "a longer note", "-"];
  const grid = { columns, rows: [row], headed: true, paint: plain };
  expect(layOut(grid, 49, true).leftOut).toEqual([]);
  expect(layOut(grid, 40, true).leftOut).toEqual(["ERROR"]);
  expect(layOut(grid, 39, true).leftOut).toEqual(["RESULT", "ERROR"]);
  expect(layOut(grid, 25, true)).toEqual({
    text: "ID          NOTE\nid-0000001  a longer note\n",
    leftOut: ["SEQ", "RESULT", "ERROR"],
  });
  const failed = { ...grid, rows: [row, ["id-0000002", "1025", "FAILURE", "-", "-"]] };
  expect(layOut(failed, 28, true).leftOut).toEqual(["SEQ", "NOTE", "ERROR"]);
});

test.each([
  { text: "a sound host", width: 20, lines: ["a sound host"] },
  {
    text: "cannot open the disk-usage report",
    width: 20,
    lines: ["cannot open the", "disk-usage report"],
  },
  { text: "  web-1, web-2: stopped", width: 18, lines: ["  web-1, web-2:", "    stopped"] },
  { text: "To do it: platformctl x y", width: 20, lines: ["To do it:", "platformctl x y"] },
  {
    text: "Do it: platformctl x yyyyyyyyyy",
    width: 20,
    lines: ["Do it:", "platformctl x yyyyyyyyyy"],
  },
])("the message $text wraps at $width columns", ({ text, width, lines }) => {
  expect(wrapLines(text, width).split("\n")).toEqual(lines);
});

test.each([
  ["2026-01-02T00:00:00Z", "in 1d"],
  ["2026-01-01T23:59:42Z", "in 23h59m"],
  ["2026-01-02T00:00:30Z", "in 1d"],
  ["2026-01-01T00:00:59Z", "in 59s"],
  ["2025-12-30T23:59:00Z", "1d ago"],
  ["2026-01-01T00:00:00Z", "now"],
])("%s is %s", (iso, text) => {
  expect(relativeTime(iso, Date.parse("2026-01-01T00:00:00Z"))).toBe(text);
});
