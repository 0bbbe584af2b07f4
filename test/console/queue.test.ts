// An action of an agent that is out of reach is confirmed and queued in one step, which says when it expires.

import { expect, test } from "vitest";
import { openConsole } from "../helpers/browser/browser.ts";
import { serveConsole } from "../helpers/browser/console-server.ts";
import { createToken, operatorOf } from "../helpers/process/operator.ts";
import { registerAgent } from "../helpers/process/process.ts";
import { owner } from "../helpers/session.ts";

const actions = [{ name: "purge", label: "Purge", dangerLevel: "HIGH", prepare: false }];

test("a dangerous action of an offline agent needs one confirmation", async () => {
  const server = await serveConsole();
  const services = [{ code: "web", name: "Web", version: "1", actions }];
  const agent = await registerAgent(server.url, await createToken(server), "edge-1", services);
  const [service] = await (await operatorOf(server)).call("services.list");
  expect((await agent.call("POST", "/offline", {})).status).toBe(200);
  const path = `/services/${service?.id}/actions/purge`;
  const { page, button, dialog, expectAccessible } = await openConsole(server, { path, as: owner });
  await button("Run Purge").click();
  await dialog.getByText(/^edge-1 cannot be reached .* expires first, after 5 min\.$/).waitFor();
  await expectAccessible();
  await dialog.getByLabel("Type the code web to confirm").fill("web");
  await button("Queue command", dialog).click();
  await page.waitForURL(/\/commands\/cmd_/);
  await page.locator(".page-heading").getByText("PENDING", { exact: true }).waitFor();
  await expect.poll(() => dialog.count()).toBe(0);
});
