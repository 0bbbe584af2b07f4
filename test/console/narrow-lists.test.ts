// Lists on a phone: each row is a card of two lines, the filters are folded, and no page is wider
// than the screen.

import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { type Console, expectComplaint, openConsole } from "../helpers/browser/browser.ts";
import { serveConsole } from "../helpers/browser/console-server.ts";
import { operatorOf } from "../helpers/process/operator.ts";
import { registerAgent } from "../helpers/process/process.ts";
import { owner } from "../helpers/session.ts";
import { isLong, size } from "../helpers/size.ts";
import { generateLists } from "../store/generated-lists.ts";

const long = "a-service-with-a-name-that-is-much-too-long-for-the-width-of-a-phone-00000001";
const error = { code: "THE_CONFIGURATION_OF_THE_REVERSE_PROXY_COULD_NOT_BE_RELOADED" };

async function openFleet() {
  const server = await serveConsole({ PLATFORM_CAPSULE_BUS_ENABLED: "true" });
  const operator = await operatorOf(server);
  await generateLists(server, { auditEvents: 10, commands: 5, busEvents: 3 });
  const { token } = await operator.call("registration-tokens.create", { body: {} });
  const actions = [{ name: "restart", label: "Restart", prepare: false }];
  const agent = await registerAgent(server.url, token, `agent-of-${long}`, [
    { code: long, name: "Web", version: "1.0.0-rc.1+20260101", healthStatus: "DOWN", actions },
    { code: "web", name: "Web", version: "1", healthStatus: "UP", actions },
  ]);
  const target = { kind: "action", service: long, action: "restart" } as const;
  await operator.call("schedules.create", {
    body: { name: `schedule-of-${long}`, everySeconds: 3600, target },
  });
  await operator.call("saved-views.create", {
    body: { name: "Offline agents", noun: "agents", shared: true },
  });
  await operator.call("bus-routes.create", {
    body: {
      name: long,
      state: "ENABLED",
      match: { type: "log.full" },
      target: { serviceCode: long, action: "restart" },
    },
  });
  await operator.call("bus-events.publish", { body: { type: "log.full", source: long } });
  const { commands } = (await agent.call("GET", "/commands?wait=1")).body.data;
  await agent.call("POST", `/commands/${commands[0].id}/result`, { success: false, error });
  await operator.call("rollouts.create", {
    body: { name: long, action: "restart", services: ["web"] },
  });
  return { server, operator };
}

type Fleet = Awaited<ReturnType<typeof openFleet>>;

/** `npm test` looks at the first five, and `npm run test:long` at all. */
const lists = [
  ["Services", "/services"],
  ["Commands", "/commands"],
  ["Schedules", "/schedules"],
  ["Audit", "/audit"],
  ["Events", "/bus/events"],
  ["Agents", "/agents"],
  ["Rollouts", "/rollouts"],
  ["Registration tokens", "/registration-tokens"],
  ["Views", "/views"],
  ["Users", "/users"],
  ["Routes", "/bus/routes"],
] as const;

/** `all-pages.long.test.ts` also shows that all other pages fit the narrowest width. */
const widths = isLong ? [390, 320] : [320];

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

test("the rows of lists are cards of two lines, no list overflows, filters fold, and commands leave out prepares", async () => {
  expectComplaint(/\b422\b/);
  const opened = await openFleet();
  const console = await openConsole(opened.server, { path: "/account", as: owner });
  for (const [name, path] of lists.slice(0, size(5, lists.length))) {
    await expectCards(console, name, path);
  }
  await foldFilters(console);
  await leaveOutPrepares(opened, console);
  await showMore(console);
});

/** Opens the list on a wide screen, and looks at it on narrow ones. */
async function expectCards(console: Console, name: string, path: string): Promise<void> {
  const { page } = console;
  await page.setViewportSize({ width: 1280, height: 844 });
  const navigation = page.getByRole("navigation", { name: "Main navigation" });
  await navigation.getByRole("link", { name, exact: true }).click();
  await page.waitForURL((url) => url.pathname === path);
  await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
  const rows = page.locator("tbody tr");
  await rows.first().waitFor();
  for (const width of widths) {
    const what = `${path} at ${width} px`;
    await page.setViewportSize({ width, height: 844 });
    await expect.poll(() => highest(rows), { message: what }).toBeLessThanOrEqual(72);
    const top = async () => (await rows.first().boundingBox())?.y;
    await expect.poll(top, { message: what }).toBeLessThan(width === 320 ? 440 : 400);
    await expectNoOverflow(console, what);
    // No text wraps in a card, so no word breaks.
    const cells = page.locator('[data-card="title"], [data-card="fact"]');
    await expect.poll(() => highest(cells), { message: what }).toBeLessThan(30);
  }
  const filters = page.getByRole("button", { name: /^Filters/ });
  if (path === "/audit" || path === "/views" || (await filters.count()) === 0) return;
  await filters.click();
  await expectNoOverflow(console, `the filters of ${path}`);
}

/** Filters fold behind a button with their number, and wide screens show them. */
async function foldFilters(console: Console): Promise<void> {
  const { page, button, goto, expectAccessible } = console;
  await goto("/services?status=BOGUS");
  const search = page.getByLabel("Search");
  await page.getByText("VALIDATION_FAILED").waitFor();
  await expectNoOverflow(console, "a wrong filter");
  await expect.poll(() => search.isVisible()).toBe(false);
  await button("Filters (1)").click();
  await expectNoOverflow(console, "the filters of a wrong filter");
  await page.getByRole("combobox", { name: "Status" }).selectOption("UNHEALTHY");
  await search.fill("a");
  await page.locator("tbody tr").first().waitFor();
  await expect.poll(() => button("Filters (2)").getAttribute("aria-expanded")).toBe("true");
  await expectAccessible();
  await button("Clear filters").click();
  await button("Filters").click();
  await expect.poll(() => search.isVisible()).toBe(false);
  await page.setViewportSize({ width: 1280, height: 844 });
  await search.waitFor();
  await expect.poll(() => button("Filters").isVisible()).toBe(false);
}

/** A row whose object has no page shows the rest on demand. */
async function showMore({ page, button, dialog, expectAccessible }: Console): Promise<void> {
  await page.getByRole("link", { name: "Registration tokens" }).click();
  const row = page.locator("tbody tr").first();
  await row.getByText("USED").waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  const revoke = row.getByRole("button", { name: /^Revoke/ });
  await expect.poll(() => revoke.isVisible()).toBe(false);
  await button("More about this row", row).click();
  await revoke.waitFor();
  await expectAccessible();
  await revoke.click();
  await dialog.getByText("revoke the agent's token on the agent's page").waitFor();
}

/** A list of commands leaves out prepares, and says so with a filter that can be removed. */
async function leaveOutPrepares({ operator }: Fleet, { page, button }: Console): Promise<void> {
  // A prepare can be created again while the page is open.
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
  await button("Remove the filter Type Run").click();
  await shows("ACTION_PREPARE", "ACTION_EXECUTE");
  await expect
    .poll(() => new URL(page.url()).searchParams.get("type"))
    .toBe("ACTION_EXECUTE,ACTION_PREPARE");
  await expect.poll(() => button("Remove the filter Type Run").count()).toBe(0);
  await button("Clear filters").click();
  await shows("ACTION_EXECUTE");
}
