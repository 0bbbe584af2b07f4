// Tests services that two agents report.

import { test } from "vitest";
import { openConsole } from "../helpers/browser/browser.ts";
import { serveConsole } from "../helpers/browser/console-server.ts";
import { createToken } from "../helpers/process/operator.ts";
import { registerAgent } from "../helpers/process/process.ts";
import { owner } from "../helpers/session.ts";

const web = { code: "web", name: "Web", version: "1.0.0", healthStatus: "UP" };

test("the service and agent pages show that two agents report a service, and an operator moves it", async () => {
  const server = await serveConsole();
  await registerAgent(server.url, await createToken(server), "edge-1", [web]);
  const second = await registerAgent(server.url, await createToken(server), "edge-2");
  await second.call("POST", "/services", { services: [web] });

  const operator = await openConsole(server, { path: "/services", as: owner });
  const { page } = operator;
  await page.getByRole("link", { name: "web", exact: true }).click();
  const claims = page.getByRole("list", { name: "Also reported by" });
  await claims.getByText("edge-2 first reported this service").waitFor();
  await operator.expectAccessible();
  await claims.getByRole("link", { name: "edge-2" }).click();
  const refused = page.getByRole("list", { name: "Refused services" });
  await refused.getByText("web belongs to edge-1").waitFor();
  await operator.expectAccessible();

  await refused.getByRole("link", { name: "web" }).click();
  await page.getByRole("button", { name: "Move to another agent" }).click();
  const dialog = page.getByRole("dialog", { name: "Move web to another agent" });
  await dialog.getByLabel("Agent").selectOption("edge-2 (already reports this service)");
  await operator.expectAccessible();
  await dialog.getByRole("button", { name: "Move" }).click();
  await page.getByText("web now belongs to edge-2.").waitFor();
  await claims.waitFor({ state: "detached" });
});
