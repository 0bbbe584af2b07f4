// What lists.test.ts checks of lists that are too long for numbered pages, and of lists on narrow
// screens: no row has more than two lines, and no page is wider than the screen. On a phone, each
// row is a card.

import type { Locator } from "playwright-core";
import { expect } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { type Console, expectComplaint } from "../helpers/browser/browser.ts";
import type { InProcessServer } from "../helpers/in-process-server.ts";
import { operatorOf } from "../helpers/process/operator.ts";
import { registerAgent } from "../helpers/process/process.ts";
import { generateLists, stepMs } from "../store/generated-lists.ts";
import { endCommand } from "./agents.ts";

const long = "a-service-with-a-name-that-is-much-too-long-for-the-width-of-a-phone-00000001";
const error = { code: "THE_CONFIGURATION_OF_THE_REVERSE_PROXY_COULD_NOT_BE_RELOADED" };

/** Adds more than 10,000 audit events, and an agent whose names are too long. */
export async function fillLists(server: InProcessServer): Promise<Client> {
  const operator = await operatorOf(server);
  await generateLists(server, { auditEvents: 10_500, commands: 10, busEvents: 1 });
  const { token } = await operator.call("registration-tokens.create", { body: {} });
  const actions = [{ name: "restart", prepare: false }];
  const agent = await registerAgent(server.url, token, `agent-of-${long}`, [
    { code: long, name: "Web", version: "1.0.0-rc.1+20260101", healthStatus: "DOWN", actions },
  ]);
  const [service] = await operator.call("services.list", { query: { q: long } });
  const params = { serviceId: service?.id ?? "", actionName: "restart" };
  await operator.call("actions.execute", { params, body: {} });
  await endCommand(agent, { success: false, error });
  return operator;
}

/** The height of a row with two lines or a button. */
const twoLines = 72;

/** Returns the height of the highest of the elements, in CSS pixels. */
function highest(elements: Locator): Promise<number> {
  return elements.evaluateAll((all) =>
    Math.max(...all.map((one) => one.getBoundingClientRect().height)),
  );
}

/** Fails if a part of the page is beyond its right edge. */
async function expectNoOverflow({ page }: Console, what: string): Promise<void> {
  const overflow = () => page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
  await expect.poll(overflow, { message: what }).toBeLessThanOrEqual(0);
}

export async function readExtremeLists(operator: Client, console: Console): Promise<void> {
  expectComplaint(/\b422\b/);
  await reachAll(console);
  for (const name of ["Services", "Audit", "Overview"]) await expectCards(console, name);
  await setFilters(console);
  await leaveOutPrepares(operator, console);
  await showMore(console);
  await shortenRetention(console);
}

/** Every row of a list with more than 10,000 rows can be reached. */
async function reachAll({ page, button, visit }: Console): Promise<void> {
  await visit("/audit?action=user.*&targetType=service");
  // A search that finds nothing resumes exactly where it stopped, not at the start of that minute.
  const rare = page.getByRole("button", { name: "user.created: details" });
  const nothing = page.getByText("Nothing found. Searched back to");
  for (let searches = 0; (await rare.count()) === 0; searches++) {
    expect(searches).toBeLessThan(6);
    await nothing.waitFor();
    const [shown] = await nothing.allInnerTexts();
    await button("Show older").click();
    // The page shows the previous search until it has the response.
    const isNext = async () => {
      const [now = shown] = await nothing.allInnerTexts();
      return now !== shown || (await rare.count()) > 0;
    };
    await expect.poll(isNext).toBe(true);
  }
  const all = 5; // The events 14, 35, 56, 77 and 98, which are among the oldest.
  await expect.poll(() => rare.count()).toBe(all);
  await page.getByText(new RegExp(`of ${all}$`)).waitFor();
  await button("Back to newest").click();
  await nothing.waitFor();

  // Numbered pages end at 10,000 rows. The list continues with the next row.
  await visit("/audit?page=500&pageSize=20");
  const times = page.locator("tbody time");
  await expect.poll(() => times.count()).toBe(20);
  const last = Date.parse((await times.last().getAttribute("datetime")) ?? "");
  await button("Show older").click();
  await page.waitForURL(/before=/);
  const next = new Date(last - stepMs).toISOString();
  await expect.poll(() => times.first().getAttribute("datetime")).toBe(next);
}

/** Opens the list on a wide screen, and looks at it on a narrow one. */
async function expectCards(console: Console, name: string): Promise<void> {
  const { page } = console;
  await page.setViewportSize({ width: 1280, height: 844 });
  const navigation = page.getByRole("navigation", { name: "Main navigation" });
  await navigation.getByRole("link", { name, exact: true }).click();
  await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
  const rows = page.locator("tbody tr");
  await rows.first().waitFor();
  for (const width of [768, 320]) {
    await page.setViewportSize({ width, height: 844 });
    await expectNoOverflow(console, `${name} at ${width} px`);
    await expect.poll(() => highest(rows), { message: name }).toBeLessThanOrEqual(twoLines);
  }
  // No text wraps in a card, so no word breaks.
  const cells = page.locator('[data-card="title"], [data-card="fact"]');
  await expect.poll(() => highest(cells), { message: name }).toBeLessThan(30);
  if (name !== "Services") return;
  // Services have a default order of their own, so "Newest first" is not an option.
  const orders = page.getByLabel("Sort by").locator("option");
  await expect.poll(async () => (await orders.allTextContents())[0]).toBe("Code");
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await expectNoOverflow(console, `the filters of ${name}`);
  await page.keyboard.press("Escape");
}

/**
 * Chips show the filters that are set. On a narrow screen, no chip is out of view. On a wide one,
 * the height of their row stays the same.
 */
async function setFilters(console: Console): Promise<void> {
  const { page, button, visit } = console;
  await visit("/services?status=BOGUS");
  const search = page.getByLabel("Search");
  await page.getByText("The query is not valid").waitFor();
  await expectNoOverflow(console, "a wrong filter");
  await button("Status BOGUS").click();
  const choices = page.getByRole("checkbox", { name: /^(UNHEALTHY|UNKNOWN)\b/ });
  await expect.poll(() => choices.count()).toBe(2);
  // The second click comes before the browser can paint the effect of the first.
  await choices.evaluateAll((both: HTMLInputElement[]) => {
    for (const one of both) one.click();
  });
  await page.keyboard.press("Escape");
  await page.locator("button:focus", { hasText: /^Status UNHEALTHY, UNKNOWN$/ }).waitFor();
  await search.fill("a");
  await page.waitForURL(/q=a/);
  await page.locator("tbody tr").first().waitFor();
  const chips = page.getByRole("list", { name: "Active filters" });
  const hidden = () => chips.evaluate((row) => row.scrollWidth - row.clientWidth);
  await button("Clear filters").waitFor();
  await expect.poll(hidden).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1280, height: 844 });
  const toolbar = page.locator("main search");
  const height = await highest(toolbar);
  await button("Clear filters").click();
  await page.locator("button:focus", { hasText: "Filter" }).waitFor();
  await expect.poll(() => search.inputValue()).toBe("");
  await expect.poll(() => highest(toolbar)).toBe(height);
  await search.fill("no service has this name");
  await page.getByText("Nothing matches these filters.").waitFor();
  await button("Clear filters").click();
  await page.locator("tbody tr").first().waitFor();
  await expect.poll(() => page.evaluate("document.activeElement?.localName")).toBe("main");
}

/** A row whose object has no page shows the rest on demand. */
async function showMore({ page, button, dialog }: Console): Promise<void> {
  await page.getByRole("link", { name: "Registration tokens" }).click();
  const row = page.locator("tbody tr").first();
  await row.getByText("USED").waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  const revoke = row.getByRole("button", { name: /^Revoke/ });
  await expect.poll(() => revoke.isVisible()).toBe(false);
  await button("More about this row", row).click();
  await revoke.click();
  await dialog.getByText("revoke the agent's token on the agent's page").waitFor();
  await page.keyboard.press("Escape");
}

/** The confirmation of a shorter retention counts the commands to delete, including prepares. */
async function shortenRetention({ page, button, dialog }: Console): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 844 });
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByLabel("Days to keep commands").fill("1");
  await button("Save").click();
  await dialog.getByText("This currently affects 10 commands.").waitFor();
}

/** A list of commands leaves out prepares, and says so with a filter that can be removed. */
async function leaveOutPrepares(operator: Client, { page, button }: Console): Promise<void> {
  // Counts again at each check, because another prepare can be created while the page is open.
  const stored = async (...types: string[]) => {
    const query = { type: types.join(",") } as object;
    return (await operator.page("commands.list", { query })).pagination.total;
  };
  expect(await stored("ACTION_PREPARE")).toBeGreaterThan(0);
  await page.getByRole("link", { name: "Commands", exact: true }).click();
  const rows = page.locator("tbody tr");
  const shows = (...types: string[]) =>
    expect.poll(async () => (await rows.count()) - (await stored(...types))).toBe(0);
  await shows("ACTION_EXECUTE");
  // The narrowest window that shows a table has room for all columns that the list shows at first.
  await page.setViewportSize({ width: 768, height: 844 });
  await page.getByRole("columnheader", { name: "Error" }).waitFor();
  const frame = page.locator(".table-frame > div").filter({ has: page.getByRole("table") });
  const hiddenWidth = () => frame.evaluate((element) => element.scrollWidth - element.clientWidth);
  await expect.poll(hiddenWidth).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1280, height: 844 });
  await button("Remove the filter Type").click();
  await shows("ACTION_PREPARE", "ACTION_EXECUTE");
  await rows.getByText("Prepare", { exact: true }).first().waitFor();
  await expect
    .poll(() => new URL(page.url()).searchParams.get("type"))
    .toBe("ACTION_EXECUTE,ACTION_PREPARE");
}
