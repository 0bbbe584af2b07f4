// Objects that files declare. Lists and pages name the file, and say that the next apply reverses
// changes.

import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { openConsole } from "../helpers/browser/browser.ts";
import { serveConsole } from "../helpers/browser/console-server.ts";
import { callAsOwner, owner } from "../helpers/session.ts";

const where = "Managed by deploy/all.yaml (set default)";
const reversed = "The next apply reverses changes made here.";

const documents = [
  {
    kind: "BusRoute",
    name: "rotate",
    match: { type: "log.full" },
    target: { serviceCode: "log", action: "rotate" },
  },
  { kind: "SavedView", name: "offline", noun: "agents", query: { status: "OFFLINE" } },
  {
    kind: "Schedule",
    name: "nightly",
    cron: "0 3 * * *",
    target: { kind: "action", service: "log", action: "rotate" },
  },
  { kind: "Settings", settings: { auditRetentionDays: 30 } },
];

async function startDeclared() {
  const server = await serveConsole({ PLATFORM_CAPSULE_BUS_ENABLED: "true" });
  const api = await callAsOwner(server);
  const digest = "0".repeat(64);
  const declared = documents.map((document) => ({ file: "deploy/all.yaml", digest, document }));
  const applied = await api("POST", "/declarations/apply", { documents: declared });
  expect(applied.status).toBe(200);
  const { kind: _, ...route } = documents[0] as { kind: string };
  expect((await api("POST", "/bus/routes", { ...route, name: "by hand" })).status).toBe(201);
  return server;
}

test("the console says what files declare, and that an apply reverses changes", async () => {
  const server = await startDeclared();
  const console = await openConsole(server, { path: "/bus/routes", as: owner, width: 1440 });
  const { page, button, dialog, expectAccessible } = console;
  const open = (name: string) => page.getByRole("link", { name, exact: true }).first().click();
  const heading = page.locator(".page-heading");
  const row = (name: string) => page.getByRole("row", { name: new RegExp(name) });
  const notes = (within: Locator = page.locator("main")) => within.getByText(reversed);
  await row("rotate").getByText(where).first().waitFor();
  await row("by hand").waitFor();
  await expect.poll(() => row("by hand").getByText("Managed by").count()).toBe(0);

  // A route is edited on its page.
  await page.getByRole("link", { name: "rotate", exact: true }).click();
  await heading.getByText(where).waitFor();
  await notes().waitFor();
  await button("Delete").click();
  await notes(dialog).waitFor();
  await button("Cancel", dialog).click();

  await open("Schedules");
  await row("nightly").getByText(where).first().waitFor();
  await row("nightly").getByRole("link", { name: "nightly" }).click();
  await heading.getByText(where).waitFor();
  await expect.poll(() => notes().count()).toBe(0);
  await button("Pause").click();
  await notes(page.locator(".notices")).waitFor();
  await page.getByRole("link", { name: "Edit" }).click();
  await notes().waitFor();

  await open("Views");
  await row("offline").getByText(where).first().waitFor();
  await open("offline");
  await button("Edit view").click();
  await notes(dialog).waitFor();
  await button("Cancel", dialog).click();

  await open("Settings");
  await page.getByText(where).waitFor();
  await page.getByText("The next apply reverses changes to the settings").waitFor();
  await expectAccessible();
});
