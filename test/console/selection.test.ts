// Rows of lists: several can be selected, each has buttons for frequent actions, and a click opens
// it.

import { expect, test } from "vitest";
import { type Console, expectComplaint, openConsole } from "../helpers/browser/browser.ts";
import { openFacet } from "../helpers/browser/facets.ts";
import { serveInProcess } from "../helpers/in-process-server.ts";
import { createToken, operatorOf } from "../helpers/process/operator.ts";
import { type RemoteAgent, registerAgent } from "../helpers/process/process.ts";
import { addUser, owner, viewer } from "../helpers/session.ts";
import { focused } from "./focused.ts";

const actions = [
  { name: "restart", label: "Restart", prepare: false },
  { name: "wipe", label: "Wipe", prepare: false, dangerLevel: "HIGH" },
];

test("rows are selected, commands and agents are acted on together or one by one, dialogs stay when rows leave, and viewers select nothing", async () => {
  expectComplaint(/\b404\b/);
  const fleet = await startFleet();
  await addUser(fleet.server, viewer);
  const path = "/services?page=99&sort=code";
  const operating = await openConsole(fleet.server, { path, as: owner, width: 1440 });
  await selectServices(operating);
  await filterMissingPage(operating);
  await actOnCommands(fleet, operating);
  await keepDialog(fleet, operating);
  await dropFilter(operating);
  await actOnAgents(fleet, operating);
  await findTarget(fleet, operating);
  await operating.gotoAs(viewer, "/agents");
  const { page } = operating;
  await page.getByRole("link", { name: "west", exact: true }).waitFor();
  await expect.poll(() => page.getByRole("checkbox", { name: /^Select/ }).count()).toBe(0);
  await expect.poll(() => page.locator("tbody").getByRole("button").count()).toBe(0);
});

async function startFleet() {
  const server = await serveInProcess();
  const operator = await operatorOf(server);
  const agents: RemoteAgent[] = [];
  for (const name of ["north", "south", "west"]) {
    const service = { code: `web-${name}`, name: `Web ${name}`, version: "1", actions };
    agents.push(await registerAgent(server.url, await createToken(server), name, [service]));
  }
  const [north] = agents;
  return { server, operator, north: north! };
}

type Fleet = Awaited<ReturnType<typeof startFleet>>;

async function selectServices({ page, expectAccessible }: Console): Promise<void> {
  // The address named a page of the list that does not exist.
  await page.getByText("1–3 of 3").waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe("?sort=code");
  // Keys move between the rows, select them, and show a row's details.
  const peek = page.getByRole("complementary", { name: "Peek" });
  for (const key of ["j", "x", "j", "Space"]) await page.keyboard.press(key);
  await peek.getByRole("heading", { name: "web-south" }).waitFor();
  await page.keyboard.press("j");
  await peek.getByRole("heading", { name: "web-west" }).waitFor();
  await page.keyboard.press("Escape");
  await peek.waitFor({ state: "detached" });
  await page.locator("a:focus", { hasText: "web-west" }).waitFor();
  await page.keyboard.press("x");
  await page.getByText("2 selected").waitFor();
  await expectAccessible("narrow");
  await page.getByRole("link", { name: "Run an action on these 2 services" }).click();
  const codes = page.getByRole("textbox", { name: "Service codes" });
  await expect.poll(() => codes.inputValue()).toBe("web-north,web-west");
}

/** A filter that is set while the last page loads shows the first page. */
async function filterMissingPage({ page, visit, intercept }: Console): Promise<void> {
  const { promise: isSeen, resolve: see } = Promise.withResolvers<void>();
  await intercept(/capsule-services\?.*page=3/, async (route) => {
    await isSeen;
    await route.continue();
  });
  await visit("/services?page=99&pageSize=1");
  await page.waitForURL("/services?page=3&pageSize=1");
  await page.getByLabel("Search").fill("web-");
  await page.getByText("1–1 of 3").waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.get("page")).toBe(null);
  see();
}

async function actOnCommands({ operator }: Fleet, operating: Console): Promise<void> {
  const { page, button, dialog } = operating;
  const { data } = await operator.page("services.list", { query: { sort: "code" } });
  for (const { id: serviceId } of data) {
    const params = { serviceId, actionName: "restart" };
    await operator.call("actions.execute", { params, body: {} });
  }
  await page.getByRole("link", { name: "Commands" }).click();
  // The previous page has a filter, too.
  await page.getByRole("heading", { level: 1, name: "Commands" }).waitFor();
  await openFacet(operating, "Action");
  await page.getByRole("option", { name: "restart", exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("checkbox", { name: "Select all rows of this page" }).check();
  await page.getByText("3 selected").waitFor();
  await button("Cancel command").click();
  await dialog.getByLabel("Type the number, 3, to confirm").fill("3");
  await button("Cancel command", dialog).click();
  await page.getByText("Cancel command: 3 done.").waitFor();
  // The button that had the focus is gone.
  await expect.poll(() => page.evaluate("document.activeElement?.localName")).toBe("main");
  await expect.poll(() => page.getByRole("cell", { name: "CANCELLED" }).count()).toBe(3);

  // In a row, too, a dangerous action asks for the code of its service.
  const { command } = await operator.call("actions.execute", {
    params: { serviceId: data[2]?.id ?? "", actionName: "wipe" },
    body: { confirmation: true },
  });
  await operator.call("commands.cancel", { params: { commandId: command?.id ?? "" } });
  // While the dialog reads the command, the page behind it stays visible.
  const { promise: isSeen, resolve: see } = Promise.withResolvers<void>();
  const isRead = ({ pathname }: URL) => pathname.endsWith(`/commands/${command?.id}`);
  await operating.intercept(isRead, async (route) => {
    await isSeen;
    await route.continue();
  });
  await button("Run again wipe on web-west").click();
  await dialog.getByText("Loading").waitFor();
  await expect.poll(() => page.getByText(/^1–\d of \d$/).isVisible()).toBe(true);
  see();
  await dialog.getByText("High danger").waitFor();
  await expect.poll(() => button("Run again", dialog).isDisabled()).toBe(true);
  await dialog.getByLabel("web-west", { exact: false }).fill("web-west");
  await button("Run again", dialog).click();
  await expect.poll(() => page.getByRole("cell", { name: "PENDING" }).count()).toBe(1);
}

/** A dialog about rows stays when they leave the page, and says what happens to all of them. */
async function keepDialog({ operator, north }: Fleet, operating: Console): Promise<void> {
  const { page, button, dialog, visit } = operating;
  const [service] = await operator.call("services.list", { query: { q: "web-north" } });
  const serviceId = service?.id ?? "";
  const run = async () => {
    const params = { serviceId, actionName: "restart" };
    const { command } = await operator.call("actions.execute", { params, body: {} });
    return command?.id ?? "";
  };
  await operator.call("commands.cancel", { params: { commandId: await run() } });
  await visit(`/commands?serviceId=${serviceId}&pageSize=1`);
  await page.getByText("1–1 of 2").waitFor();
  await page
    .getByRole("checkbox", { name: /^Select / })
    .nth(1)
    .check();
  await button("Run again").click();
  await run();
  await page.locator("tbody", { hasText: "PENDING" }).waitFor();
  await dialog.getByLabel("Type the number, 1, to confirm").fill("1");
  await button("Run again", dialog).click();
  await dialog.waitFor({ state: "detached" });
  // Otherwise, another click would run the commands a second time.
  await page.getByText("1 selected").waitFor({ state: "hidden" });

  // The agent fetches two commands, but not the third and newest.
  expect((await north.call("GET", "/commands")).body.data.commands).toHaveLength(2);
  await run();
  await visit(`/commands?serviceId=${serviceId}&status=PENDING,RUNNING`);
  await page.getByText("1–3 of 3").waitFor();
  await page.getByRole("checkbox", { name: "Select all rows of this page" }).check();
  await button("Cancel command").click();
  await dialog.getByText("Once cancelled, it never runs.").waitFor();
  await dialog.getByText("may still finish it").waitFor();
  await page.keyboard.press("Escape");
  // The row leaves before the response arrives. The focus goes to the next row.
  const rows = page.locator("tbody").getByRole("row");
  const stop = await operating.intercept("**/cancel", async (route) => {
    const response = await route.fetch();
    await rows.nth(2).waitFor({ state: "detached" });
    await route.fulfill({ response });
  });
  await button("Cancel command restart on web-north").first().click();
  await button("Cancel command", dialog).click();
  await dialog.waitFor({ state: "detached" });
  stop();
  await expect.poll(() => rows.count()).toBe(2);
  await expect.poll(() => rows.first().locator("a:focus").count()).toBe(1);

  // So does a dialog that was opened in a row. When it closes, the focus goes to the page.
  await button("Cancel command restart on web-north").first().click();
  const status = "RUNNING";
  for (const { id } of await operator.call("commands.list", { query: { serviceId, status } })) {
    await operator.call("commands.cancel", { params: { commandId: id } });
  }
  await page.getByText("Nothing matches these filters.").waitFor();
  await dialog.getByText("may still finish it").waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => page.evaluate("document.activeElement?.localName")).toBe("main");
}

/** The menu of the filters leaves the focus where the keyboard can continue. */
async function dropFilter({ page }: Console): Promise<void> {
  await page.getByRole("button", { name: /^Status / }).press("Enter");
  const tab = page.getByRole("tab", { name: "Status" });
  // A click on the current filter does not change where the focus goes after the next key.
  await tab.click();
  await tab.press("ArrowDown");
  const focusedTab = page.locator("[role=tab]:focus");
  await focusedTab.filter({ hasNotText: "Status" }).waitFor();
  await page.keyboard.press("ArrowUp");
  await focusedTab.filter({ hasText: "Status" }).waitFor();
  // The chip that opened the menu disappears with its filter.
  for (const name of ["Pending", "Running"]) await page.getByRole("checkbox", { name }).uncheck();
  await page.keyboard.press("Escape");
  await page.locator("button:focus", { hasText: "Filter" }).waitFor();
}

async function actOnAgents(fleet: Fleet, operating: Console) {
  const { operator } = fleet;
  const { page, button, dialog } = operating;
  await page.getByRole("link", { name: "Agents", exact: true }).click();
  const row = page.getByRole("row", { name: /west/ });
  await expect.poll(() => row.getByRole("button").allInnerTexts()).toEqual(["Disable"]);
  await page.getByRole("checkbox", { name: "Select all rows of this page" }).check();
  await page.getByRole("checkbox", { name: "Select west" }).uncheck();
  await button("Disable").first().click();
  await dialog.getByText("south, north").waitFor();
  await dialog.getByLabel("Type the number, 2, to confirm").fill("2");
  // Meanwhile, someone else deletes one of the agents.
  const [south] = await operator.call("agents.list", { query: { q: "south" } });
  const params = { agentId: south?.id ?? "" };
  await operator.call("agents.revoke-token", { params });
  await operator.call("agents.delete", { params });
  await button("Disable", dialog).click();
  await dialog.getByText(/^south: There is no agent/).waitFor();
  await expect.poll(() => button("Cancel", dialog).count()).toBe(0);
  await button("Close", dialog).first().click();
  const north = page.getByRole("checkbox", { name: "Select north" });
  await expect.poll(() => north.isChecked()).toBe(false);
  await expect.poll(() => page.getByRole("cell", { name: "DISABLED" }).count()).toBe(1);

  // Rows for which the server refuses the call stay selected.
  operating.expectComplaint(/\b503\b/);
  const error = { code: "STORAGE_UNAVAILABLE", message: "The storage is full." };
  const stop = await operating.intercept("**/disable", (route) =>
    route.fulfill({ status: 503, json: { success: false, error } }),
  );
  await page.getByRole("checkbox", { name: "Select west" }).check();
  await button("Disable").first().click();
  await dialog.getByLabel("Type the number, 1, to confirm").fill("1");
  await button("Disable", dialog).click();
  await dialog.getByText("west: The storage is full.").waitFor();
  await page.keyboard.press("Escape");
  await page.getByText("1 selected").waitFor();
  stop();

  await removeFocused(fleet, operating);

  // When the row's link leads away from the list, the focus goes straight to the title of the page.
  await page.evaluate(() => {
    const all: string[] = [];
    document.addEventListener("focusin", ({ target }) => all.push((target as Element).localName));
    Object.assign(window, { focusedElements: all });
  });
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "west" }).waitFor();
  await expect.poll(() => page.evaluate("focusedElements")).toEqual(["h1"]);
  await page.goBack();

  // A click anywhere in a row opens it.
  await row.getByText("ONLINE").click();
  await page.getByRole("heading", { level: 1, name: "west" }).waitFor();
}

/** The focus goes to the nearest row that remains, but the page does not scroll to it. */
async function removeFocused({ server, operator }: Fleet, { page }: Console): Promise<void> {
  for (const name of ["old-1", "old-2"]) {
    await registerAgent(server.url, await createToken(server), name);
  }
  await page.setViewportSize({ width: 1440, height: 200 });
  await page.getByRole("link", { name: "old-2", exact: true }).evaluate((link) => {
    link.focus();
    scrollTo(0, 0);
  });
  for (const { id: agentId } of await operator.call("agents.list", { query: { q: "old-" } })) {
    await operator.call("agents.revoke-token", { params: { agentId } });
    await operator.call("agents.delete", { params: { agentId } });
  }
  await expect.poll(() => focused(page)).toBe("west");
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await page.setViewportSize({ width: 1440, height: 800 });
}

/** The audit trail is filtered by the name of a target, which other names can include. */
async function findTarget({ operator }: Fleet, operating: Console): Promise<void> {
  const { page, button, visit } = operating;
  await visit("/audit");
  await page.getByRole("heading", { level: 1, name: "Audit" }).waitFor();
  const target = await openFacet(operating, "Target");
  await expect.poll(() => target.getAttribute("placeholder")).toBe("Name or id");
  await target.fill("nobody");
  await page.getByRole("option", { name: "nobody As an id" }).waitFor();
  // Several commands have this name.
  await target.fill("restart on web-");
  await page
    .getByRole("option", { name: /^restart on web-\w+ cmd_…\w{6}$/ })
    .nth(3)
    .waitFor();
  await target.fill("west");
  await page
    .getByRole("option", { name: /^restart on web-west/ })
    .first()
    .waitFor();
  await target.press("Enter");
  await button("Target west").waitFor();

  // While the name of another target loads, the filter does not show the previous one.
  const [north] = await operator.call("agents.list", { query: { q: "north" } });
  const { promise: isSeen, resolve: see } = Promise.withResolvers<void>();
  const isName = ({ searchParams: asked }: URL) =>
    asked.get("targetId") === north?.id && asked.get("pageSize") === "1";
  await operating.intercept(isName, async (route) => {
    await isSeen;
    await route.continue();
  });
  await button("Target west").click();
  await target.fill("north");
  await target.press("Enter");
  await button(`Target ${north?.id}`).waitFor();
  see();
  await button("Target north").waitFor();
}
