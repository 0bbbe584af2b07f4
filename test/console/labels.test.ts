// Tests that an owner assigns labels in the console, and that others only see them.

import type { Page } from "playwright-core";
import { test } from "vitest";
import { openConsole } from "../helpers/browser/browser.ts";
import { serveConsole } from "../helpers/browser/console-server.ts";
import { createToken } from "../helpers/process/operator.ts";
import { registerAgent } from "../helpers/process/process.ts";
import { addUser, owner, viewer } from "../helpers/session.ts";

const web = { code: "web", name: "Web", version: "1.0.0", labels: { env: "dev", zone: "a" } };

async function assign(page: Page, code: string, before: string, after: string): Promise<void> {
  await page.getByRole("button", { name: "Assign labels" }).click();
  const dialog = page.getByRole("dialog", { name: `Labels of ${code}` });
  const field = dialog.getByLabel("Assigned labels");
  await dialog.getByText(before).first().waitFor();
  await field.fill("env");
  await dialog.getByText("Write env as a label, such as env=prod.").waitFor();
  await field.fill(after);
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText(`The labels of ${code} were saved.`).last().waitFor();
  await dialog.waitFor({ state: "hidden" });
}

const fact = (page: Page, name: string, value: string) =>
  page
    .locator("dl div", { has: page.getByText(name, { exact: true }) })
    .getByText(value)
    .waitFor();

test("an owner assigns labels to an agent and to its service, and a viewer sees where they are from", async () => {
  const server = await serveConsole();
  await registerAgent(server.url, await createToken(server), "edge-1", [web]);
  const { page, expectAccessible } = await openConsole(server, { path: "/agents", as: owner });
  await page.getByRole("link", { name: "edge-1", exact: true }).first().click();
  await assign(page, "edge-1", "One in each line", "env=prod\nteam=shop");
  await fact(page, "Assigned labels", "env=prod");
  await expectAccessible("agent");

  await page.getByRole("link", { name: "web", exact: true }).first().click();
  await fact(page, "Assigned labels", "team=shop");
  await fact(page, "Reported labels", "zone=a");
  await fact(page, "Overridden labels", "env=dev");
  await assign(page, "web", "One in each line", "tier=web");
  await fact(page, "Assigned labels", "tier=web");
  await assign(page, "web", "tier=web", "");
  await page.getByText("tier=web").first().waitFor({ state: "detached" });

  await addUser(server, viewer);
  const onlooker = await openConsole(server, { path: "/services", as: viewer });
  await onlooker.page.getByRole("link", { name: "web", exact: true }).click();
  await fact(onlooker.page, "Overridden labels", "env=dev");
  await onlooker.page.getByRole("button", { name: "Assign labels" }).waitFor({ state: "detached" });
});
