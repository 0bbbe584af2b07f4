// Each kind of violation, and code that only resembles it. The files are in a temporary folder.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { checkTests, findIn, type Kind } from "../../scripts/check-tests.ts";
import { exceptions } from "../../scripts/test-exceptions.ts";
import { temporaryFolder } from "../helpers/app.ts";

const browser = 'import type { Page } from "playwright-core";\n';

const refused: [kind: Kind, text: string][] = [
  ["wait", 'import { setTimeout as sleep } from "node:timers/promises";'],
  ["wait", 'import * as timers from "node:timers/promises";'],
  ["wait", "await new Promise((resolve) => setTimeout(resolve, 50));"],
  ["wait", "globalThis.setTimeout(() => line.abort(), 20);"],
  ["wait", 'vi.useFakeTimers({ toFake: ["setInterval"] }); setTimeout(go, 5);'],
  ["wait", "setInterval(look, 20);"],
  ["wait", "await sleep(100);"],
  ["wait", 'await page.waitForLoadState("networkidle");'],
  ["wait", "await page.waitForTimeout(500);"],
  ["wait", "Atomics.wait(cell, 0, 0, 1000);"],
  ["measure", "const started = performance.now();"],
  ["measure", "const { heapUsed } = process.memoryUsage();"],
  ["measure", `readFileSync(\`/proc/\${pid}/stat\`, "utf8");`],
  ["measure", "const began = Date.now(); expect(Date.now() - began).toBeLessThan(500);"],
  ["measure", "const at = Date.now(); const ms = Date.now() - at; expect(n).toBeLessThan(5 + ms);"],
  ["measure", "const at = new Date().getTime(); expect(Date.now() - at).toBeLessThan(500);"],
  [
    "measure",
    "const seen = { at: Date.now() }; const { at } = seen; took.push(at - Date.parse(sent));",
  ],
  ["process", "expect(process.getActiveResourcesInfo()).toEqual([]);"],
  ["page-read", `${browser}expect(await page.getByRole("row").count()).toBe(2);`],
  ["page-read", `${browser}expect((await cell.textContent())?.trim()).toBe("x");`],
  ["page-read", `${browser}const found = await rows.count(); expect(found).toBe(2);`],
  [
    "page-read",
    `${browser}const icon = () => link.getAttribute("href"); expect(await icon()).toBe("");`,
  ],
  ["page-read", `${browser}expect(await focused(console.page)).toBe("Menu");`],
  ["page-read", `${browser}const url = new URL(page.url()); expect(url.pathname).toBe("/");`],
  ["route", 'await page.route("**/pause", refuse, { times: 1 });'],
  ["route", 'await page.unroute("**/pause");'],
  ["route", "await asking.page.unrouteAll();"],
  [
    "port",
    `async function freePort() {
      const server = createServer().listen(0, "127.0.0.1");
      const { port } = server.address();
      server.close();
      return port;
    }`,
  ],
  ["port", 'createServer().listen(8080, "127.0.0.1");'],
  ["port", 'createServer().listen({ host: "127.0.0.1", port: 8080 });'],
  ["port", "await startServer({ dataDir, port: 8123 });"],
  ["chance", 'expect(await response.text()).not.toContain("4711");'],
  ["chance", "expect(text).not.toMatch(/4711/);"],
  ["chance", "expect(text).not.toContain(`4711`);"],
  ["chance", 'expect(text.includes("4711")).toBe(false);'],
  ["limit", 'test("a", { timeout: 5000 }, work);'],
  ["limit", 'test.runIf(isLong).each([1, 2])("a", { timeout: 5000 * rounds }, work);'],
  ["limit", 'describe.skipIf(isSmall)("a", { timeout: 5000 }, tests);'],
  ["terminal", 'import { spawn } from "@lydell/node-pty";'],
];

test.each(refused)("%s: %s", (kind, text) => {
  expect(new Set(findIn("test/core/a.test.ts", text).map((found) => found.kind))).toEqual(
    new Set([kind]),
  );
});

test.each([
  'import { setImmediate as nextTurn } from "node:timers/promises";',
  'await until("the poll waits", () => doorbell.size === 1);',
  "vi.useFakeTimers(); setTimeout(go, 5); setInterval(look, 5);",
  'await page.waitForLoadState("load");',
  'vi.useFakeTimers({ toFake: ["setTimeout", "performance"] }); setTimeout(go, performance.now());',
  "Atomics.wait(cell, 0, 0);",
  "const at = new Date(Date.now() - day).toISOString(); expect(shown).toBe(at);",
  `readFileSync(\`/proc/\${pid}/status\`, "utf8");`,
  `${browser}await expect.poll(() => page.getByRole("row").count()).toBe(2);`,
  `${browser}const { pathname } = new URL(page.url()); await page.goto(pathname);`,
  "expect(Date.now()).toBeGreaterThan(began);",
  'await intercept("**/pause", refuse);',
  "await context.route(isRead, hold);",
  "createServer().listen({ host, port: 0 });",
  `${browser}const token = await dialog.innerText(); expect(token).toMatch(/^p/);`,
  "expect(await table.count()).toBe(2);",
  "const server = createServer().listen(0); onTestFinished(() => server.close());",
  "await startServer({ port });",
])("allowed: %s", (text) => {
  expect(findIn("test/core/a.test.ts", text)).toEqual([]);
});

test("helpers may wait and measure, and long tests may measure", () => {
  const [wait, measure] = ["setTimeout(go, 5);", "performance.now();"];
  expect(findIn("test/helpers/until.ts", wait + measure)).toEqual([]);
  expect(findIn("test/core/a.long.test.ts", wait + measure)).toMatchObject([{ kind: "wait" }]);
});

/** Checks a tree of these files. */
function check(files: Record<string, string>, allowed: typeof exceptions) {
  const root = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return checkTests(root, allowed).map(({ file, line, kind }) => `${file}:${line}: ${kind}`);
}

test("an exception allows a number of places, neither more nor fewer", () => {
  const files = {
    "test/a.test.ts": "\nsetTimeout(go, 5);\nsetTimeout(go, 5);\n",
    "test/b.test.ts": "performance.now();",
  };
  const reason = "It is fast.";
  const exception = { file: "test/a.test.ts", kind: "wait", times: 2, reason } as const;
  expect(check(files, [exception])).toEqual(["test/b.test.ts:1: measure"]);
  for (const times of [1, 3]) {
    expect(check(files, [{ ...exception, times }])).toEqual([
      "test/a.test.ts:2: wait",
      "test/a.test.ts:3: wait",
      "test/b.test.ts:1: measure",
      "test/a.test.ts:1: wait",
    ]);
  }
  const gone = { file: "test/c.test.ts", kind: "wait", reason } as const;
  expect(check({ "test/c.test.ts": "" }, [gone])).toEqual(["test/c.test.ts:1: wait"]);
});

test("each exception has a reason", () => {
  for (const { reason } of exceptions) expect(reason).toMatch(/^\S.{10,}\.$/);
});
