// Tests the pages of the event bus, the audit trail and declared objects against a real server and
// agent.

import { readFileSync } from "node:fs";
import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { type Console, expectComplaint, openConsole } from "../helpers/browser/browser.ts";
import { openFacet } from "../helpers/browser/facets.ts";
import { type InProcessServer, serveInProcess } from "../helpers/in-process-server.ts";
import { createToken } from "../helpers/process/operator.ts";
import { type RemoteAgent, registerAgent } from "../helpers/process/process.ts";
import { addUser, type Call, callAsOwner, owner, viewer } from "../helpers/session.ts";
import { endCommand } from "./agents.ts";
import { focused } from "./focused.ts";

const rotate = {
  name: "rotate",
  label: "Rotate the log",
  description: "Begins a new file.",
  dangerLevel: "LOW",
  inputSchema: {
    type: "object",
    properties: { file: { type: "string" }, keep: { type: "integer" } },
    required: ["file"],
    additionalProperties: false,
  },
};

async function startBus(): Promise<{ server: InProcessServer; api: Call; agent: RemoteAgent }> {
  const server = await serveInProcess({ PLATFORM_CAPSULE_BUS_ENABLED: "true" });
  const api = await callAsOwner(server);
  const agent = await registerAgent(server.url, await createToken(server), "logs-agent", [
    { code: "log-collector", name: "Log collector", version: "1.0.0", actions: [rotate] },
  ]);
  return { server, api, agent };
}

const publish = ({ agentId, call }: RemoteAgent, disk: string) =>
  call("POST", `/${agentId}/bus/events`, {
    type: "log.grown",
    source: "log-collector",
    data: { disk, file: `/var/log/${disk}.log` },
  });

test("an operator routes events, a viewer reads, exports and verifies the audit trail, and pages say what files declare", async () => {
  // The forms look for a declared service that no agent has reported.
  expectComplaint(/\b404\b.*\/capsule-services\/log\)/);
  const bus = await startBus();
  const options = { path: "/bus/routes", width: 1440, as: owner };
  const console = await openConsole(bus.server, options);
  await routeEvents(bus, console);
  await seeDeclared(bus, console);
  await addUser(bus.server, viewer);
  await console.gotoAs(viewer, "/audit");
  await readAudit(bus, console);
});

type Bus = Awaited<ReturnType<typeof startBus>>;

/**
 * Creates and tests a route. The route then creates a command for a real event, and is replayed.
 */
async function routeEvents({ api, agent }: Bus, console: Console): Promise<void> {
  const { page, dialog, button } = console;
  await page.getByRole("link", { name: "Create route" }).click();
  await page.getByLabel(/^Name/).fill("rotate-full-logs");
  await page.getByLabel("Event type").fill("log.*");
  await page.getByLabel("Service required").fill("log-collector");
  await page.getByLabel("Action").selectOption("rotate");
  await button("Add condition").click();
  const condition = page.getByRole("group", { name: "Condition 1" });
  await condition.getByLabel("JSON Pointer").fill("/data/disk");
  await condition.getByLabel("Expected value").fill("full");
  await button("Save route").click();
  await condition.getByText("This is not JSON.").waitFor();
  await condition.getByLabel("Expected value").fill('"full"');
  await page.getByLabel("These fields").check();
  for (const [place, field, kind, from] of [
    [1, "file", "pointer", "/data/file"],
    [2, "keep", "constant", "7"],
  ] as const) {
    await button("Add field").click();
    const row = page.getByRole("group", { name: `Field ${place}` });
    await row.getByLabel("Field", { exact: true }).fill(field);
    await row.getByLabel("Value from").selectOption(kind);
    await row.getByLabel(kind === "pointer" ? "Pointer" : "Constant").fill(from);
  }

  await button("Add field").click();
  await expect.poll(() => focused(page)).toBe("Field");
  await button("Remove field 3").click();
  await expect.poll(() => focused(page)).toBe("Remove field 2");

  // The title of the next page gets the focus, but does not take it again when the route arrives.
  const { promise: isRead, resolve: read } = Promise.withResolvers<void>();
  await console.intercept("**/api/admin/bus/routes/brt_*", async (route) => {
    await isRead;
    await route.continue();
  });
  await button("Save route").click();
  await page.waitForURL(/\/bus\/routes\/brt_/);
  await expect.poll(() => focused(page)).toBe("Bus route");
  await page.getByRole("link", { name: "Overview" }).focus();
  read();
  await page.getByText("did you mean /disk?").waitFor();
  await expect.poll(() => focused(page)).toBe("Overview");

  // The test uses the route in the form, saved or not.
  await page.getByLabel("Custom event").check();
  const event = {
    type: "log.grown",
    source: "log-collector",
    data: { disk: "full", file: "a.log" },
  };
  await page.getByLabel("Event (JSON)").fill(JSON.stringify(event));
  await button("Test").click();
  const result = page.getByRole("status", { name: "Result of the test" });
  await result.getByText('/data/disk does not match: expected "full", found nothing').waitFor();
  await condition.getByLabel("JSON Pointer").fill("/disk");
  await page.getByText("The route has changed since this test.").waitFor();
  await button("Test").click();
  await result.getByText("The event matches: a command would be created.").waitFor();
  await expect
    .poll(() => result.getByRole("figure", { name: "Payload" }).textContent())
    .toContain('"keep": 7');
  // The button keeps its place, but is disabled, because it would not save the changes.
  await expect.poll(() => button("Enable: rotate-full-logs").isDisabled()).toBe(true);
  await button("Save route").click();
  await page.getByText("Version 2", { exact: true }).waitFor();
  const url = page.url();
  const routeId = url.split("/").at(-1) ?? "";
  expect((await api("GET", `/bus/routes/${routeId}`)).body.data).toMatchObject({
    state: "DISABLED",
    match: { type: "log.*", data: { "/disk": "full" } },
    target: { serviceCode: "log-collector", action: "rotate" },
    payload: { file: "/data/file", keep: { const: 7 } },
  });

  await button("Enable: rotate-full-logs").click();
  await dialog.getByText("rotate runs on log-collector").waitFor();
  await button("Enable", dialog).click();
  await page.getByText("rotate-full-logs is enabled.").waitFor();
  await page.getByRole("link", { name: "Events", exact: true }).click();
  await page.getByText("No event has been received yet.").waitFor();
  await publish(agent, "full");
  await publish(agent, "half");
  await page.getByText("COMMAND CREATED").waitFor();
  await page.getByText("PENDING").waitFor();
  await endCommand(agent);
  await page.getByText("SUCCEEDED").waitFor();
  await page.getByText("no route matched").waitFor();

  await page
    .getByRole("row", { name: "SUCCEEDED" })
    .getByRole("link", { name: "log.grown" })
    .click();
  await page.getByRole("figure", { name: "Envelope" }).getByText("/var/log/full.log").waitFor();
  await page.getByRole("link", { name: "Open test" }).click();
  await button("Test").click();
  await result.getByText("The event matches: a command would be created.").waitFor();
  await button("Replay").click();
  await page.getByText("Read 2 events.").waitFor();
  const sums = async (name: string) =>
    (await page.getByRole("region", { name }).getByRole("definition").allTextContents()).join(" ");
  await expect.poll(() => sums("What the route would do")).toBe("2 1 1 0 0");
  await expect.poll(() => sums("What the route actually did")).toBe("1 0 0");
  await expect
    .poll(() => page.getByRole("table", { name: "Matching events" }).textContent())
    .toContain("log.grown");

  // The second of two editors sees the conflict and loads the newer version.
  await page.getByLabel("Name").fill("mine");
  const { version, ...route } = (await api("GET", `/bus/routes/${routeId}`)).body.data;
  const theirs = await api("PUT", `/bus/routes/${routeId}`, { ...route, version, name: "theirs" });
  expect(theirs.status).toBe(200);
  const told = `Someone else has saved this route: it now has version ${version + 1}`;
  await page.getByText(told).waitFor();
  await button("Load the newer version").click();
  await expect.poll(() => page.getByLabel("Name").inputValue()).toBe("theirs");

  // The page of a new route keeps the focus, too, when the event arrives.
  const [unread] = (await api("GET", "/bus/events?pageSize=1")).body.data;
  const { promise: isEventRead, resolve: readEvent } = Promise.withResolvers<void>();
  await console.intercept(`**/api/admin/bus/events/${unread.id}`, async (route) => {
    await isEventRead;
    await route.continue();
  });
  await console.visit(`/bus/routes/new?eventId=${unread.id}`);
  await expect.poll(() => focused(page)).toBe("New route");
  await page.getByRole("link", { name: "Overview" }).focus();
  readEvent();
  await expect.poll(() => page.getByLabel("Event type").inputValue()).toBe("log.grown");
  await expect.poll(() => focused(page)).toBe("Overview");
}

/** The audit trail is filtered, exported and verified. A viewer cannot change a route. */
async function readAudit({ api }: Bus, console: Console): Promise<void> {
  const target = { serviceCode: "log-collector", action: "rotate" };
  const route = { name: "first", match: { type: "log.*" }, target };
  await api("POST", "/bus/routes", route);
  const { page, dialog, button } = console;

  await page.getByRole("button", { name: "schedule.paused: details" }).waitFor();
  const action = await openFacet(console, "Action");
  await action.fill("bus.route.c*");
  await action.press("Enter");
  await page.waitForURL(/action=bus.route/);
  await expect.poll(() => page.getByRole("row").count()).toBe(4);
  await api("POST", "/bus/routes", { ...route, name: "second" });
  await expect.poll(() => page.getByRole("row").count()).toBe(5);
  await page.getByRole("button", { name: "bus.route.created: details" }).nth(1).click();
  await dialog.getByText('"name": "first"').waitFor();
  await page.keyboard.press("Escape");

  await button("Export").click();
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "CSV" }).click();
  const saved = readFileSync(await (await downloading).path(), "utf8");
  const [, ...lines] = saved.trimEnd().split("\n");
  expect(lines.map((line) => line.includes("bus.route.created"))).toEqual([true, true, true, true]);
  await page.keyboard.press("Escape");

  await button("Verify chain").click();
  await page.getByText("Compare with an anchor", { exact: true }).click();
  await page.getByLabel("Position (seq)").fill("1");
  await page.getByLabel("Hash").fill("0".repeat(64));
  await button("Verify").click();
  await dialog.getByText("The chain is broken at row 1.").waitFor();
  await page.getByLabel("Position (seq)").fill("");
  await page.getByLabel("Hash").fill("");
  await button("Verify again").click();
  await dialog.getByText("The chain is intact").waitFor();
  const { body: list } = await api("GET", "/audit-events?pageSize=1");
  const { seq, hash } = list.data[0];
  await dialog.getByText(`${seq} ${hash}`).waitFor();
  await page.getByLabel("Only rows since the last verification").check();
  await button("Verify again").click();
  await dialog.getByText(/^Rows up to \d+\. Last verification:/).waitFor();
  await dialog.getByText("Last complete verification").waitFor();
  await console.expectAccessible();
  await page.keyboard.press("Escape");

  await page.getByRole("link", { name: "Routes", exact: true }).click();
  await page.getByRole("link", { name: "first" }).click();
  await button("Replay").waitFor();
  await expect.poll(() => page.getByRole("button", { name: /Save|Delete|Enable/ }).count()).toBe(0);
}

const where = "Managed by deploy/all.yaml (set default)";
const reversed = "The next apply reverses changes made here.";

const documents = [
  {
    kind: "BusRoute",
    name: "kept",
    match: { type: "log.full" },
    target: { serviceCode: "log", action: "rotate" },
  },
  { kind: "SavedView", name: "offline", noun: "agents", query: { status: "OFFLINE" } },
  {
    kind: "SavedView",
    name: "sign-ins",
    noun: "audit-events",
    query: { action: "session.*", actorType: "USER" },
  },
  {
    kind: "Schedule",
    name: "nightly",
    cron: "0 3 * * *",
    target: { kind: "action", service: "log", action: "rotate" },
  },
  { kind: "Settings", settings: { auditRetentionDays: 30 } },
];

/** Lists and pages name the file that declares an object, and warn that apply reverses changes. */
async function seeDeclared({ api }: Bus, console: Console): Promise<void> {
  const digest = "0".repeat(64);
  const declared = documents.map((document) => ({ file: "deploy/all.yaml", digest, document }));
  const applied = await api("POST", "/declarations/apply", { documents: declared });
  expect(applied.status).toBe(200);
  const { page, button, dialog, expectAccessible } = console;
  const open = (name: string) => page.getByRole("link", { name, exact: true }).first().click();
  const heading = page.locator(".page-heading");
  const row = (name: string) => page.getByRole("row", { name: new RegExp(name) });
  const notes = (within: Locator = page.locator("main")) => within.getByText(reversed);
  await open("Routes");
  await row("kept").getByText(where).first().waitFor();
  await row("theirs").waitFor();
  await expect.poll(() => row("theirs").getByText("Managed by").count()).toBe(0);

  // A route is edited on its page.
  await page.getByRole("link", { name: "kept", exact: true }).click();
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
  await page.getByText("The schedule is paused.").first().waitFor();
  await page.getByRole("link", { name: "Edit" }).click();
  await notes().waitFor();

  await open("Views");
  await row("offline").getByText(where).first().waitFor();
  await row("sign-ins").getByText("Action session.*, Actor type User", { exact: true }).waitFor();
  await row("sign-ins").getByRole("cell", { name: "Audit", exact: true }).waitFor();
  await open("offline");
  await button("Edit view").click();
  await notes(dialog).waitFor();
  await button("Cancel", dialog).click();

  await open("Settings");
  await page.getByText(where).waitFor();
  await page.getByText("The next apply reverses changes to the settings").waitFor();
  await expectAccessible();
}
