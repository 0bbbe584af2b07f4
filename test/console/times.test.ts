// Times are relative or exact, as the user chooses, and lists can be limited to a span of time.

import { expect, test } from "vitest";
import { relativeTime } from "../../src/console/format/time.ts";
import { startOf } from "../../src/console/lists/time-spans.ts";
import { openConsole } from "../helpers/browser/browser.ts";
import { serveConsole } from "../helpers/browser/console-server.ts";
import { perFile } from "../helpers/lifetime.ts";
import { createToken } from "../helpers/process/operator.ts";
import { registerAgent } from "../helpers/process/process.ts";
import { owner } from "../helpers/session.ts";

const withShop = perFile(async () => {
  const server = await serveConsole();
  await registerAgent(server.url, await createToken(server), "shop");
  return server;
});

const noon = Date.UTC(2026, 2, 4, 12);

test.each([
  ["1h", "2026-03-04T11:00:00.000Z"],
  ["24h", "2026-03-03T12:00:00.000Z"],
  ["7d", "2026-02-25T12:00:00.000Z"],
  ["today", new Date(2026, 2, new Date(noon).getDate()).toISOString()],
  ["2026-01-02T03:04:05.000Z", "2026-01-02T03:04:05.000Z"],
  ["2h", "2h"],
  ["toString", "toString"],
])("the start of %s", (from, start) => {
  expect(startOf(from, noon)).toBe(start);
});

test.each([
  [8 * 3600 - 5, /^in 8 ?h/],
  [24 * 3600 - 5, /^in 1 ?d/],
  [23.4 * 3600, /^in 23 ?h/],
  [60 - 0.4, /^in 1 ?m/],
  [0.3, /^now$/],
  [-59, /^59 ?s.* ago$/],
  [-(8 * 3600 - 5), /^7 ?h.* ago$/],
])("a time in %d s is shown as %s", (seconds, shown) => {
  expect(relativeTime(new Date(noon + seconds * 1000).toISOString(), noon)).toMatch(shown);
});

test("times are shown relative to now, or exactly", async () => {
  const { page, goto, expectAccessible } = await openConsole(withShop(), {
    ...{ path: "/agents", as: owner, width: 1440 },
  });
  const time = page.getByRole("row", { name: /shop/ }).locator("time").first();
  await expect.poll(() => time.innerText()).toMatch(/ago$|^now$/);
  await page.getByLabel("Times", { exact: true }).selectOption("Exact");
  await expect.poll(() => time.innerText()).toMatch(/^\d\d:\d\d:\d\d$/);
  await goto("/agents");
  await expect.poll(() => time.innerText()).toMatch(/^\d\d:\d\d:\d\d$/);
  await expectAccessible();
  await page.getByLabel("Times", { exact: true }).selectOption("Relative");
  await expect.poll(() => time.innerText()).toMatch(/ago$|^now$/);
});

test("a list can be limited to a span of time, which moves on", async () => {
  const { page, button } = await openConsole(withShop(), { path: "/audit", as: owner });
  const asked: URL[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/audit-events?")) asked.push(new URL(request.url()));
  });
  const span = page.getByRole("combobox", { name: "Time", exact: true });
  const hoursAsked = async () => {
    const start = Date.parse(asked.at(-1)?.searchParams.get("from") ?? "");
    return ((await page.evaluate<number>("Date.now()")) - start) / 3_600_000;
  };
  for (const [name, from, hours] of [
    ["Last hour", "1h", 1],
    ["Last 24 hours", "24h", 24],
    ["Last 7 days", "7d", 168],
  ] as const) {
    await span.selectOption(name);
    await expect.poll(() => new URL(page.url()).search).toBe(`?from=${from}`);
    // The start is a whole minute.
    await expect.poll(async () => Math.abs((await hoursAsked()) - hours)).toBeLessThan(0.1);
  }
  await span.selectOption("Today");
  await expect.poll(() => new URL(page.url()).search).toBe("?from=today");
  await page.reload();
  await expect.poll(() => span.inputValue()).toBe("today");
  // The two fields begin with the span, in the browser's time zone.
  await span.selectOption("From … to …");
  await page.getByText("Time zone: UTC").waitFor();
  await expect.poll(() => page.getByLabel("From").inputValue()).toMatch(/T00:00$/);
  await expect.poll(() => new URL(page.url()).searchParams.get("from")).toMatch(/T00:00:00\.000Z$/);
  await button("Clear filters").click();
  await expect.poll(() => new URL(page.url()).search).toBe("");
});
