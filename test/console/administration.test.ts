// Tests users, API keys, settings, backups and the user's own account in the console. Also tests a
// session that ends, an unreachable server and a server with a newer console.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { type Console, expectComplaint, openConsole } from "../helpers/browser/browser.ts";
import { type CuttingProxy, cuttingProxy } from "../helpers/cutting-proxy.ts";
import { type InProcessServer, serveInProcess } from "../helpers/in-process-server.ts";
import { operatorOf } from "../helpers/process/operator.ts";
import {
  addUser,
  owner as admin,
  callAsOwner,
  signInAs,
  viewer as vera,
} from "../helpers/session.ts";
import { focused } from "./focused.ts";

test("an owner manages users, API keys, settings, a backup and their password; pages survive an unreachable server; the browser stores only the theme and columns", async () => {
  // 401: before a user signs in.
  expectComplaint(/\b(401|404|409|422)\b/);
  // The stream can reconnect before the page learns that its session has ended.
  expectComplaint(/WebSocket connection .* HTTP Authentication failed/);
  const server = await serveInProcess();
  const connection = await cuttingProxy(server.url);
  const site = { ...server, url: connection.url };
  const owner = await openConsole(site, { path: "/users", as: admin });
  await manageUsers(server, owner);
  await loseConnection(server, connection, owner);
  await manageKeys(owner);
  await changeSettings(owner);
  await download(owner);
  await useAccount(server, owner);
  await loadNewVersion(owner);
  await signOut(owner);
});

/** An owner creates, changes and deletes users. A viewer cannot see the page. */
async function manageUsers(server: InProcessServer, owner: Console): Promise<void> {
  const { page, dialog, button } = owner;

  // The form shows all errors at once, and focuses the first field that has one. An error
  // disappears when its field is edited.
  await button("Create user").click();
  const errors = dialog.locator(".field-error");
  await button("Create", dialog).click();
  await expect.poll(() => errors.allInnerTexts()).toEqual(Array(2).fill("Fill in this field."));
  const username = dialog.getByLabel(/^Username/);
  const field = dialog.getByRole("textbox", { name: "Password" });
  const hasFocus = (one: typeof username) => one.evaluate((el) => el === document.activeElement);
  await expect.poll(() => hasFocus(username)).toBe(true);
  await username.pressSequentially("Admin");
  await expect.poll(() => errors.count()).toBe(1);
  await dialog.getByLabel("Display name").fill(" Vera Berger ");
  await field.fill("short");
  await page.keyboard.press("Enter");
  await expect
    .poll(() => errors.allInnerTexts())
    .toEqual(["A user with this name already exists.", "Must have 12 to 128 characters."]);
  await expect.poll(() => field.getAttribute("aria-invalid")).toBe("true");
  await expect.poll(() => hasFocus(username)).toBe(true);
  await button("Generate", dialog).click();
  await button("Create", dialog).click();
  await dialog.getByText("The user admin already exists.").waitFor();
  await owner.expectAccessible("narrow");
  await dialog.getByLabel("Username").fill("vera");
  await button("Create", dialog).click();
  const password = await dialog
    .getByRole("region", { name: "Password" })
    .locator("code")
    .innerText();
  expect(password).toMatch(/^[A-Za-z0-9]{24}$/);
  await dialog.getByText("Close", { exact: true }).click();
  await page.getByRole("link", { name: "vera" }).waitFor();
  expect(await page.content()).not.toContain(password);

  const viewer = await openConsole(server, { path: "/users" });
  await viewer.page.getByLabel("Username").waitFor();
  await viewer.expectAccessible("narrow");
  await viewer.signIn("vera", password);
  await viewer.page.getByText("This page requires the owner role.").waitFor();
  const administration = viewer.page.getByRole("navigation", { name: "Main" });
  await expect
    .poll(() => administration.getByRole("link", { name: /Users|API keys/ }).count())
    .toBe(0);
  await administration.getByRole("link", { name: "Settings" }).click();
  const tabs = viewer.page.getByRole("navigation", { name: "Settings" }).getByRole("link");
  await expect.poll(() => tabs.allInnerTexts()).toEqual(["Diagnostics", "Nodes", "About"]);

  await page.getByRole("link", { name: "vera" }).click();
  await page.getByRole("heading", { level: 1, name: "Vera Berger (vera)", exact: true }).waitFor();
  await button("End sessions").click();
  await button("End sessions", dialog).click();
  await page.getByText("Sessions ended: 1.").waitFor();
  await viewer.page.getByText("Your session has ended.").waitFor();

  await button("Edit").click();
  const userId = page.url().split("/").at(-1) ?? "";
  const operator = await operatorOf(server);
  await operator.call("users.update", { params: { userId }, body: { username: "vera.b" } });
  await dialog.getByLabel("operator").check();
  await button("Save", dialog).click();
  await dialog.getByText("Vera Berger (vera.b), viewer, Active").waitFor();
  await button("Continue with the newer version", dialog).click();
  await dialog.getByLabel("operator").check();
  await dialog.getByLabel("Display name").fill(" ");
  await button("Save", dialog).click();
  await page.getByText("The user vera.b was changed.").waitFor();
  await page.getByRole("heading", { level: 1, name: "vera.b", exact: true }).waitFor();

  await button("Delete").click();
  await expect.poll(() => button("Delete", dialog).isDisabled()).toBe(true);
  await dialog.getByLabel("Type the name of the user").fill("vera.b");
  await button("Delete", dialog).click();
  await page.getByRole("link", { name: "admin", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "admin" }).waitFor();
  await expect.poll(() => page.url()).not.toContain(userId);
  await createKeys(server);
  await button("Disable").click();
  await dialog.getByText("These API keys are revoked permanently:").waitFor();
  await dialog.getByText("and 5 more").waitFor();
  await expect.poll(() => dialog.getByRole("listitem").count()).toBe(11);
  await button("Disable", dialog).click();
  await dialog.getByText("This is the last active owner: create another owner first.").waitFor();
  await page.keyboard.press("Escape");
}

/** The owner creates 12 keys, and then three for another user. */
async function createKeys(server: InProcessServer): Promise<void> {
  const call = await callAsOwner(server);
  const ann = { username: "ann", password: "correct horse battery", role: "operator" };
  await call("POST", "/users", ann);
  const owners = Array(15).fill(admin.username).fill(ann.username, 12);
  for (const [at, user] of owners.entries()) {
    await call("POST", "/api-keys", { name: `key ${at}`, role: "operator", user });
  }
  await call("POST", "/auth/logout");
}

/** The page reports an unreachable server, and shows new data when it is back. */
async function loseConnection(
  server: InProcessServer,
  connection: CuttingProxy,
  owner: Console,
): Promise<void> {
  const { page, button, visit, expectComplaint } = owner;
  expectComplaint(/ERR_(EMPTY_RESPONSE|CONNECTION_RESET|SOCKET_NOT_CONNECTED|INCOMPLETE)/);
  // The connection can end while the page opens its stream.
  expectComplaint(/closed before receiving a handshake response/);
  await page.setViewportSize({ width: 390, height: 844 });
  await visit("/users");
  await page.getByRole("heading", { level: 1, name: "Users" }).waitFor();
  await page.getByRole("link", { name: "admin", exact: true }).waitFor();
  await page.getByText("Live", { exact: true }).waitFor();

  const menu = button("Menu");
  await menu.click();
  await page.keyboard.press("Tab");
  await expect.poll(() => focused(page)).toMatch(/^(Overview|Agents)$/);
  await page.keyboard.press("Escape");
  await expect.poll(() => focused(page)).toBe("Menu");
  await expect.poll(() => menu.getAttribute("aria-expanded")).toBe("false");

  // A hidden page must not keep the session alive.
  const asked: string[] = [];
  await setHidden(page, true);
  page.on("request", (request) => asked.push(request.url()));
  const lost = page.getByText("Not live: the connection to the server is lost.");
  connection.cutAll();
  await lost.waitFor();
  expect(asked).toEqual([]);
  await setHidden(page, false);
  await expect.poll(() => asked.join()).toContain("/api/admin/auth/me");

  await page.getByRole("link", { name: "admin", exact: true }).waitFor();
  await addUser(server, vera);
  connection.restore();
  await page.getByRole("link", { name: "vera", exact: true }).waitFor();
  await page.getByText("Live", { exact: true }).waitFor();
  await expect.poll(() => lost.count()).toBe(0);

  // A page whose file could not be loaded waits for the server, and then loads by itself.
  expectComplaint(/ERR_FAILED/);
  await owner.installClock();
  const held = Promise.withResolvers<void>();
  const stop = await owner.intercept(/audit-page|:\d+\/$/, async (route) => {
    await held.promise;
    await route.abort();
  });
  await menu.click();
  await page.getByRole("link", { name: "Audit", exact: true }).click();
  await page.locator(".page-progress").waitFor({ state: "attached" });
  held.resolve();
  await page.getByText("This page loads by itself when the server is back.").waitFor();
  await expect.poll(() => button("Reload").count()).toBe(0);
  stop();
  await page.clock.fastForward("00:05");
  await page.getByRole("heading", { name: "Audit", exact: true }).waitFor();
  await page.setViewportSize({ width: 1280, height: 800 });
}

async function manageKeys(owner: Console): Promise<void> {
  const { page, dialog, button } = owner;
  await page.getByRole("link", { name: "API keys" }).click();
  await button("Create API key").click();
  await dialog.getByLabel("Name").fill("nightly");
  await dialog.getByLabel("owner").check();
  await button("Create", dialog).click();
  const key = await dialog.getByRole("region", { name: "API key" }).locator("code").innerText();
  await dialog.getByText(`PLATFORM_API_KEY=${key} platformctl services list`).waitFor();
  await owner.expectAccessible();
  await dialog.getByText("Close", { exact: true }).click();
  expect(await page.content()).not.toContain(key);
  await page.getByRole("cell", { name: "Owner", exact: true }).waitFor();
  await button("Revoke nightly").click();
  await button("Revoke", dialog).click();
  await page.getByRole("cell", { name: "REVOKED" }).waitFor();
}

async function changeSettings(owner: Console): Promise<void> {
  const { page, dialog, button } = owner;
  await page.getByRole("link", { name: "Settings" }).click();
  await button("Run now").click();
  await page.getByText(/It took \d/).waitFor();
  const name = page.getByRole("textbox", { name: "Workspace name" });
  await name.fill("Harbour");
  const sweeps = page.getByLabel("Seconds between maintenance sweeps");
  await sweeps.fill("0");
  await button("Save").click();
  await page.getByText("must be at least 1", { exact: false }).waitFor();
  await sweeps.fill("60");
  await page.getByLabel("Days to keep audit events").fill("7");
  await button("Save").click();
  await dialog.getByText("older than 7 days").waitFor();
  await button("Save and delete data", dialog).click();
  await page.getByText("The settings were saved.").waitFor();
  const sidebar = page.getByRole("complementary");
  await sidebar.getByText("Harbour").waitFor();
  await owner.expectAccessible("wide");
  await button("Reset to configured value: Workspace name").click();
  await expect.poll(() => sidebar.getByText("Harbour").count()).toBe(0);
  await expect.poll(() => name.inputValue()).not.toBe("Harbour");

  // What is typed while the settings are saved stays in its field.
  const usual = await name.inputValue();
  const isTyped = Promise.withResolvers<void>();
  const stopHolding = await owner.intercept("**/api/admin/settings", async (route) => {
    if (route.request().method() === "PATCH") await isTyped.promise;
    await route.continue();
  });
  await name.fill("Har");
  await button("Save").click();
  await name.fill("Harbour East");
  isTyped.resolve();
  stopHolding();
  await sidebar.getByText("Har", { exact: true }).waitFor();
  await expect.poll(() => name.inputValue()).toBe("Harbour East");
  await name.fill(usual);
  await button("Save").click();
  await expect.poll(() => sidebar.getByText("Har", { exact: true }).count()).toBe(0);

  // Another tab counts as another page, so the console asks about unsaved changes.
  await owner.goto("/settings?tab=maintenance");
  await name.fill("Quay");
  // The URL names the current tab, which is the first one.
  await page.getByRole("link", { name: "Maintenance" }).click();
  await expect.poll(() => name.inputValue()).toBe("Quay");
  await expect.poll(() => dialog.count()).toBe(0);
  await page.getByRole("link", { name: "Metrics" }).click();
  await dialog.getByText("Leave without saving?").waitFor();
  await button("Cancel", dialog).click();
  await expect.poll(() => dialog.count()).toBe(0);
  await name.fill(usual);
  await page.getByRole("link", { name: "Metrics" }).click();
  await page.getByText("Polls for commands").waitFor();

  // The list of nodes is read again, because the live stream does not report that a node stops.
  await page.getByRole("link", { name: "Nodes" }).click();
  await page.getByText("This server uses SQLite, so it is the only one.").waitFor();
  owner.expectComplaint(/\b503\b/);
  const error = { code: "STORAGE_UNAVAILABLE", message: "The storage is full." };
  const stop = await owner.intercept("**/api/admin/nodes?*", (route) =>
    route.fulfill({ status: 503, json: { success: false, error } }),
  );
  await page.clock.fastForward("00:10");
  await page.getByText(error.message).waitFor();
  stop();
}

async function download(owner: Console): Promise<void> {
  const { page, button } = owner;
  await page.getByRole("link", { name: "Backup" }).click();
  const downloading = page.waitForEvent("download");
  await button("Create backup").click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^platform-\d{4}-\d\d-\d\d\.db$/);
  const backup = readFileSync(await download.path());
  expect(backup.subarray(0, 15).toString()).toBe("SQLite format 3");
  await page.getByText("The file is the one that the server sent.").waitFor();
  await page.getByText(createHash("sha256").update(backup).digest("hex")).waitFor();

  // PostgreSQL has a program of its own for backups.
  const stop = await owner.intercept("**/api/admin/diagnostics", async (route) => {
    const { data } = await (await route.fetch()).json();
    data.database.engine = "postgresql";
    await route.fulfill({ json: { success: true, data } });
  });
  await owner.goto("/settings?tab=backup");
  await page.getByText("pg_dump --format=custom").waitFor();
  await expect.poll(() => button("Create backup").count()).toBe(0);
  stop();
}

async function useAccount(server: InProcessServer, owner: Console): Promise<void> {
  const { page, dialog, button } = owner;
  await seeManySessions(owner);
  const { cookie } = await signInAs(server, admin);
  await button("admin Owner").click();
  await page.getByRole("link", { name: "Your account" }).click();
  await button("End the session from unknown").click();
  await button("End", dialog).click();
  await page.getByText("1 session ended.").waitFor();
  const ended = await fetch(`${server.url}/api/admin/auth/me`, { headers: { cookie } });
  expect(ended.status).toBe(401);
  await page.getByLabel("Current password").fill(admin.password);
  await page.getByLabel("New password").fill("a good new one, long");
  await button("Change password").click();
  await page.getByText("Your password was changed.").waitFor();
}

/** With many sessions, the page shows only ten at first. */
async function seeManySessions({ page, button, goto, intercept }: Console): Promise<void> {
  const stop = await intercept("**/api/admin/auth/sessions", async (route) => {
    const { data } = await (await route.fetch()).json();
    const many = Array.from({ length: 25 }, (_, n) => ({ ...data[0], id: `ses_${n}` }));
    await route.fulfill({ json: { success: true, data: many } });
  });
  await goto("/account");
  const rows = page.getByRole("table", { name: "Active sessions" }).locator("tbody tr");
  await expect.poll(() => rows.count()).toBe(10);
  await button("Show 10 more").click();
  await button("Show 5 more").click();
  await expect.poll(() => rows.count()).toBe(25);
  await page.locator("main:focus, main :focus").first().waitFor();
  stop();
  await goto("/");
}

/** Files of the console are missing, because the server has a newer console. */
async function loadNewVersion({ page, button, intercept }: Console): Promise<void> {
  const stopMissing = await intercept(/(agent|service)-list-.*\.js/, (route) =>
    route.fulfill({ status: 404 }),
  );
  await page.getByRole("link", { name: "Services" }).click();
  await page.getByText("Part of the console did not load.").waitFor();
  const front = new URL("/", page.url()).href;
  const other = '<script type="module" src="/assets/index-other.js"></script>';
  const stopOther = await intercept(front, (route) =>
    route.fulfill({ contentType: "text/html", body: other }),
  );
  await page.getByRole("link", { name: "Agents" }).click();
  await page.getByRole("heading", { name: "New console version" }).waitFor();
  stopMissing();
  stopOther();
  await button("Reload").click();
  await page.getByRole("heading", { level: 1, name: "Agents" }).waitFor();
}

async function signOut({ page, button, intercept }: Console): Promise<void> {
  await button("admin Owner").click();
  await page.getByLabel("Theme").selectOption("dark");
  await page.getByRole("link", { name: "Users" }).click();
  await button("Columns").click();
  await page.getByRole("checkbox", { name: "Role" }).uncheck();
  await page.keyboard.press("Escape");
  await button("admin Owner").click();
  await page.getByRole("link", { name: "Your account" }).click();
  const signInAgain = button("Sign in");
  // The live stream ends first, and with it the session on the page. The response arrives later.
  await intercept("**/api/admin/auth/logout", async (route) => {
    const response = await route.fetch();
    await signInAgain.waitFor();
    await route.fulfill({ response });
  });
  const answered = page.waitForEvent("requestfinished", {
    predicate: (request) => request.url().endsWith("/auth/logout"),
  });
  await button("Sign out", page.getByRole("main")).click();
  await answered;
  await expect.poll(() => new URL(page.url()).search).toBe("");
  const kept = await page.evaluate(() => [
    ...Object.keys(localStorage),
    ...Object.keys(sessionStorage),
  ]);
  expect(kept.sort()).toEqual(["platform.table.users", "platform.theme"]);
}

/** Hides the page as if the user selected another tab. */
function setHidden(page: Page, hidden: boolean): Promise<void> {
  return page.evaluate((isHidden) => {
    const define = (name: string, value: unknown) =>
      Object.defineProperty(document, name, { value, configurable: true });
    define("hidden", isHidden);
    define("visibilityState", isHidden ? "hidden" : "visible");
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  }, hidden);
}
