// Approvals in the console: one user asks, another one decides.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { draftOf, emptyPolicy, requestOf } from "../../src/console/pages/policies/policy-draft.ts";
import { run } from "../../src/store/sql-tag.ts";
import { findApproval, insertApproval } from "../../src/store/tables/approvals/approvals.ts";
import { type Console, expectComplaint, openConsole } from "../helpers/browser/browser.ts";
import { serveInProcess } from "../helpers/in-process-server.ts";
import { createToken } from "../helpers/process/operator.ts";
import { registerAgent } from "../helpers/process/process.ts";
import { addUser, callAsOwner, owner, type Person } from "../helpers/session.ts";
import { endCommand } from "./agents.ts";
import { focused } from "./focused.ts";

const olga: Person = {
  username: "olga",
  displayName: "Olga Berg",
  password: "asks for everything",
  role: "operator",
};

const wipe = {
  name: "wipe",
  label: "Wipe the disk",
  dangerLevel: "HIGH",
  requiresConfirmation: true,
  prepare: false,
  inputSchema: {
    type: "object",
    required: ["disk"],
    properties: {
      disk: { type: "string", title: "Disk" },
      pin: { type: "string", title: "PIN", format: "password" },
    },
  },
};

const refresh = { name: "refresh", label: "Refresh", dangerLevel: "LOW", prepare: false };

async function openStores() {
  const server = await serveInProcess();
  const api = await callAsOwner(server);
  const services = ["store-1", "store-2", "store-3"].map((code) => ({
    ...{ code, name: code, version: "1", labels: { env: "prod" } },
    actions: [wipe, refresh],
  }));
  const agent = await registerAgent(server.url, await createToken(server), "stores", services);
  await addUser(server, olga);
  const list = await api("GET", "/capsule-services?q=store-1");
  const serviceId: string = list.body.data[0].id;
  // A search for store-1 finds these services first.
  const annex = Array.from({ length: 50 }, (_, at) => {
    return { code: `annex-of-store-1-${at}`, name: `Annex ${at}`, version: "1" };
  });
  await registerAgent(server.url, await createToken(server), "annexes", annex);
  return { server, agent, serviceId };
}

type Stores = Awaited<ReturnType<typeof openStores>>;

const state = (page: Page, name: string) =>
  page.locator(".page-heading").getByText(name, { exact: true }).waitFor();

test("an owner writes policies; one user asks, only another one decides, and only owners break the glass", async () => {
  expectComplaint(/\b(404|409|422)\b/);
  const all = await openStores();
  const deciding = await openConsole(all.server, { path: "/policies", as: owner });
  await writePolicies(deciding);
  const path = `/services/${all.serviceId}/actions/wipe`;
  const asking = await openConsole(all.server, { path, as: olga });
  await approve(all, asking, deciding);
  await reject(all, asking, deciding);
  await withdrawRollout(asking, deciding);
  await breakGlass(all, asking, deciding);
});

async function writePolicies({ page, button, dialog }: Console) {
  const create = async (name: string, fill: () => Promise<void>) => {
    await button("Create policy").click();
    // The buttons are in view, however long the form is.
    const isInView = (el: Element) => el.getBoundingClientRect().bottom <= innerHeight;
    await expect.poll(() => button("Create", dialog).evaluate(isInView)).toBe(true);
    await expect.poll(() => focused(page)).toBe("Name required");
    await dialog.getByLabel("Name").fill(name);
    await fill();
    await button("Create", dialog).click();
    // The live stream can show the row before the response closes the dialog.
    await dialog.waitFor({ state: "detached" });
  };
  await create("production", async () => {
    await dialog.getByLabel("Selector").fill("env=prod");
    await dialog.getByLabel("Danger level").selectOption("HIGH");
    await dialog.getByLabel("2 approvals, by different users").check();
  });
  await page.getByRole("row", { name: /production/ }).waitFor();
  await create("refreshing", async () => {
    await dialog.getByLabel("Action").fill("refresh");
    await dialog.getByText("Advanced").click();
    await dialog.getByLabel("Order").fill("5");
  });
  const table = page.getByRole("table", { name: "Approval policies" });
  await expect.poll(() => table.getByRole("row").nth(1).innerText()).toContain("refreshing");

  await page.getByLabel("Service").fill("store-1");
  await page.getByRole("combobox", { name: /^Action/ }).selectOption("wipe");
  await button("Test").click();
  await page.getByText("The policy production applies.").waitFor();
  await page.getByText("It is for the action refresh.").waitFor();

  await page.getByRole("link", { name: "production" }).first().click();
  await button("Edit").click();
  await dialog.getByLabel("1 approval", { exact: true }).check();
  await button("Save", dialog).click();
  await page.getByRole("row", { name: /policy.updated/ }).waitFor();
}

async function approve(all: Stores, asking: Console, deciding: Console) {
  await asking.page.getByLabel("Disk").fill("sda");
  await asking.page.getByLabel("PIN").fill("4711815193");
  await asking.button("Request approval …").click();
  await asking.dialog.getByText("The policy production requires approval.").waitFor();
  await asking.dialog.getByLabel("Type the code store-1 to confirm").fill("store-1");
  await asking.button("Request approval", asking.dialog).click();
  await asking.page.getByRole("heading", { name: "Waiting for approval" }).waitFor();
  await asking.page.getByText("so someone else must approve it").waitFor();
  await asking.page.getByText("0 of 1 approval").waitFor();

  // The other user sees the request at once, in the navigation and on the overview.
  const { page, button, dialog } = deciding;
  const navigation = page.getByRole("navigation", { name: "Main navigation" });
  await navigation.getByRole("link", { name: /Approvals.*1 request from others/ }).waitFor();
  await navigation.getByRole("link", { name: "Overview" }).click();
  await page.getByRole("region", { name: "1 request is waiting for your decision" }).waitFor();
  await page.getByRole("link", { name: "Open inbox" }).click();
  const row = page.getByRole("table", { name: "For you to decide" }).getByRole("row").nth(1);
  await row.getByText("Olga Berg (olga)").waitFor();
  await row.getByRole("link", { name: "wipe on store-1" }).click();
  await page.getByText("Wipe the disk").waitFor();
  await page.getByText("sda", { exact: true }).waitFor();
  await page.getByText("High danger").waitFor();
  expect(await page.content()).not.toContain("4711815193");
  const digest = await page.locator(".approval-digest code").innerText();
  expect(digest).toMatch(/^[0-9a-f]{64}$/);

  await button("Approve").click();
  await dialog.getByText(digest).waitFor();
  await dialog.getByLabel("Comment").fill("the disk is empty");
  await deciding.expectAccessible();
  await button("Approve", dialog).click();
  await state(page, "APPROVED");
  await page.getByRole("list", { name: "Decisions" }).getByText("the disk is empty").waitFor();
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
    .toBeLessThanOrEqual(0);

  // The requester's page opens the command by itself.
  await asking.page.waitForURL(/\/commands\/cmd_/);
  await endCommand(all.agent);
  await state(asking.page, "SUCCEEDED");
}

/** The requester's page shows why nothing runs. Only owners can run the action without approval. */
async function reject({ serviceId }: Stores, asking: Console, deciding: Console) {
  await asking.visit(`/services/${serviceId}/actions/refresh`);
  await asking.button("Request approval …").click();
  await asking.dialog.getByText("The policy refreshing requires").waitFor();
  await expect.poll(() => asking.dialog.getByLabel(/^Break glass/).count()).toBe(0);
  await asking.button("Request approval", asking.dialog).click();
  await asking.page.getByRole("heading", { name: "Waiting for approval" }).waitFor();
  // The row of the inbox has the same dialogs as the page.
  const { page, button, dialog } = deciding;
  await openInbox(page);
  await button("Approve refresh on store-1").click();
  await dialog.getByRole("region", { name: "What will run" }).getByText("Low danger").waitFor();
  await expect.poll(() => dialog.innerText()).toMatch(/[0-9a-f]{64}/);
  await button("Cancel", dialog).click();
  await expect.poll(() => focused(page)).toBe("Approve refresh on store-1");
  await button("Reject refresh on store-1").click();
  await expect.poll(() => button("Reject", dialog).isDisabled()).toBe(true);
  await dialog.getByLabel("Reason").fill("not today");
  await button("Reject", dialog).click();
  await page.getByText("No requests are waiting for approval.").waitFor();
  // When the row disappears, the focus stays on the page.
  await expect.poll(() => page.evaluate("document.activeElement?.localName")).toBe("main");
  await asking.page.getByText("The request was rejected. Nothing runs.").waitFor();
  await asking.page.getByText("Reason: not today").waitFor();
}

/**
 * While a rollout waits, its services are fixed. The requester can withdraw the request, but not
 * decide on it. The withdrawn request leaves the inbox, but the dialog in its row stays until it is
 * closed.
 */
async function withdrawRollout(asking: Console, deciding: Console) {
  const { page, button, dialog } = asking;
  await asking.visit("/rollouts/new?selector=env%3Dprod&action=refresh");
  await page.getByText("This action declares no fields.").waitFor();
  await button("Preview").click();
  await button("Run refresh on 3 services").click();
  await dialog.getByText("The policy refreshing requires approval.").waitFor();
  await button("Request approval", dialog).click();
  await state(page, "AWAITING APPROVAL");
  await page.getByText("The rollout starts when it is approved.").waitFor();

  await openInbox(deciding.page);
  await deciding.page.getByRole("link", { name: "refresh on 3 services" }).click();
  const targets = deciding.page.getByRole("table", { name: "Targets by wave" });
  await expect.poll(() => targets.getByRole("row").count()).toBe(3);
  await expect.poll(() => targets.innerText()).toMatch(/store-[123], store-[123]/);

  await openInbox(deciding.page);
  await deciding.button("Reject refresh on 3 services").click();
  await deciding.dialog.getByLabel("Reason").fill("not today");

  await page.getByRole("link", { name: "Open the request" }).click();
  // The page of the rollout has a button to withdraw the request, too.
  await page.getByRole("heading", { name: "Decisions" }).waitFor();
  await expect.poll(() => button("Approve").count()).toBe(0);
  await button("Withdraw").click();
  await button("Withdraw", dialog).click();
  await page.getByText("The request was withdrawn.").waitFor();
  await deciding.button("Reject", deciding.dialog).click();
  await deciding.dialog.getByRole("alert").waitFor();
  await expect.poll(() => deciding.dialog.getByLabel("Reason").inputValue()).toBe("not today");
  await deciding.button("Cancel", deciding.dialog).click();
  await deciding.page.getByText("No requests are waiting for approval.").waitFor();

  await openInbox(page);
  await page.getByRole("link", { name: "My requests" }).click();
  const mine = page.getByRole("table", { name: "My requests" });
  await expect.poll(() => mine.getByRole("row").count()).toBe(4);
  await mine.getByRole("row", { name: /REJECTED.* not today/ }).waitFor();
  await page.getByRole("link", { name: "All requests" }).click();
  await page.getByRole("row", { name: /WITHDRAWN/ }).waitFor();
}

async function breakGlass({ serviceId }: Stores, asking: Console, deciding: Console) {
  const { page, button, dialog, visit } = deciding;
  await visit(`/services/${serviceId}/actions/refresh`);
  await button("Request approval …").click();
  await dialog.getByLabel(/^Break glass/).check();
  await dialog.getByText("The audit trail and the server's log record this").waitFor();
  await expect.poll(() => button("Run without approval", dialog).isDisabled()).toBe(true);
  await dialog.getByLabel("Why this cannot wait").fill("the shop is down");
  await button("Run without approval", dialog).click();
  await page.waitForURL(/\/commands\/cmd_/);
  await asking.page.getByRole("link", { name: "Overview" }).click();
  const bypassed = asking.page.getByRole("region", { name: /^1 approval was bypassed/ });
  await bypassed.getByText("the shop is down").waitFor();
  await bypassed.getByRole("button", { name: "Dismiss" }).click();
  await bypassed.waitFor({ state: "detached" });
  await expect.poll(() => asking.page.evaluate("document.activeElement?.localName")).toBe("main");
}

async function openInbox(page: Page): Promise<void> {
  const navigation = page.getByRole("navigation", { name: "Main navigation" });
  await navigation.getByRole("link", { name: /^Approvals/ }).click();
}

test("of many requests, the inbox and the navigation do not take the newest for all", async () => {
  const server = await serveInProcess();
  const api = await callAsOwner(server);
  const body = { name: "all", approvers: { role: "operator" } };
  await api("POST", "/approval-policies", body);
  const services = [{ code: "store-1", name: "1", version: "1", actions: [refresh] }];
  await registerAgent(server.url, await createToken(server), "stores", services);
  const [service] = (await api("GET", "/capsule-services")).body.data;
  const asked = await api("POST", `/capsule-services/${service.id}/actions/refresh`, {});
  const { db } = server.app.core;
  const own = (await findApproval(db.read, asked.body.data.approval.id))!;
  const of = (userId: string | null, n: number) => ({
    ...{ ...own, id: `apr_7${String(n).padStart(25, "0")}` },
    requester: { ...own.requester, userId },
  });
  await db.write(async (tx) => {
    await run(tx)`DELETE FROM approvals`;
    await insertApproval(tx, of(null, 0));
    for (let n = 1; n <= 60; n++) await insertApproval(tx, of(own.requester.userId, n));
  });
  const { page } = await openConsole(server, { path: "/approvals", as: owner });
  await page.getByText("None of the newest 50 requests are waiting for your decision.").waitFor();
  const navigation = page.getByRole("navigation", { name: "Main navigation" });
  await navigation.getByRole("link", { name: /Approvals.*1 request from others/ }).waitFor();
});

test("the form of a policy becomes a request without its empty fields, and back", () => {
  const request = requestOf({ ...emptyPolicy, name: " production ", hours: "0.5" });
  expect(request).toEqual({
    ...{ name: "production", order: 100, approvals: 1, expiresAfterSeconds: 1800 },
    approvers: { role: "operator" },
  });
  expect(requestOf({ ...emptyPolicy, by: "users", users: "ann, ,ben" })?.approvers).toEqual({
    users: ["ann", "ben"],
  });
  for (const wrong of [{ hours: "" }, { hours: "-1" }, { order: "1.5" }, { order: "" }]) {
    expect(requestOf({ ...emptyPolicy, ...wrong })).toBeNull();
  }
  const stored = {
    ...{ name: "two", description: null, order: 3, selector: "env=prod", action: null },
    ...{ dangerLevel: "HIGH", approvals: 2, approvers: { users: ["ann", "ben"] } },
    expiresAfterSeconds: 7200,
  } as unknown as Parameters<typeof draftOf>[0];
  expect(requestOf(draftOf(stored))).toEqual({
    ...{ name: "two", order: 3, selector: "env=prod", dangerLevel: "HIGH", approvals: 2 },
    ...{ approvers: { users: ["ann", "ben"] }, expiresAfterSeconds: 7200 },
  });
});
