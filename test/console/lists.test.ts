// What every list can do: saved views for their owner and for everyone, downloads as CSV, times as
// the user prefers, time ranges, the page of any object, long lists, and narrow screens.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { auditSubject } from "../../src/console/format/audit-event.ts";
import { duration, relativeTime } from "../../src/console/format/time.ts";
import { completionsOf, unfinishedIn } from "../../src/console/nouns/filters/label-completion.ts";
import { isViewOf, viewAddress } from "../../src/console/nouns/views/view-address.ts";
import { shownColumns } from "../../src/console/nouns/views/view-columns.ts";
import { type Console, expectComplaint, openConsole } from "../helpers/browser/browser.ts";
import { openFacet } from "../helpers/browser/facets.ts";
import { serveInProcess } from "../helpers/in-process-server.ts";
import { createToken } from "../helpers/process/operator.ts";
import { registerAgent } from "../helpers/process/process.ts";
import { addUser, owner, viewer } from "../helpers/session.ts";
import { fillLists, readExtremeLists } from "./extreme-lists.ts";

test("users save views of a list, download it, and choose times and time ranges; an object without a page of its own is shown, revoked and deleted; every row of a long list can be reached, on narrow screens, too", async () => {
  const server = await serveInProcess();
  const operator = await fillLists(server);
  const services = ["web", "api"].map((code) => {
    return { code, name: code, version: "1", labels: { site: `at-${code}` } };
  });
  await registerAgent(server.url, await createToken(server), "edge-1", services);
  await registerAgent(server.url, await createToken(server), "edge-2");
  await registerAgent(server.url, await createToken(server), "west-1");
  await addUser(server, viewer);
  const console = await openConsole(server, { path: "/services", as: owner, width: 1440 });
  await saveViews(console);
  await chooseTimes(console);
  await deleteView(console);
  await limitTime(operator, console);
  await revokeKey(operator, console);
  await download(console);
  await seeRefusals(console);
  await console.signIn();
  await readExtremeLists(operator, console);
});

/** Saves the filters, order and columns of a list, renames and shares them. */
async function saveViews(console: Console): Promise<void> {
  expectComplaint(/\b(404|409|422)\b/);
  const { page, button, dialog, gotoAs, expectAccessible } = console;
  const web = page.getByRole("link", { name: "web" });
  await web.waitFor();

  // While a filter is incomplete, its field says so, and the rows stay. The field completes labels.
  const labels = await openFacet(console, "Labels");
  await labels.fill("site,!");
  await labels.press("Enter");
  await page.getByText("Needs the key of a label at its end.").waitFor();
  await expect.poll(() => page.getByRole("alert").count()).toBe(0);
  await web.waitFor();
  await labels.fill("site=at-w");
  await page.getByRole("option", { name: "at-web" }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get("selector")).toBe("site=at-web");
  await expectAccessible();
  await page.keyboard.press("Escape");
  await button("Labels site=at-web").waitFor();
  await button("Remove the filter Labels").click();
  await page.locator("button:focus", { hasText: "Filter" }).waitFor();
  await expect.poll(() => button("Save view").count()).toBe(0);
  const search = page.getByLabel("Search");
  const place = await search.boundingBox();
  await search.fill("web");
  await button("Save view").waitFor();
  await expect.poll(() => search.boundingBox()).toEqual(place);
  await button("Code").click();
  await button("Columns").click();
  await page.getByRole("checkbox", { name: "Id", exact: true }).check();
  await page.keyboard.press("Escape");
  await button("Save view").click();
  await dialog.getByLabel("Name").fill("The web");
  await dialog.getByLabel("Share the view with everyone").check();
  await expectAccessible();
  await button("Save", dialog).click();
  const views = page.getByRole("navigation", { name: "Saved views" });
  const link = (name: string) => views.getByRole("link", { name });
  await expect.poll(() => link("The web").getAttribute("aria-current")).toBe("true");

  // Saving under the same name replaces the view.
  await page.getByLabel("Search").fill("api");
  await expect.poll(() => link("The web").getAttribute("aria-current")).toBeNull();
  await button("Save view").click();
  await dialog.getByLabel("Name").fill("The web");
  await dialog.getByLabel("Share the view with everyone").check();
  await dialog.getByText("This replaces the view The web.").waitFor();
  await button("Replace", dialog).click();
  await expect.poll(() => link("The web").getAttribute("aria-current")).toBe("true");
  await button("Edit view").click();
  await dialog.getByLabel("Name").fill("Interfaces");
  await button("Save", dialog).click();
  await link("Interfaces").waitFor();

  // Others see the shared view with its columns, but cannot change it. Their browser stores none.
  await page.evaluate(() => localStorage.clear());
  await gotoAs(viewer, "/services");
  await page.getByRole("link", { name: "web", exact: true }).waitFor();
  await link("Interfaces").click();
  await expect.poll(() => page.getByRole("table").getByRole("row").count()).toBe(2);
  await page.getByRole("columnheader", { name: "Id", exact: true }).waitFor();
  await expect.poll(() => button("Edit view").count()).toBe(0);
}

/** The search leads to a page of an API key, which no list leads to. */
async function revokeKey({ call }: Client, console: Console): Promise<void> {
  const { page, dialog, button } = console;
  const { id } = await call("api-keys.create", { body: { name: "nightly", role: "viewer" } });
  await console.visit(`/nouns/api-keys/${id}`);
  await page.getByRole("heading", { level: 1, name: "nightly" }).waitFor();
  await console.expectAccessible();
  await button("Revoke").click();
  await button("Revoke", dialog).click();
  await page.getByText("The API key nightly is revoked.").waitFor();
  await page.getByRole("row", { name: /api_key.revoked/ }).waitFor();
  await button("Delete").click();
  await button("Delete", dialog).click();
  await page.getByText("There are no API keys.").waitFor();

  await console.visit("/bus/routes");
  await page.getByRole("heading", { name: "The event bus is off" }).waitFor();
  const navigation = page.getByRole("navigation", { name: "Main navigation" });
  await navigation.getByRole("link", { name: "Audit" }).waitFor();
  await expect.poll(() => navigation.getByRole("link", { name: /Routes|Events/ }).count()).toBe(0);
  await console.visit("/nouns/nothing");
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
}

/** Times are shown relative to now, or exactly, as the browser's last user has chosen. */
async function chooseTimes({ page, button, gotoAs }: Console): Promise<void> {
  await page.getByRole("link", { name: "Agents", exact: true }).click();
  const time = page
    .getByRole("row", { name: /west-1/ })
    .locator("time")
    .first();
  await expect.poll(() => time.innerText()).toMatch(/ago$|^now$/);
  await button(`${viewer.username} Viewer`).click();
  await page.getByLabel("Times", { exact: true }).selectOption("Exact");
  // After midnight, the date precedes the time.
  await expect.poll(() => time.innerText()).toMatch(/\b\d\d:\d\d:\d\d$/);
  await gotoAs(owner, "/agents");
  await expect.poll(() => time.innerText()).toMatch(/\b\d\d:\d\d:\d\d$/);
}

/** An owner finds all views on a page, and deletes one. */
async function deleteView({ page, button, dialog, visit }: Console): Promise<void> {
  await visit("/views");
  await page.getByRole("cell", { name: "Services", exact: true }).first().waitFor();
  await page.getByRole("cell", { name: "Search api", exact: true }).waitFor();
  const link = page.getByRole("link", { name: "Interfaces" });
  await link.click();
  await page.getByRole("heading", { level: 1, name: "Services" }).waitFor();
  await button("Delete Interfaces").click();
  await button("Delete", dialog).click();
  await expect.poll(() => link.count()).toBe(0);
}

/** A relative time range moves with the clock. A saved view can have any relative time. */
async function limitTime({ call }: Client, console: Console): Promise<void> {
  const { page, button, visit } = console;
  const view = { name: "Recent", noun: "audit-events", query: { from: "6h" } } as const;
  await call("saved-views.create", { body: { ...view, shared: true } });
  await visit("/views");
  await page.getByRole("cell", { name: "Time From 6h", exact: true }).waitFor();
  await page.getByRole("link", { name: "Audit", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Audit" }).waitFor();
  const asked: URL[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/audit-events?")) asked.push(new URL(request.url()));
  });
  await openFacet(console, "Time");
  const hoursAsked = async () => {
    const start = Date.parse(asked.at(-1)?.searchParams.get("from") ?? "");
    return ((await page.evaluate<number>("Date.now()")) - start) / 3_600_000;
  };
  await page.getByLabel("Last 24 hours").click();
  await expect.poll(() => new URL(page.url()).search).toBe("?from=24h");
  // The start is a whole minute.
  await expect.poll(async () => Math.abs((await hoursAsked()) - 24)).toBeLessThan(0.1);
  await page.getByLabel("Today").click();
  await expect.poll(() => new URL(page.url()).search).toBe("?from=today");
  // The two fields initially show the range, in the browser's time zone.
  await page.getByLabel("From … to …").click();
  await page.getByText("Time zone: UTC").waitFor();
  await expect.poll(() => page.getByLabel("From", { exact: true }).inputValue()).toMatch(/T00:00$/);
  await expect.poll(() => new URL(page.url()).searchParams.get("from")).toMatch(/T00:00:00\.000Z$/);
  await page.keyboard.press("Escape");
  const views = page.getByRole("navigation", { name: "Saved views" });
  await views.getByRole("link", { name: "Recent" }).click();
  await button("Time From 6h").waitFor();
  await expect.poll(async () => Math.abs((await hoursAsked()) - 6)).toBeLessThan(0.1);

  // The server refuses a text that is not a time.
  await visit("/audit?from=soon");
  await button("Time From soon").waitFor();
  await page.getByRole("alert").first().waitFor();
}

/** The file has all rows that the filters select, in the order of the list. */
async function download({ page, button, visit }: Console): Promise<void> {
  await visit("/agents?q=edge&sort=-code&page=2&pageSize=1");
  await page.getByText("2–2 of 2").waitFor();
  const downloading = page.waitForEvent("download");
  await button("Download CSV").click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^agents-\d{4}-\d\d-\d\d\.csv$/);
  const saved = readFileSync(await download.path(), "utf8");
  const lines = saved.trimEnd().split("\r\n");
  expect(lines.map((line) => line.split(",")[1])).toEqual(["code", "edge-2", "edge-1"]);
}

/** An error appears in the page instead of in a file. */
async function seeRefusals(console: Console): Promise<void> {
  const { page, button, expectComplaint, intercept } = console;
  expectComplaint(/\b(401|503)\b|ERR_FAILED/);
  let downloads = 0;
  page.on("download", () => downloads++);
  const error = { code: "UNAVAILABLE", message: "Too many reads are waiting." };
  const stopRefusing = await intercept("**/agents/export*", (route) =>
    route.fulfill({ status: 503, json: { success: false, error } }),
  );
  await button("Download CSV").click();
  await page.getByText(error.message).waitFor();
  stopRefusing();
  const stopAborting = await intercept("**/agents/export*", (route) => route.abort());
  await button("Download CSV").click();
  await page.getByText("The download was interrupted, and nothing was saved.").waitFor();
  stopAborting();

  // The export must be the first call to notice that the session has ended.
  await intercept("**/agents/export*", async (route) => {
    await page.context().clearCookies();
    const { cookie: _, ...headers } = await route.request().allHeaders();
    await route.continue({ headers });
  });
  await button("Download CSV").click();
  await page.getByLabel("Username", { exact: true }).waitFor();
  expect(downloads).toBe(0);
}

test("a view is a list's address without the page", () => {
  const query = { status: "OFFLINE", sort: "-code", columns: "code,last seen" };
  const view = { noun: "agents", query } as const;
  const address = viewAddress(view);
  expect(address).toBe("/agents?status=OFFLINE&sort=-code&columns=code%2Clast+seen");
  const params = new URLSearchParams(address.split("?")[1]);
  expect(isViewOf(params, view)).toBe(true);
  params.set("page", "3");
  expect(isViewOf(params, view)).toBe(true);
  params.set("q", "x");
  expect(isViewOf(params, view)).toBe(false);
  expect(viewAddress({ noun: "nodes", query: { sort: "name" } })).toBe(
    "/settings?tab=nodes&sort=name",
  );
  expect(viewAddress({ noun: "audit-events", query: {} })).toBe("/audit");
  const columns = ["code", "status", "acts"].map((key) => ({ key, header: key }));
  expect(shownColumns(columns, new Set(["status"]))).toBe("code");
});

test.each([
  ["", ["env=prod", "env=test", 'owner="Ann, Ops"']],
  ["env=prod,o", ['env=prod,owner="Ann, Ops"']],
  ["env=t", ["env=test"]],
  ["env in (test,", ["env in (test,prod"]],
  ["!o", ["!owner"]],
  ['owner="Ann', null],
])("the label selector %s is completed", (text, wanted) => {
  const items = [{ env: "prod", owner: "Ann, Ops" }, { env: "prod" }, { env: "test" }];
  const unfinished = unfinishedIn(text);
  const completed = unfinished && completionsOf(unfinished, items).map(({ value }) => value);
  expect(completed).toEqual(wanted);
});

test("the audit trail does not show the id of a private view", () => {
  const view = { targetType: "saved_view", targetId: "vew_1", metadata: { shared: false } };
  expect(auditSubject(view)).toBe("(private)");
});

const noon = Date.UTC(2026, 2, 4, 12);

test.each([
  [8 * 3600 - 5, /^in 8 ?h/],
  [23.4 * 3600, /^in 23 ?h/],
  [60 - 0.4, /^in 1 ?m/],
  [0.3, /^now$/],
  [-(8 * 3600 - 5), /^7 ?h.* ago$/],
])("a time in %d s is shown as %s", (seconds, shown) => {
  expect(relativeTime(new Date(noon + seconds * 1000).toISOString(), noon)).toMatch(shown);
});

test.each([
  [3, "3 ms"],
  [999.6, "1.0 s"],
  [1_240, "1.2 s"],
  [9_960, "10 s"],
  [59_700, "1 min"],
  [245_000, "4 min 5 s"],
  [7_380_000, "2 h 3 min"],
])("a duration of %d ms is shown as %s", (ms, shown) => {
  expect(duration(ms)).toBe(shown);
});
