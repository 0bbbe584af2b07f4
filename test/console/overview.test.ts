// Tests the overview in a browser: live updates, filters in the URL, and use without a mouse.

import type { Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { type Console, openConsole } from "../helpers/browser/browser.ts";
import { type InProcessServer, serveInProcess } from "../helpers/in-process-server.ts";
import { createToken } from "../helpers/process/operator.ts";
import { type RemoteAgent, registerAgent } from "../helpers/process/process.ts";
import { tamper } from "../helpers/process/tamper.ts";
import { type Call, callAsOwner, owner } from "../helpers/session.ts";
import { endCommand } from "./agents.ts";
import { focused } from "./focused.ts";

test("the overview shows a failing service and commands, and supports filters and the keyboard", async () => {
  const server = await serveInProcess();
  const shop = await register(server, "shop", { web: "Web shop", api: "API" });
  const stock = await register(server, "warehouse", { stock: "Stock", "stock-labels": "Labels" });
  await runAll(await callAsOwner(server), shop);
  // An earlier instance of an agent calls again.
  for (const instance of ["first", "clone", "first"]) {
    await stock.call("POST", "/heartbeat", { instance });
  }
  const console = await openConsole(server, { width: 1440, as: owner });
  const { page, visit } = console;
  const cell = (name: RegExp) => page.getByRole("link", { name });
  const filter = (name: RegExp) => page.getByRole("button", { name });

  // The map changes without a reload.
  await cell(/^web, Web shop: Healthy$/).waitFor();
  await page.getByText("4 of 4 services").waitFor();
  await shop.call("POST", "/heartbeat", {
    health: [{ serviceCode: "api", healthStatus: "DOWN", message: "port 8080 is closed" }],
  });
  await cell(/^api, API: Unhealthy, port 8080 is closed$/).waitFor();
  await filter(/^UNHEALTHY 1$/).waitFor();
  await page.getByRole("link", { name: /^1\s*UNHEALTHY$/ }).waitFor();
  await expect
    .poll(() => page.getByRole("list", { name: "Problems" }).innerText())
    .toMatch(/api went from\s+Healthy\s+to\s+Unhealthy/);
  const others = page.getByRole("list", { name: "Everything else" });
  await expect.poll(() => others.innerText()).toMatch(/web was reported for the first time/);
  const feed = page.getByRole("region", { name: "Live feed" });
  await expect.poll(() => feed.innerText()).not.toMatch(/[a-z]+_[0-9A-Z]{20}|service\.health/);

  const twice = page.getByRole("region", { name: "1 agent is running twice" });
  await twice.getByRole("link", { name: "warehouse" }).waitFor();

  // The filters are in the URL.
  await filter(/^UNHEALTHY/).click();
  await page.getByText("1 of 4 services", { exact: true }).waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe("?status=UNHEALTHY");
  await visit("/?q=STOCK&first=problems");
  await page.getByText("2 of 4 services").waitFor();
  await expect.poll(() => cell(/^web, /).count()).toBe(0);
  await page.getByLabel("Find a service").fill("");
  await expect.poll(() => cellsOf(page)).toEqual(["api", "web", "stock", "stock-labels"]);
  await expect.poll(() => new URL(page.url()).search).toBe("?first=problems");

  // The map is one tab stop. The arrow keys move between cells.
  await page.getByLabel("Problems first").focus();
  await page.keyboard.press("Tab");
  await expect.poll(() => focused(page)).toMatch(/^api, /);
  await page.locator(".map-tip").getByText("port 8080 is closed").waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => page.locator(".map-tip").count()).toBe(0);
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => focused(page)).toMatch(/^web, /);
  await page.keyboard.press("End");
  await expect.poll(() => focused(page)).toMatch(/^stock-labels, /);
  await page.keyboard.press("Tab");
  await expect.poll(() => focused(page)).not.toMatch(/: (Unh|H)ealthy/);

  // The outcomes of commands are shown.
  const failures = page.getByRole("table", { name: "Recent failures" });
  await failures.getByText("PORT_IN_USE").waitFor();
  await failures.getByText("taken by another").waitFor();
  await expect.poll(() => failures.getByRole("row").count()).toBe(2);
  await page
    .getByRole("img", { name: /^Failed commands .*24 hours: 2 succeeded, 1 failed/ })
    .waitFor();
  await page.getByLabel("Time range").selectOption("1 hour");
  await page.getByRole("img", { name: /^Duration in the last 1 hour: / }).waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.get("hours")).toBe("1");
  const inLight = await drawn(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(() => drawn(page)).not.toBe(inLight);
  await page.getByRole("button", { name: "Show table" }).click();
  // There is a row for each minute in which a command ended.
  await expect.poll(() => outcomesIn(page)).toEqual([2, 1, 0]);

  // A paused feed counts new events.
  await page.getByRole("button", { name: "Pause" }).click();
  await stock.call("POST", "/heartbeat", {
    health: [{ serviceCode: "stock", healthStatus: "DOWN" }],
  });
  await page.getByText(/ new since you paused$/).waitFor();

  // Somebody has changed a row of the audit trail.
  tamper(server.file, "UPDATE audit_events SET message = 'x' WHERE seq = 3");
  await (await callAsOwner(server))("GET", "/audit-events/verify");
  await visit("/");
  const trail = page.getByRole("region", { name: "The audit trail is broken" });
  await trail.getByRole("link", { name: "Open audit trail" }).click();
  await page.waitForURL("**/audit");
});

test("what the user sees stays visible and keeps the focus while another part loads, and the axis of failed commands has a label above 0", async () => {
  const server = await serveInProcess();
  const shop = await register(server, "shop", { web: "Web shop" });
  const beat = (healthStatus: string) =>
    shop.call("POST", "/heartbeat", { health: [{ serviceCode: "web", healthStatus }] });
  await beat("DOWN");
  const console = await openConsole(server, { path: "about:blank", as: owner });
  const { page, goto, intercept } = console;
  const { promise: isSeen, resolve: see } = Promise.withResolvers<void>();
  const hold = async (route: Route) => {
    await isSeen;
    await route.continue();
  };
  // A part below the map is read late, so the page is still loading for the first time.
  await intercept("**/api/admin/overview/commands?*", hold);
  await goto("/");
  const cell = page.getByRole("link", { name: /^web, / });
  await cell.waitFor();
  await cell.focus();
  // The first steps appear above the map when there are no problems, but are read late.
  await intercept("**/api/admin/commands?*type=ACTION_EXECUTE*", hold);
  const asked = page.waitForRequest(/type=ACTION_EXECUTE/);
  await beat("UP");
  await asked;
  await cell.filter({ visible: true }).waitFor();
  see();
  await page.getByRole("heading", { name: "Get started" }).waitFor();
  await expect.poll(() => focused(page)).toBe("web, Web shop: Healthy");
  await seeAxis(console);
});

/** The axis of failed commands has a label above 0, whether few or many commands have failed. */
async function seeAxis({ page, intercept }: Console): Promise<void> {
  await page.evaluate(keepTexts);
  let failed = 0;
  await intercept("**/api/admin/overview/commands?*", async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    body.data.sampleSize = failed;
    body.data.buckets.at(-1).failed = failed;
    await route.fulfill({ response, json: body });
  });
  for (const [range, shown] of [
    ["1 hour", 4],
    ["6 hours", 8],
    ["7 days", 90],
  ] as const) {
    failed = shown;
    await page.getByLabel("Time range").selectOption(range);
    const name = new RegExp(`^Failed commands in the last ${range}: .*\\b${failed} failed`);
    const plot = page.getByRole("img", { name }).locator("canvas");
    const texts = () => plot.evaluate((canvas) => (canvas as { texts?: string[] }).texts ?? []);
    await expect.poll(texts).toContainEqual(expect.stringMatching(/^[1-9]\d*$/));
  }
}

/** Each canvas keeps the texts that are drawn on it, until it is cleared. */
const keepTexts = `{
  const { fillText, clearRect } = CanvasRenderingContext2D.prototype;
  Object.assign(CanvasRenderingContext2D.prototype, {
    fillText(text, ...place) {
      (this.canvas.texts ??= []).push(text);
      fillText.call(this, text, ...place);
    },
    clearRect(...place) {
      this.canvas.texts = [];
      clearRect.call(this, ...place);
    },
  });
}`;

function drawn(page: Page): Promise<string> {
  return page
    .locator(".plot canvas")
    .first()
    .evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());
}

/** Registers an agent whose services have these names. */
async function register(server: InProcessServer, code: string, names: Record<string, string>) {
  const services = Object.entries(names).map(([code, name]) => ({
    ...{ code, name, version: "1.0.0", healthStatus: "UP" },
    actions: [{ name: "restart" }],
  }));
  return registerAgent(server.url, await createToken(server), code, services);
}

async function runAll(operator: Call, agent: RemoteAgent): Promise<void> {
  const [service] = (await operator("GET", "/capsule-services?q=web")).body.data;
  for (const success of [true, false, true]) {
    const path = `/capsule-services/${service.id}/actions/restart`;
    await operator("POST", path, { payload: {} });
    const error = { code: "PORT_IN_USE", message: "port 8080 is taken by another program" };
    await endCommand(agent, success ? { success } : { success, error });
  }
}

/** Returns how many commands succeeded, failed and were cancelled, according to the table. */
async function outcomesIn(page: Page): Promise<number[]> {
  const rows = page.getByRole("table", { name: "Commands over time" }).getByRole("row");
  const texts = await rows.evaluateAll((all) =>
    all.slice(1).map((row) => [...row.children].slice(1, 4).map((cell) => cell.textContent)),
  );
  return [0, 1, 2].map((at) => texts.reduce((sum, row) => sum + Number(row[at]), 0));
}

function cellsOf(page: Page): Promise<string[]> {
  return page
    .locator("a.map-cell")
    .evaluateAll((cells) => cells.map((cell) => cell.ariaLabel?.split(",")[0] ?? ""));
}
