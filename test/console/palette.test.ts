// The search over everything, the keyboard shortcuts, and what the browser's tab shows.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { type Console, expectComplaint, openConsole } from "../helpers/browser/browser.ts";
import { serveInProcess } from "../helpers/in-process-server.ts";
import { createToken, operatorOf } from "../helpers/process/operator.ts";
import { registerAgent } from "../helpers/process/process.ts";
import { focused } from "./focused.ts";

const actions = [{ name: "restart", label: "Restart" }];
const services = ["web-3", "web-30", "db"].map((code) => ({
  ...{ code, name: `The ${code}`, version: "1", healthStatus: "UP", actions },
}));

async function openFleet() {
  const server = await serveInProcess({ PLATFORM_WORKSPACE_NAME: "Acme" });
  const agent = await registerAgent(server.url, await createToken(server), "edge", services);
  const view = { name: "Without labels", noun: "services", query: { selector: "!site" } } as const;
  await (await operatorOf(server)).call("saved-views.create", { body: { ...view, shared: true } });
  return { server, agent };
}

type Fleet = Awaited<ReturnType<typeof openFleet>>;

const heading = (page: Page, name: string) =>
  page.getByRole("heading", { level: 1, name, exact: true });

test("the keyboard alone leads everywhere, and the tab shows where the user is and what needs attention", async () => {
  expectComplaint(/\b401\b/);
  const fleet = await openFleet();
  const console = await openConsole(fleet.server, { path: "/services" });
  await showInTab(fleet, console);
  await findWithPalette(console);
  await openView(console);
  await useShortcuts(console);
  await goBack(console);
  await findOnPhone(console);
  await linkToEvent(console);
});

async function findWithPalette({ page, dialog, expectAccessible }: Console): Promise<void> {
  const options = dialog.getByRole("option");
  const active = () => dialog.getByRole("option", { selected: true }).innerText();
  await page.keyboard.press("Control+k");
  await options.filter({ hasText: "Overview" }).waitFor();
  await page.keyboard.type("web-3");
  await options.filter({ hasText: "web-30" }).waitFor();
  await expect
    .poll(() => options.first().innerText())
    .toMatch(/^web-3\s+The web-3\s+Healthy\s+Service$/);
  await dialog.getByText("2 results").waitFor();
  await expectAccessible("wide");
  await expect.poll(() => active()).toMatch(/^web-3\s/);
  for (const [key, code] of [
    ["ArrowDown", /^web-30/],
    ["ArrowDown", /^web-3\s/],
    ["End", /^web-30/],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(() => active(), { message: key }).toMatch(code);
  }
  await page.keyboard.press("Enter");
  await heading(page, "web-30").waitFor();
  await expect.poll(() => dialog.count()).toBe(0);
  await expect.poll(() => focused(page)).toBe("web-30");

  // Enter waits for the results of what was typed. Another item of the same kind opens a new page.
  await page.keyboard.press("/");
  await page.keyboard.type("web-3");
  await page.keyboard.press("Enter");
  await heading(page, "web-3").waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.insertText("restart web-3");
  await options.filter({ hasText: "Restart on web-3" }).first().waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/services\/svc_\w+\/actions\/restart$/);

  // Without a search text, recently opened pages come first. Commands follow the pages.
  await page.keyboard.press("Control+k");
  const recent = dialog.getByRole("group", { name: "Recent" });
  await expect
    .poll(() => recent.getByRole("option").allInnerTexts())
    .toEqual([expect.stringMatching(/^web-3\s/), expect.stringMatching(/^web-30\s/)]);
  await page.keyboard.insertText("dark");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.locator("html").getAttribute("data-theme")).toBe("dark");
  await page.keyboard.press("Control+k");
  await page.keyboard.insertText("schedu");
  await page.keyboard.press("Enter");
  await heading(page, "Schedules").waitFor();
}

/** A saved view opens once its filters have been read, unless the user opens another page first. */
async function openView(console: Console): Promise<void> {
  const { page, dialog, button, intercept } = console;
  const choose = async () => {
    await page.keyboard.press("Control+k");
    await page.keyboard.insertText("without labels");
    await dialog.getByRole("option", { name: /^Without labels/ }).waitFor();
    await page.keyboard.press("Enter");
  };
  const { promise: isLate, resolve: answer } = Promise.withResolvers<void>();
  const stop = await intercept("**/api/admin/saved-views/vew_*", async (route) => {
    await isLate;
    await route.continue();
  });
  const asked = page.waitForRequest(/\/saved-views\/vew_/);
  await choose();
  const request = await asked;
  await page.getByRole("link", { name: "Commands", exact: true }).click();
  await heading(page, "Commands").waitFor();
  answer();
  await request.response();
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await expect.poll(() => new URL(page.url()).pathname).toBe("/commands");
  stop();
  await choose();
  await heading(page, "Services").waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe("?selector=%21site");

  // A link to the view also works for visitors who are not signed in, once they are.
  const path = `/views/${new URL(request.url()).pathname.split("/").at(-1)}`;
  await page.context().clearCookies();
  await page.goto(path);
  await expect.poll(() => new URL(page.url()).searchParams.get("next")).toBe(path);
  await console.signIn();
  await heading(page, "Services").waitFor();
  // If the server cannot be reached, the link does not lead elsewhere.
  console.expectComplaint(/ERR_FAILED/);
  const reconnect = await intercept("**/api/admin/saved-views/vew_*", (route) => route.abort());
  await page.goto(path);
  await heading(page, "This page could not be loaded").waitFor();
  reconnect();
  await button("Reload").click();
  await heading(page, "Services").waitFor();
}

/** A phone has a button for the palette. */
async function findOnPhone({ page, dialog, button }: Console): Promise<void> {
  await page.setViewportSize({ width: 390, height: 800 });
  await button("Find anything").click();
  await dialog.getByRole("combobox").fill("edge");
  await dialog.getByRole("option", { name: /edge/ }).click();
  await heading(page, "edge").waitFor();
}

/** Does not wait between the keys, because the console waits only a moment for the second one. */
async function pressGo(page: Page, key: string): Promise<void> {
  await Promise.all([page.keyboard.press("g"), page.keyboard.press(key)]);
}

/** Single keys are shortcuts, except in a field or a dialog, and can be turned off. */
async function useShortcuts({ page, dialog, expectAccessible }: Console): Promise<void> {
  await pressGo(page, "s");
  await page.getByRole("link", { name: "web-30" }).waitFor();
  await page.keyboard.press("?");
  await dialog.getByText("Go to a page").waitFor();
  await expectAccessible();
  await pressGo(page, "a");
  await dialog.getByText("Go to a page").waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => dialog.count()).toBe(0);
  await page.getByLabel("Search").click();
  await page.keyboard.type("?/g a");
  await expect.poll(() => new URL(page.url()).searchParams.get("q")).toBe("?/g a");
  await expect.poll(() => dialog.count()).toBe(0);
  await heading(page, "Services").click();
  await pressGo(page, "a");
  await heading(page, "Agents").waitFor();

  await page.getByRole("button", { name: /^admin/ }).click();
  await page.getByRole("link", { name: "Your account" }).click();
  await page.getByLabel("Single-key shortcuts").uncheck();
  await heading(page, "Your account").click();
  await pressGo(page, "s");
  await page.keyboard.press("?");
  await page.keyboard.press("Control+k");
  await dialog.getByRole("combobox").waitFor();
  await expect.poll(() => new URL(page.url()).pathname).toBe("/account");
  await page.keyboard.press("Escape");
}

/** The browser's tab shows the page, the workspace and how many services need attention. */
async function showInTab({ server, agent }: Fleet, console: Console): Promise<void> {
  const { page, signIn } = console;
  await expect.poll(() => page.title()).toBe(`Sign in · ${new URL(server.url).host}`);
  await signIn();
  await expect.poll(() => page.title()).toBe("Services · Acme");
  const icon = () => page.locator('link[rel="icon"]').getAttribute("href");
  await expect.poll(() => icon()).toMatch(/\/icon-[\w-]{8}\.svg$/);
  const beat = (healthStatus: string) =>
    agent.call("POST", "/heartbeat", { health: [{ serviceCode: "db", healthStatus }] });
  await beat("DOWN");
  await page.getByRole("row", { name: /db .*UNHEALTHY/ }).waitFor();
  // The number is unknown until the overview has been opened.
  await expect.poll(() => page.title()).toBe("Services · Acme");
  await page.getByRole("link", { name: "Overview", exact: true }).click();
  await expect.poll(() => page.title()).toBe("(1) Overview · Acme");
  await expect.poll(() => icon()).toMatch(/\/icon-attention-[\w-]{8}\.svg$/);
  await beat("UP");
  await expect.poll(() => page.title()).toBe("Overview · Acme");
}

/** After Back, the focus is on the link that the user followed. */
async function goBack({ page }: Console): Promise<void> {
  await page.getByRole("link", { name: "Overview", exact: true }).click();
  const cell = page.getByRole("link", { name: /^web-3,/ });
  await cell.click();
  await heading(page, "web-3").waitFor();
  await page.goBack();
  await heading(page, "Overview").waitFor();
  await expect.poll(() => focused(page)).toMatch(/^web-3,/);
}

/** An audit event has an address and an id to copy, and the list can be printed. */
async function linkToEvent(console: Console): Promise<void> {
  const { page, dialog, button, visit, expectAccessible } = console;
  await page.setViewportSize({ width: 1280, height: 800 });
  await visit("/audit?row=99999");
  await dialog.getByText("This event does not exist").waitFor();
  await page.keyboard.press("Escape");
  await button("agent.registered: details").click();
  await dialog.getByText(/^aud_\w{26}$/).waitFor();
  await expectAccessible();
  await button("Copy id", dialog).click();
  await expect.poll(() => page.url()).toMatch(/\?row=\d+$/);
  await page.keyboard.press("Escape");

  await page.setViewportSize({ width: 700, height: 900 });
  await page.emulateMedia({ media: "print" });
  await page.getByRole("columnheader", { name: "Actor" }).waitFor();
  await expect.poll(() => page.getByRole("navigation").count()).toBe(0);
  await expect.poll(() => page.locator("header.topbar").isVisible()).toBe(false);
  await expect.poll(() => button("Export").count()).toBe(0);
}
