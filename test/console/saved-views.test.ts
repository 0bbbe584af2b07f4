// Saved views of lists, for their owner and for everybody.

import { expect, test } from "vitest";
import { isViewOf, viewAddress } from "../../src/console/nouns/views/view-address.ts";
import { shownColumns } from "../../src/console/nouns/views/view-columns.ts";
import { expectComplaint, openConsole } from "../helpers/browser/browser.ts";
import { serveConsole } from "../helpers/browser/console-server.ts";
import { createToken } from "../helpers/process/operator.ts";
import { registerAgent } from "../helpers/process/process.ts";
import { addUser, owner, viewer } from "../helpers/session.ts";

test("users save the filters, order and columns of a list, share them, rename and delete them", async () => {
  expectComplaint(/\b(404|409)\b/);
  const server = await serveConsole();
  const services = ["web", "api"].map((code) => ({ code, name: code, version: "1" }));
  await registerAgent(server.url, await createToken(server), "edge", services);
  await addUser(server, viewer);
  const console = await openConsole(server, { path: "/services", as: owner });
  const { page, button, dialog, goto, expectAccessible } = console;
  await page.getByRole("link", { name: "web" }).waitFor();
  await expect.poll(() => button("Save view").count()).toBe(0);
  await page.getByLabel("Search").fill("web");
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
  await expectAccessible();

  // The same name replaces the view.
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

  // Others see what is shared, with its columns, but cannot change it.
  const other = await openConsole(server, { path: "/services", as: viewer });
  await other.page.getByRole("link", { name: "web", exact: true }).waitFor();
  await other.page.getByRole("link", { name: /^Interfaces/ }).click();
  await expect.poll(() => other.page.getByRole("table").getByRole("row").count()).toBe(2);
  await other.page.getByRole("columnheader", { name: "Id", exact: true }).waitFor();
  await expect.poll(() => other.button("Edit view").count()).toBe(0);
  await other.page.getByLabel("Search").fill("web");
  await other.button("Save view").click();
  await expect.poll(() => other.dialog.getByLabel("Share the view with everyone").count()).toBe(0);
  await other.dialog.getByLabel("Name").fill("Mine");
  await other.button("Save", other.dialog).click();
  await other.page.getByRole("link", { name: "Mine" }).waitFor();

  await goto("/views");
  await page.getByRole("row", { name: /Interfaces/ }).waitFor();
  await expect.poll(() => page.getByRole("link", { name: "Mine" }).count()).toBe(0);
  await expectAccessible();
  await page.getByRole("link", { name: "Interfaces" }).click();
  await page.getByRole("heading", { level: 1, name: "Services" }).waitFor();
  await button("Delete Interfaces").click();
  await button("Delete", dialog).click();
  await expect.poll(() => link("Interfaces").count()).toBe(0);
});

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
