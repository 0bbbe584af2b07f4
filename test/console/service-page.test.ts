// The page of a service answers at once what is wrong, since when, why, and what can be done.

import { expect, test } from "vitest";
import { openConsole } from "../helpers/browser/browser.ts";
import { serveConsole } from "../helpers/browser/console-server.ts";
import { perFile } from "../helpers/lifetime.ts";
import { createToken, operatorOf } from "../helpers/process/operator.ts";
import { registerAgent } from "../helpers/process/process.ts";
import { addUser, owner, viewer } from "../helpers/session.ts";

const service = {
  code: "web-1",
  name: "Web shop",
  version: "2.1.0",
  healthStatus: "UP",
  labels: { tier: "front" },
  configs: [{ key: "port", type: "number", valuePreview: "8080" }],
  actions: [
    { name: "logs", label: "Show logs", category: "diagnostics", order: 20, prepare: false },
    { name: "restart", label: "Restart", category: "operations", order: 10, prepare: false },
    { name: "secret", label: "Hidden one", hidden: true, prepare: false },
  ],
};

const startedServer = perFile(() =>
  serveConsole({
    PLATFORM_AGENT_OFFLINE_THRESHOLD_SECONDS: "75",
    PLATFORM_SERVICE_STALE_THRESHOLD_SECONDS: "100",
  }),
);

test("a service and its agent are each one screen", async () => {
  const server = startedServer();
  const agent = await registerAgent(server.url, await createToken(server), "edge-1", [service]);
  const client = await operatorOf(server);
  const [found] = await client.call("services.list", { query: { q: service.code } });
  const params = { serviceId: found!.id, actionName: "restart" };
  await client.call("actions.execute", { params, body: {} });
  const { body } = await agent.call("GET", "/commands?wait=5");
  await agent.call("POST", `/commands/${body.data.commands[0].id}/result`, {
    success: false,
    error: { code: "EXIT_1", message: "the port is in use" },
  });
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
  const last = page.getByRole("region", { name: "Last command" });
  await last.getByText("the port is in use").waitFor();
  await last.getByText("FAILED").waitFor();
  await expect
    .poll(() => last.getByRole("link").first().getAttribute("href"))
    .toMatch(/^\/commands\/cmd_/);

  // What the agent reports in detail is a table, with statuses as everywhere.
  const accounts = page.getByRole("region", { name: "Health details: accounts" });
  const down = accounts.getByRole("row").filter({ hasText: "=sum@example.org" });
  await expect.poll(() => down.locator(".badge.tone-bad").innerText()).toBe("DOWN");
  await expect
    .poll(() => accounts.getByRole("columnheader").allInnerTexts())
    .toEqual([...["name", "status", "orders"]]);

  // The category with the lowest order comes first, and hidden actions are left out.
  const runs = page.getByRole("main").getByRole("link", { name: /^Run / });
  await expect.poll(() => runs.allInnerTexts()).toEqual(["Restart", "Show logs"]);
  await expect.poll(() => runs.first().getAttribute("href")).toBe(`${path}/actions/restart`);

  const strip = page.getByRole("img", { name: /^Last 24 hours: .*UNHEALTHY/ });
  await strip.waitFor();
  await page.getByRole("img", { name: /^Last 30 days: / }).waitFor();
  await page.getByText("Show changes").press("Enter");
  const changes = page.getByRole("list", { name: "Status changes, newest first" });
  await changes.getByText("first report").waitFor();
  await expect.poll(() => changes.getByRole("listitem").count()).toBe(2);
  await page.getByText("Show days").click();
  await expect
    .poll(() => page.getByRole("table", { name: "Uptime by day" }).getByRole("row").count())
    .toBe(31);
  await page.getByRole("table", { name: "Configuration" }).getByText("8080").waitFor();
  await page.getByRole("link", { name: "tier=front" }).waitFor();
  await operator.expectAccessible("service");

  // The page follows what the agent reports.
  await agent.call("POST", "/services", { services: [service] });
  await status.getByText("HEALTHY", { exact: true }).waitFor();
  await changes.getByRole("listitem").nth(2).waitFor();

  await page.getByRole("link", { name: "edge-1" }).click();
  const table = page.getByRole("table", { name: "Services of this agent" });
  const row = table.getByRole("row").filter({ hasText: "web-1" });
  await row.getByText("HEALTHY", { exact: true }).waitFor();
  await expect.poll(() => row.locator("time").count()).toBe(1);
  // The server's own threshold, not the usual one.
  await page.getByText("within the last 1 min 15 s").waitFor();
  await page.getByRole("row").filter({ hasText: "restart" }).first().waitFor();
});

test("viewers see no buttons, and a service that is not found has no tabs", async () => {
  const server = startedServer();
  await addUser(server, viewer);
  const other = { ...service, code: "mail-1" };
  await registerAgent(server.url, await createToken(server), "edge-2", [other]);
  const client = await operatorOf(server);
  const [found] = await client.call("services.list", { query: { q: other.code } });
  const onlooker = await openConsole(server, { path: `/services/${found!.id}`, as: viewer });
  const { page } = onlooker;
  await page.getByRole("img", { name: /^Last 24 hours: HEALTHY 100%/ }).waitFor();
  await expect.poll(() => page.getByRole("link", { name: /^Run / }).count()).toBe(0);
  await page.getByText("No commands yet.").waitFor();

  onlooker.expectComplaint(/\b404\b/);
  await onlooker.goto(`/services/svc_${"0".repeat(26)}`);
  await page.getByText("There is no service").waitFor();
  await expect
    .poll(() => page.getByRole("navigation", { name: "About this service" }).count())
    .toBe(0);
  await onlooker.expectAccessible();
});
