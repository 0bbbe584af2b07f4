// The page of a service shows at once what is wrong, since when, why, and what can be done.
// Owners assign labels, and move a service that two agents report.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { effectiveStatuses } from "../../src/domain/fleet/services.ts";
import { openConsole } from "../helpers/browser/browser.ts";
import { serveInProcess } from "../helpers/in-process-server.ts";
import { createToken, operatorOf } from "../helpers/process/operator.ts";
import { registerAgent } from "../helpers/process/process.ts";
import { owner } from "../helpers/session.ts";
import { endCommand } from "./agents.ts";

const service = {
  code: "web-1",
  name: "Web shop",
  version: "2.1.0",
  healthStatus: "UP",
  labels: { tier: "front", zone: "a" },
  configs: [{ key: "port", type: "number", valuePreview: "8080" }],
  actions: [
    { name: "logs", label: "Show logs", category: "diagnostics", order: 20, prepare: false },
    { name: "restart", label: "Restart", category: "operations", order: 10, prepare: false },
    { name: "secret", label: "Hidden one", hidden: true, prepare: false },
  ],
};

async function assign(page: Page, code: string, after: string): Promise<void> {
  await page.getByRole("button", { name: "Assign labels" }).click();
  const dialog = page.getByRole("dialog", { name: `Labels of ${code}` });
  const field = dialog.getByLabel("Assigned labels");
  await field.fill("env");
  await dialog.getByText("Write env as a label, such as env=prod.").waitFor();
  await field.fill(after);
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText(`The labels of ${code} were saved.`).waitFor();
  await dialog.waitFor({ state: "hidden" });
}

const fact = (page: Page, name: string, value: string) =>
  page
    .locator("dl div", { has: page.getByText(name, { exact: true }) })
    .getByText(value)
    .waitFor();

test("a service and its agent are each one screen, where an owner assigns labels and moves the service", async () => {
  const server = await serveInProcess();
  const agent = await registerAgent(server.url, await createToken(server), "edge-1", [service]);
  const client = await operatorOf(server);
  const [found] = await client.call("services.list", { query: { q: service.code } });
  const params = { serviceId: found!.id, actionName: "restart" };
  await client.call("actions.execute", { params, body: {} });
  const error = { code: "EXIT_1", message: "the port is in use" };
  await endCommand(agent, { success: false, error });
  const sick = {
    ...service,
    healthStatus: undefined,
    health: {
      ...{ status: "DOWN", message: "port 8080 is closed" },
      details: {
        listeners: 2,
        accounts: [
          { name: "shop@example.org", status: "UP", orders: 12 },
          { name: "=sum@example.org", status: "DOWN", orders: 0 },
        ],
      },
    },
  };
  await agent.call("POST", "/services", { services: [sick] });

  const path = `/services/${found!.id}`;
  const operator = await openConsole(server, { path, as: owner });
  const { page } = operator;
  const status = page.getByRole("region", { name: "Status" });
  await status.getByText("UNHEALTHY", { exact: true }).waitFor();
  await status.getByText("port 8080 is closed").waitFor();
  await expect.poll(() => status.innerText()).toMatch(/since \S+/);
  const last = page.getByRole("table", { name: "Commands" }).getByRole("row").nth(1);
  await last.getByText("EXIT_1").waitFor();
  await last.getByText("FAILED").waitFor();

  // The details in the agent's report are a table, with the usual badges for statuses.
  const accounts = page.getByRole("region", { name: "Health details: accounts" });
  const down = accounts.getByRole("row").filter({ hasText: "=sum@example.org" });
  await expect.poll(() => down.locator(".badge.tone-bad").innerText()).toBe("Down");

  // The category with the lowest order comes first, and hidden actions are left out.
  const runs = page.getByRole("main").getByRole("link", { name: /^Run / });
  await expect.poll(() => runs.allInnerTexts()).toEqual(["Restart", "Show logs"]);
  await expect.poll(() => runs.first().getAttribute("href")).toBe(`${path}/actions/restart`);

  const strip = page.getByRole("img", { name: /^Last 24 hours: .*Unhealthy/ });
  await strip.waitFor();
  await page.getByRole("img", { name: /^Last 30 days: / }).waitFor();
  await page.getByText("Show changes").press("Enter");
  const changes = page.getByRole("list", { name: "Status changes, newest first" });
  await changes.getByText("first report").waitFor();
  await expect.poll(() => changes.getByRole("listitem").count()).toBe(2);
  // The arrow is visible in forced colours, too.
  await page.emulateMedia({ forcedColors: "active" });
  const arrow = page.getByText("Show days");
  const isVisible = (el: Element) =>
    getComputedStyle(el, "::before").backgroundColor !==
    getComputedStyle(document.body).backgroundColor;
  await expect.poll(() => arrow.evaluate(isVisible)).toBe(true);
  const legend = page.locator(".strip-legend .strip-share").first();
  const looks = await legend.evaluate((el, statuses) => {
    const before = el.getAttribute("class") ?? "";
    const seen = statuses.map((status) => {
      el.setAttribute("class", `strip-share strip-${status.toLowerCase()}`);
      const { backgroundColor, backgroundImage, borderStyle } = getComputedStyle(el);
      return `${backgroundColor} ${backgroundImage} ${borderStyle}`;
    });
    el.setAttribute("class", before);
    return seen;
  }, effectiveStatuses);
  expect(new Set(looks).size, looks.join("\n")).toBe(effectiveStatuses.length);
  await page.emulateMedia({ forcedColors: null });
  await page.getByText("Show days").click();
  await expect
    .poll(() => page.getByRole("table", { name: "Uptime by day" }).getByRole("row").count())
    .toBe(31);
  await page.getByRole("table", { name: "Configuration" }).getByText("8080").waitFor();
  await page.getByRole("link", { name: "tier=front" }).waitFor();
  await operator.expectAccessible("wide");

  // The page follows what the agent reports.
  await agent.call("POST", "/services", { services: [service] });
  await status.getByText("HEALTHY", { exact: true }).waitFor();
  await changes.getByRole("listitem").nth(2).waitFor();

  await page.getByRole("region", { name: "About" }).getByRole("link", { name: "edge-1" }).click();
  const table = page.getByRole("table", { name: "Services of this agent" });
  const row = table.getByRole("row").filter({ hasText: "web-1" });
  await row.getByText("HEALTHY", { exact: true }).waitFor();
  // The text uses this server's threshold, not the default.
  await page.getByText("less than 1 h ago").waitFor();

  // An owner assigns labels to the agent and to its service.
  await assign(page, "edge-1", "tier=prod\nteam=shop");
  await fact(page, "Assigned labels", "tier=prod");
  await page.getByRole("link", { name: "web-1", exact: true }).first().click();
  await page.getByRole("heading", { level: 1, name: "web-1" }).waitFor();
  await fact(page, "Assigned labels", "team=shop");
  await fact(page, "Reported labels", "zone=a");
  await fact(page, "Overridden labels", "tier=front");
  await assign(page, "web-1", "floor=2");
  await fact(page, "Assigned labels", "floor=2");
  // What another owner changes while the dialog is open stays.
  await page.getByRole("button", { name: "Assign labels" }).click();
  const labels = page.getByRole("dialog").getByLabel("Assigned labels");
  await labels.fill(`${await labels.inputValue()}\ndesk=4`);
  const other = { params: { serviceId: found!.id }, body: { labels: { floor: "3" } } };
  await client.call("services.label", other);
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await fact(page, "Assigned labels", "desk=4");
  await fact(page, "Assigned labels", "floor=3");

  // Another agent reports the service, too, and an owner moves the service to that agent.
  const second = await registerAgent(server.url, await createToken(server), "edge-2");
  await second.call("POST", "/services", { services: [service] });
  const claims = page.getByRole("list", { name: "Also reported by" });
  await operator.visit(path);
  await claims.getByText("edge-2 first reported this service").waitFor();
  await claims.getByRole("link", { name: "edge-2" }).click();
  const refused = page.getByRole("list", { name: "Refused services" });
  await refused.getByText("web-1 belongs to edge-1").waitFor();
  await refused.getByRole("link", { name: "web-1" }).click();
  await page.getByRole("button", { name: "Move to another agent" }).click();
  const dialog = page.getByRole("dialog", { name: "Move web-1 to another agent" });
  await dialog.getByLabel("Agent").selectOption("edge-2 (already reports this service)");
  await operator.expectAccessible();
  await dialog.getByRole("button", { name: "Move" }).click();
  await page.getByText("web-1 now belongs to edge-2.").waitFor();
  await claims.waitFor({ state: "detached" });
  // The audit events show states in words, and names unchanged.
  const events = page.getByRole("table", { name: "Audit events" });
  await expect
    .poll(() => events.innerText())
    .toContain("web-1 moved from edge-1 to edge-2: from edge-1 to edge-2");
  await expect.poll(() => events.innerText()).toContain("from Healthy to Unhealthy");

  // The list shows a word that is not a status exactly as the agent has reported it.
  await second.call("POST", "/services", { services: [{ ...service, healthStatus: "half_Open" }] });
  await operator.visit("/services?columns=code,health");
  const listed = page.getByRole("row").filter({ hasText: "web-1" });
  await expect.poll(() => listed.innerText()).toContain("half_Open");
});
