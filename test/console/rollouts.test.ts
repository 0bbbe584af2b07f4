// Rollouts in the console, against a real server and agent.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import {
  draftOf,
  emptyDraft,
  hasNumbers,
  requestOf,
} from "../../src/console/pages/rollouts/new/rollout-draft.ts";
import { readPages } from "../../src/console/pages/rollouts/use-targets.ts";
import { type Console, expectComplaint, openConsole } from "../helpers/browser/browser.ts";
import { serveInProcess } from "../helpers/in-process-server.ts";
import { createToken } from "../helpers/process/operator.ts";
import { registerAgent } from "../helpers/process/process.ts";
import { owner } from "../helpers/session.ts";
import { endCommand } from "./agents.ts";
import { focused } from "./focused.ts";

const refresh = {
  name: "refresh",
  label: "Refresh the prices",
  prepare: false,
  requiresConfirmation: true,
  inputSchema: {
    type: "object",
    required: ["list", "pin"],
    properties: {
      list: { type: "string", title: "Price list" },
      pin: { type: "string", title: "PIN", format: "password" },
      mode: { type: "string", title: "Mode", default: "soft" },
    },
  },
};

/** Four services with the action, and one without. */
async function openShops() {
  const server = await serveInProcess();
  const service = (code: string, actions: object[]) => ({
    ...{ code, name: code, version: "1", labels: { tier: "shop" }, actions },
  });
  const shops = [1, 2, 3, 4].map((n) => service(`shop-${n}`, [refresh]));
  const services = [...shops, service("office", [])];
  const agent = await registerAgent(server.url, await createToken(server), "mall", services);
  const error = { code: "PROGRAM_FAILED", message: "no prices" };
  return {
    server,
    async addShop() {
      const shop = { code: "shop-5", name: "shop-5", version: "1" };
      await registerAgent(server.url, await createToken(server), "market", [shop]);
    },
    succeed: () => endCommand(agent),
    fail: () => endCommand(agent, { success: false, error }),
  };
}

type Shops = Awaited<ReturnType<typeof openShops>>;

const state = (page: Page, name: string) =>
  page.locator(".page-heading").getByText(name, { exact: true }).waitFor();
const cells = (page: Page, state: string) =>
  page.locator("a.map-cell").and(page.getByRole("link", { name: new RegExp(`: ${state}`) }));

test("an operator starts a rollout, sees it fail, retries it, and holds and cancels it", async () => {
  expectComplaint(/\b422\b/);
  const shops = await openShops();
  const console = await openConsole(shops.server, { path: "/services", as: owner });
  await start(shops, console);
  await retry(shops, console);
  await hold(console);
});

/** Starts a rollout from the list of services. */
async function start({ addShop, succeed, fail }: Shops, console: Console): Promise<void> {
  const { page, button, dialog } = console;
  await page.getByLabel("Search").fill("shop-");
  await page.getByRole("link", { name: "Run an action on these 4 services" }).click();
  await seeErrors(console);
  await page.goBack();
  // A service that is reported meanwhile is among those that the list then finds.
  await addShop();
  await page.getByRole("link", { name: "Run an action on these 5 services" }).click();
  await page.getByText("5 services that you have chosen").waitFor();
  await page.goBack();
  // The labels of a service lead to the services that have them.
  await page.getByRole("link", { name: "shop-1" }).click();
  await page.getByRole("link", { name: "tier=shop" }).click();
  await page.getByRole("link", { name: "Run an action on these 5 services" }).click();

  // The form shows the server's errors at their fields, and the payload has the action's own form.
  await expect.poll(() => page.getByLabel("Selector").inputValue()).toBe("tier=shop");
  await page.getByRole("combobox", { name: /^Action/ }).fill("refresh");
  await page.getByLabel("Price list").fill("spring");
  await page.getByLabel("PIN").fill("4711815193");
  await page.getByLabel("Services at the same time").fill("1");
  await page.getByRole("textbox", { name: "Waves" }).fill("1, many");
  await button("Preview").click();
  await page
    .getByText("Must be a number such as 5, or a percentage such as 10%.", { exact: true })
    .waitFor();
  await page.getByRole("textbox", { name: "Waves" }).fill("1, 50%");
  await page.getByLabel("Between waves").selectOption("Pause until resumed");
  // The browser reports an incomplete number as an empty one, which would mean no deadline.
  const deadline = page.getByLabel("Deadline in minutes");
  await deadline.focus();
  await page.keyboard.type("1e");
  const sent: string[] = [];
  page.on("request", (request) => sent.push(new URL(request.url()).pathname));
  await button("Preview").click();
  await page.getByText("Enter a whole number.").waitFor();
  await expect.poll(() => focused(page)).toBe("Deadline in minutes");
  expect(sent.filter((path) => path.endsWith("/rollouts/preview"))).toEqual([]);
  await deadline.fill("");
  // Defaults that the form adds to the payload make the preview outdated.
  await button("JSON").click();
  await page
    .getByRole("textbox", { name: "Payload" })
    .fill('{ "list": "spring", "pin": "4711815193" }');
  await button("Preview").click();
  await page.getByText("4 services in 3 waves.").waitFor();
  await button("Form").click();
  await expect.poll(() => page.getByLabel("Mode").inputValue()).toBe("soft");
  await expect.poll(() => page.getByText("4 services in 3 waves.").count()).toBe(0);
  // The defaults do not hide errors.
  const parallel = page.getByLabel("Services at the same time");
  await button("JSON").click();
  await page
    .getByRole("textbox", { name: "Payload" })
    .fill('{ "list": "spring", "pin": "4711815193" }');
  await parallel.fill("");
  await button("Preview").click();
  await page.getByText("Enter a whole number.").waitFor();
  await button("Form").click();
  await expect.poll(() => page.getByLabel("Mode").inputValue()).toBe("soft");
  await page.getByText("Enter a whole number.").waitFor();
  await parallel.fill("1");
  await button("Preview").click();
  await page.getByText("4 services in 3 waves.").waitFor();
  await page.getByText("The rollout stops at the first failure.").waitFor();
  await page.getByText("The service declares no action refresh.").waitFor();
  await button("Run refresh on 4 services").click();
  await dialog.getByText("The first of 3 waves has 1 service.").waitFor();
  await expect.poll(() => dialog.textContent()).not.toContain("4711815193");
  await expect.poll(() => button("Start rollout", dialog).isDisabled()).toBe(true);
  await dialog.getByLabel("Type the number of services, 4, to confirm").fill("4");
  await button("Start rollout", dialog).click();

  await succeed();
  await page.getByText("Wave 1 of 3 has ended.").waitFor();
  const leftOut = page.getByRole("table", { name: "Left out (1)" });
  await leftOut.getByText("The service declares no action refresh.").waitFor();
  await page.getByText("resume the rollout to begin wave 2").waitFor();
  await expect.poll(() => cells(page, "Succeeded").count()).toBe(1);
  await expect.poll(() => cells(page, "Waiting").count()).toBe(3);
  expect(await page.content()).not.toContain("4711815193");

  await button("Resume").click();
  await button("Resume", dialog).click();
  await fail();
  await state(page, "FAILED");
  await page
    .getByText(
      "The rollout has stopped: the action failed on 1 service, and the rollout tolerates no failures.",
    )
    .waitFor();
  await page.getByText("The action was not run on 2 services.").waitFor();
  await expect.poll(() => cells(page, "Not run").count()).toBe(2);
  // The failed service is the first row of the list, with its error and its command.
  const first = page.getByRole("table", { name: "failed ones first" }).getByRole("row").nth(1);
  await first.getByText("PROGRAM_FAILED").waitFor();
  // Services on which nothing has run are listed only if they are chosen.
  const rows = () =>
    page.getByRole("table", { name: "failed ones first" }).getByRole("row").count();
  await expect.poll(rows).toBe(3);
  await button("NOT RUN 2").click();
  await expect.poll(rows).toBe(3);
  await first.getByText("NOT RUN").waitFor();
  // An error limits the cells and the list to the services that have it.
  const error = page.getByRole("list", { name: "Errors" }).getByRole("button");
  await error.filter({ hasText: /1 ×\s*PROGRAM_FAILED no prices/ }).click();
  await expect.poll(rows).toBe(2);
  await expect.poll(() => page.locator("a.map-cell").count()).toBe(1);
  await expect.poll(() => button("Download CSV").count()).toBe(0);
  await error.click();
  await expect.poll(rows).toBe(3);
  // Shows the output of one service without leaving the page.
  await first.getByRole("button", { name: /^Output shop-/ }).click();
  await dialog.getByText("The program has written nothing.").waitFor();
  await dialog.getByRole("link", { name: "Open command" }).waitFor();
  await page.keyboard.press("Escape");
  await button("FAILED 1").click();
  await expect.poll(() => page.locator("a.map-cell").count()).toBe(1);
  // The cell opens the command, which names the rollout.
  await cells(page, "Failed").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: /^refresh on shop-/ }).waitFor();
  await page.getByRole("link", { name: /^Rollout of/ }).click();
  await state(page, "FAILED");
}

/**
 * An error about services that a list has selected has no field. Each press of the button shows the
 * current problems.
 */
async function seeErrors({ page, button, intercept }: Console): Promise<void> {
  const issues = [{ path: "services", message: "must have at most 10,000 items" }];
  const error = { code: "VALIDATION_FAILED", message: "Not valid.", details: { issues } };
  const stop = await intercept("**/rollouts/preview", (route) =>
    route.fulfill({ status: 422, json: { success: false, error } }),
  );
  await button("Preview").click();
  const refused = page.getByRole("alert").filter({ hasText: "at most 10,000 items" });
  await refused.waitFor();
  const wrong = page.getByText("Enter a whole number.");
  const parallel = page.getByLabel("Services at the same time");
  await parallel.fill("1.5");
  await expect.poll(() => wrong.count()).toBe(0);
  await button("Preview").click();
  await wrong.waitFor();
  await page.getByText("Correct this field:").waitFor();
  await expect.poll(() => refused.count()).toBe(0);
  stop();
}

/** A retry asks for the same input as the first start, and follows the same rules. */
async function retry({ succeed }: Shops, console: Console): Promise<void> {
  const { page, button, dialog, expectAccessible } = console;
  await page.getByRole("link", { name: "Retry", exact: true }).click();
  await page.getByLabel("Also the 2 services on which it was not run").check();
  await expect.poll(() => button("Preview").isDisabled()).toBe(true);
  await page.getByLabel("pin").fill("4711815193");
  await button("Preview").click();
  await page.getByText("3 services in 3 waves.").waitFor();
  await expectAccessible();
  await button("Run refresh on 3 services").click();
  await dialog.getByLabel("Type the number of services, 3, to confirm").fill("3");
  await button("Start rollout", dialog).click();
  // An open output stays open when its service leaves the list. Then, the focus stays on the page.
  await button("RUNNING 1").click();
  await page.getByRole("button", { name: /^Output shop-/ }).click();
  await succeed();
  await page.getByText("Wave 1 of 3 has ended.").waitFor();
  await expect.poll(() => page.getByRole("table", { name: "failed ones first" }).count()).toBe(0);
  await dialog.getByText("SUCCEEDED").waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => page.evaluate("document.activeElement?.localName")).toBe("main");
  await button("RUNNING 0").click();
}

/** Pauses, resumes and cancels the rollout. */
async function hold(console: Console): Promise<void> {
  const { page, button, dialog, expectComplaint } = console;
  await button("Resume").click();
  await button("Resume", dialog).click();
  await expect.poll(() => cells(page, "Running").count()).toBe(1);

  // Pausing works at once, and keeps the focus.
  const notice = (text: string) => page.locator(".notices p", { hasText: text });
  await button("Pause").click();
  // A notice stays while the pointer is over it.
  await notice("is paused.").hover();
  await state(page, "PAUSED");
  await expect.poll(() => dialog.count()).toBe(0);
  const main = page.getByRole("main");
  await expect
    .poll(() => button("Resume", main).evaluate((resume) => resume === document.activeElement))
    .toBe(true);
  await button("Resume", notice("is paused.")).click();
  await notice("is resumed.").first().waitFor();
  await state(page, "RUNNING");
  // If pausing fails, a dialog says why, and can try again.
  expectComplaint(/\/pause/);
  const stop = await console.intercept("**/pause", (route) => {
    stop();
    return route.abort();
  });
  await button("Pause").click();
  await dialog.getByText("The server cannot be reached.").waitFor();
  await button("Pause", dialog).click();
  await state(page, "PAUSED");
  await page.getByText("Resume the rollout to continue, or cancel it.").waitFor();

  await button("Cancel").click();
  await dialog.getByLabel("Also cancel 1 command in progress").check();
  await button("Cancel", dialog).click();
  await state(page, "CANCELLED");
  await page.getByText("An operator has cancelled the rollout.").waitFor();
  await expect.poll(() => cells(page, "Not run").count()).toBe(1);
  await expect.poll(() => cells(page, "Failed").count()).toBe(1);
}

test("the form becomes a request without its empty fields", () => {
  const draft = { ...emptyDraft, action: " refresh ", services: "shop-1, ,shop-2 " };
  const rules = { action: "refresh", payload: {}, maxParallel: 10, maxFailures: "0" };
  const usual = { ...rules, waves: ["1", "10%"], between: "continue", offline: "skip" };
  const services = ["shop-1", "shop-2"];
  expect(requestOf(draft, {}, null)).toEqual({ ...usual, services, healthGate: false });
  // The rollout selects all services only if the user has chosen that.
  expect(requestOf(emptyDraft, {}, null)).not.toHaveProperty("selector");
  expect(requestOf({ ...emptyDraft, isAll: true }, {}, null)).toHaveProperty("selector", "");
  expect(requestOf({ ...draft, isAll: true }, {}, ["shop-9"])).toMatchObject({
    services: ["shop-9"],
  });
  const slow = { between: "wait", waitSeconds: "90", deadlineMinutes: "5" } as const;
  const careful = { healthGate: true, healthTimeoutSeconds: "20", waves: "" };
  expect(requestOf({ ...draft, ...slow, ...careful }, {}, null)).toMatchObject({
    ...{ between: 90, deadlineSeconds: 300, healthGate: true, healthTimeoutSeconds: 20 },
    waves: [],
  });
  const first = requestOf({ ...draft, canary: " canary=true " }, {}, null);
  expect([first.canary, draftOf(first).canary]).toEqual(["canary=true", "canary=true"]);
  expect(hasNumbers(draft)).toBe(true);
  expect(hasNumbers({ ...draft, waitSeconds: "" })).toBe(true);
  expect(hasNumbers({ ...draft, ...slow, waitSeconds: "" })).toBe(false);
  expect(hasNumbers({ ...draft, deadlineMinutes: "1.5" })).toBe(false);
});

test("after the first time, only pages with targets that may have changed are read", async () => {
  const target = (state: string) => ({ state }) as never;
  const server = [["SUCCEEDED"], ["SUCCEEDED", "RUNNING"], ["WAITING"], ["WAITING"]];
  let asked: number[] = [];
  const read = async (page: number) => {
    asked.push(page);
    return (server[page - 1] ?? []).map(target);
  };
  const seen: number[] = [];
  const first = await readPages([], 4, read, (pages) => seen.push(pages.length));
  expect(asked).toEqual([1, 2, 3, 4]);
  expect(seen).toEqual([4]);

  asked = [];
  server[1] = ["SUCCEEDED", "FAILED"];
  const second = await readPages(first, 4, read, () => undefined);
  expect(asked).toEqual([2, 3]);
  expect(second[1]).toEqual([target("SUCCEEDED"), target("FAILED")]);
  expect(second[0]).toBe(first[0]);

  // After the end of the rollout, the services that were not run are on all the last pages.
  asked = [];
  server[2] = ["NOT_RUN"];
  server[3] = ["NOT_RUN"];
  const last = await readPages(second, 4, read, () => undefined);
  expect(asked).toEqual([3, 4]);
  expect(await readPages(last, 4, read, () => undefined)).toEqual(last);
  expect(asked).toEqual([3, 4]);
});
