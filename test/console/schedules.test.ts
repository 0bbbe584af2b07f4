// Schedules in the console, against a real server and agent.

import { expect, test } from "vitest";
import { draftOf as rolloutDraftOf } from "../../src/console/pages/rollouts/new/rollout-draft.ts";
import {
  draftOf,
  emptyDraft,
  timingOf,
} from "../../src/console/pages/schedules/edit/schedule-draft.ts";
import { readUsual, usualText } from "../../src/console/pages/schedules/usual-times.ts";
import { type Console, expectComplaint, openConsole } from "../helpers/browser/browser.ts";
import { serveInProcess } from "../helpers/in-process-server.ts";
import { createToken } from "../helpers/process/operator.ts";
import { registerAgent } from "../helpers/process/process.ts";
import { addUser, callAsOwner, owner, type Person } from "../helpers/session.ts";
import { endCommand } from "./agents.ts";
import { focused } from "./focused.ts";

const olga: Person = { username: "olga", password: "plans the nights", role: "operator" };

const restart = {
  name: "restart",
  label: "Restart",
  inputSchema: {
    type: "object",
    required: ["grace"],
    properties: {
      grace: { type: "integer", title: "Grace" },
      pin: { type: "string", title: "PIN", format: "password" },
      mode: { type: "string", title: "Mode", default: "soft" },
    },
  },
};

const reload = { name: "reload", label: "Reload" };

async function startBilling() {
  const server = await serveInProcess();
  const api = await callAsOwner(server);
  const services = ["billing", "invoices"].map((code) => ({
    ...{ code, name: code, version: "1", labels: { env: "prod" }, actions: [restart, reload] },
  }));
  const agent = await registerAgent(server.url, await createToken(server), "office", services);
  return { server, api, agent };
}

type Billing = Awaited<ReturnType<typeof startBilling>>;

test("an owner plans an action, changes only what they saw, runs it and pauses everything, and approves the rollout of an operator", async () => {
  expectComplaint(/\b(404|409|422)\b/);
  const billing = await startBilling();
  const options = { path: "/schedules", width: 1440, as: owner };
  const console = await openConsole(billing.server, options);
  await planAction(billing, console);
  await keepContent(billing, console);
  await planRollout(billing, console);
});

async function planAction({ agent, api }: Billing, console: Console): Promise<void> {
  const { page, button, dialog, goto, visit } = console;
  await page.getByText("There is no schedule yet.").waitFor();
  await page.getByRole("link", { name: "Create schedule" }).click();

  // The next runs and the mistakes appear while the user writes.
  await page.getByLabel("Time zone").fill("Europe/Berlin");
  await page.getByText("Every day at 03:00 (Europe/Berlin)").waitFor();
  await page.getByLabel("Repeats").selectOption("cron");
  await page.getByLabel("Cron expression").fill("30 2 * 3");
  await page.getByText(/Has 4 fields; it must have five: .*\.$/).waitFor();
  // Among five Sundays in March, the clock goes forward on one.
  await page.getByLabel("Cron expression").fill("30 2 * 3 sun");
  const preview = page.getByRole("table", { name: "Next runs" });
  await expect.poll(() => preview.getByRole("row").count()).toBe(6);
  await preview.getByText("The clock goes forward from 02:00 to 03:00").waitFor();
  await page.getByLabel("Cron expression").fill("");
  await button("Save schedule").click();
  await page.getByText("Correct these 4 fields:").waitFor();
  // An edit hides the error until the next submission, even if another field is edited right after.
  const cron = page.getByLabel("Cron expression");
  await cron.fill(" ");
  await expect.poll(() => cron.getAttribute("aria-invalid")).toBeNull();
  await button("Save schedule").evaluate((save: HTMLElement) => {
    save.click();
    document.querySelector("textarea")?.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await expect.poll(() => cron.getAttribute("aria-invalid")).toBe("true");
  await button("Name").click();
  await page.keyboard.type("nightly restart");
  await page.getByLabel("Repeats").selectOption("weekly");
  await page.getByLabel("Mon", { exact: true }).check();
  await page.getByText("Mondays and Sundays at 03:00 (Europe/Berlin)").waitFor();
  // Only the empty field of the two is marked.
  const time = page.getByLabel("Time", { exact: false }).and(page.locator("[type=time]"));
  const zone = page.getByLabel("Time zone");
  await time.fill("");
  await zone.fill(" ");
  await button("Save schedule").click();
  await expect.poll(() => time.getAttribute("aria-invalid")).toBe("true");
  await expect
    .poll(() => page.getByRole("group", { name: "Days" }).locator("[aria-invalid]").count())
    .toBe(0);
  await expect.poll(() => zone.getAttribute("aria-invalid")).toBe("true");
  await time.fill("03:00");
  await zone.fill("Europe/Berlin");
  // An error that is not about a field is shown as it is.
  console.expectComplaint(/\b503\b/);
  const error = { code: "STORAGE_UNAVAILABLE", message: "The storage is full." };
  const stop = await console.intercept("**/schedules/preview", (route) =>
    route.fulfill({ status: 503, json: { success: false, error } }),
  );
  await page.getByLabel("Tue", { exact: true }).check();
  await page.getByText("The storage is full.").waitFor();
  stop();
  await page.getByLabel("Repeats").selectOption("daily");

  // While the console looks again for a service that does not exist yet, its fields stay.
  const service = page.getByRole("combobox", { name: /^Service/ });
  await service.fill("payroll");
  const action = page.getByRole("textbox", { name: /^Action/ });
  await action.fill("rest");
  const look = Promise.withResolvers<void>();
  const isLooking = Promise.withResolvers<void>();
  const stopHolding = await console.intercept("**/capsule-services/payroll", async (route) => {
    isLooking.resolve();
    await look.promise;
    await route.continue();
  });
  await api("PATCH", "/capsule-services/invoices/labels", { labels: { tier: "2" } });
  await isLooking.promise;
  await expect.poll(() => focused(page)).toMatch(/^Action/);
  await expect.poll(() => action.inputValue()).toBe("rest");
  stopHolding();
  look.resolve();

  await service.fill("billing");
  await page.getByRole("combobox", { name: /^Action/ }).selectOption("restart");
  await page.getByLabel("Grace").fill("5");
  await page.getByLabel("PIN").fill("4711815193");
  await page.getByText("Advanced").click();
  await page.getByLabel("Run the latest one").check();
  await button("Save schedule").click();
  await page.getByRole("heading", { level: 1, name: "nightly restart" }).waitFor();
  await page.getByText("The next run is due").waitFor();
  await page.getByText("Every day at 03:00 (Europe/Berlin)").first().waitFor();
  await page.getByText("The schedule has not run yet.").waitFor();
  expect(await page.content()).not.toContain("4711815193");

  // An edit keeps the stored secret.
  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByText("Leave [REDACTED] to keep a secret").waitFor();
  await page.getByLabel("Grace").fill("6");
  await page.getByRole("link", { name: "Overview" }).click();
  await dialog.getByText("Leave without saving?").waitFor();
  // The dialog closes at once, because it would swallow what the user types next.
  const isOpen = await button("Cancel", dialog).evaluate(async (cancel: HTMLElement) => {
    cancel.click();
    await Promise.resolve();
    return cancel.isConnected;
  });
  expect(isOpen).toBe(false);
  // The page behind the form was opened by a save, which needed no confirmation.
  await page.evaluate("history.back()");
  await dialog.getByText("Leave without saving?").waitFor();
  await button("Cancel", dialog).click();
  const holdSave = async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const stopHolding = await console.intercept("**/api/admin/schedules/sch_*", async (route) => {
      if (route.request().method() === "PUT") await promise;
      await route.continue();
    });
    await button("Save schedule").click();
    return () => {
      stopHolding();
      resolve();
    };
  };
  // A user who leaves the page while the schedule is being saved is not taken away later.
  const name = page.getByLabel("Name").first();
  await name.fill("nightly restarts");
  const saveAfterwards = await holdSave();
  await page.getByRole("link", { name: "Agents", exact: true }).click();
  await button("Leave", dialog).click();
  await page.getByRole("heading", { level: 1, name: "Agents" }).waitFor();
  saveAfterwards();
  await page.getByText("nightly restarts was saved.").waitFor();
  await page.getByRole("searchbox").first().fill("office");
  await page.waitForURL(/\/agents\?.*q=office/);
  // What a user writes while the schedule is being saved stays in the form.
  await page.getByRole("link", { name: "Schedules", exact: true }).click();
  await page.getByRole("link", { name: "nightly restarts" }).first().click();
  await page.getByRole("link", { name: "Edit" }).click();
  await name.fill("nightly restart");
  const saveWhileTyping = await holdSave();
  await page.getByLabel("Description").fill("in the night");
  saveWhileTyping();
  await page.getByText("Edit nightly restart", { exact: true }).waitFor();
  await button("Save schedule").click();
  // Waits for the schedule's page, because the earlier notice can still be visible.
  await page.getByText("The next run is due").waitFor();
  await page.getByText("in the night").waitFor();
  await button("Run now").click();
  await dialog
    .getByText("It runs once, in addition to its scheduled runs: restart on billing.")
    .waitFor();
  await button("Run now", dialog).click();
  const runs = page.getByRole("table", { name: "Runs", exact: true });
  await runs.getByText("RUNNING").waitFor();
  expect((await endCommand(agent)).payload).toEqual({ grace: 6, pin: "4711815193", mode: "soft" });
  await runs.getByText("SUCCEEDED").waitFor();
  await runs.getByRole("link", { name: "Command" }).click();
  await page.getByRole("heading", { level: 1, name: "restart on billing" }).waitFor();
  await page.getByRole("link", { name: "Schedule nightly restart" }).click();

  await page.getByRole("link", { name: "Schedules", exact: true }).first().click();
  await page.getByRole("row", { name: /nightly restart.*restart on billing/ }).waitFor();
  const timeline = page.getByRole("list", { name: "Next 24 hours" });
  await timeline.getByRole("link", { name: "nightly restart" }).waitFor();
  await button("Pause all").click();
  await dialog.getByLabel("Reason").fill("moving the database");
  await button("Pause all", dialog).click();
  await page.getByText("moving the database").waitFor();
  await page.getByRole("row", { name: /all schedules are paused/ }).waitFor();
  await timeline.getByText("all schedules are paused").waitFor();
  // The overview has the same banner. Its button is at the end even without the styles of the
  // schedules page.
  await goto("/");
  const banner = page.locator(".note", { has: button("Resume all") });
  const beside = () =>
    banner.evaluate(
      (note) =>
        note.getBoundingClientRect().right -
        (note.querySelector("button")?.getBoundingClientRect().right ?? 0),
    );
  await expect.poll(beside).toBeLessThan(24);
  // If all schedules are paused, an old link to the pause dialog opens nothing, now or later.
  await visit("/schedules?pause=1");
  await expect.poll(() => page.url()).not.toContain("pause");
  await button("Resume all").click();
  await button("Resume all", dialog).click();
  await expect.poll(() => button("Resume all").count()).toBe(0);

  // If the state cannot be read, the page says so instead of opening the dialog.
  const stopRefusing = await console.intercept("**/api/admin/schedules/pause", (route) =>
    route.fulfill({ status: 503, json: { success: false, error } }),
  );
  const askInPalette = async () => {
    await page.keyboard.press("Control+k");
    await page.keyboard.type("Pause all schedules");
    await dialog.getByRole("option", { name: "Pause all schedules" }).first().waitFor();
    await page.keyboard.press("Enter");
  };
  await button("Pause all").waitFor();
  await askInPalette();
  await page.getByText(error.message).waitFor();
  await expect.poll(() => dialog.count()).toBe(0);
  // It also says so if it has no earlier answer.
  await goto("/schedules?pause=1");
  await page.getByText(error.message).waitFor();
  stopRefusing();

  // The dialog opens although the page's last answer was that all schedules are paused.
  expect((await api("POST", "/schedules/pause", {})).status).toBe(200);
  await button("Resume all").waitFor();
  await page.getByRole("link", { name: "Audit", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Audit" }).waitFor();
  expect((await api("POST", "/schedules/resume")).status).toBe(200);
  await askInPalette();
  // If somebody else pauses the schedules, the dialog stays open and keeps its input.
  await dialog.getByLabel("Reason").fill("moving the database again");
  expect((await api("POST", "/schedules/pause", {})).status).toBe(200);
  await page.getByText("All schedules are paused.").waitFor();
  await expect
    .poll(() => dialog.getByLabel("Reason").inputValue())
    .toBe("moving the database again");
  await button("Cancel", dialog).click();
  expect((await api("POST", "/schedules/resume")).status).toBe(200);
  await button("Pause all").waitFor();
}

/** The form changes only what the user changed, and nobody bypasses approval of unseen content. */
async function keepContent({ api }: Billing, console: Console): Promise<void> {
  const { page, button, dialog, goto, visit } = console;
  // The page has not read this service yet.
  const target = { kind: "action", service: "invoices", action: "restart", payload: { grace: 5 } };
  const rule = { name: "yearly", cron: "0 3 1 1 *", until: "2099-01-01T00:00:00.250Z", target };
  const { id } = (await api("POST", "/schedules", rule)).body.data;
  const stored = async () => (await api("GET", `/schedules/${id}`)).body.data;

  // A new schedule whose form stays, because it was changed while it was saved, can be loaded.
  await goto("/schedules/new?service=billing&action=reload");
  await page.getByLabel("Name").first().fill("weekly reload");
  await page.getByText("This action declares no fields.").waitFor();
  const save = Promise.withResolvers<void>();
  const stopHolding = await console.intercept("**/api/admin/schedules", async (route) => {
    if (route.request().method() === "POST") await save.promise;
    await route.continue();
  });
  await button("Save schedule").click();
  await page.getByLabel("Description").fill("on Sundays");
  stopHolding();
  save.resolve();
  await page.getByText("weekly reload was saved.").waitFor();
  const reload = { ...rule, name: "weekly reload", target: { ...target, payload: {} }, version: 1 };
  expect((await api("PUT", "/schedules/weekly%20reload", reload)).status).toBe(200);
  console.expectComplaint(/\b409\b/);
  await button("Save schedule").click();
  await page.getByRole("alert").getByRole("button").click();
  await page.getByText("Edit weekly reload", { exact: true }).waitFor();
  await goto("/");
  expect((await api("DELETE", "/schedules/weekly%20reload")).status).toBe(200);

  // Until the action has been found, the button is busy. Then the payload gets no default values.
  const { promise: isAnswered, resolve: answer } = Promise.withResolvers<void>();
  await console.intercept("**/capsule-services**", async (route) => {
    await isAnswered;
    await route.continue();
  });
  await visit(`/schedules/${id}/edit`);
  await page.getByLabel("Description").fill("in the first night");
  await button("Working …").waitFor();
  answer();
  await expect.poll(() => page.getByLabel("Mode").inputValue()).toBe("soft");
  await button("Save schedule").click();
  await page.getByText("The next run is due").waitFor();
  expect(await stored()).toMatchObject({ ...rule, description: "in the first night", version: 2 });
  expect((await stored()).target.payload).toEqual({ grace: 5 });

  // While the schedule is being read, the user can go elsewhere with the keyboard.
  const { promise: isRead, resolve: read } = Promise.withResolvers<void>();
  await console.intercept(`**/api/admin/schedules/${id}`, async (route) => {
    await isRead;
    await route.continue();
  });
  await goto(`/schedules/${id}/edit`);
  const overview = page.getByRole("link", { name: "Overview" });
  await overview.focus();
  read();
  await expect.poll(() => page.getByLabel("Mode").inputValue()).toBe("soft");
  await expect.poll(() => focused(page)).toBe("Overview");
  // The form's defaults do not count as changes by the user.
  await overview.click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();

  // Another action is never saved with the payload of the previous one.
  await page.goBack();
  await page.getByLabel("Mode").waitFor();
  await page.getByRole("combobox", { name: /^Action/ }).evaluate((action: HTMLSelectElement) => {
    action.value = "reload";
    action.dispatchEvent(new Event("change", { bubbles: true }));
    document.querySelector<HTMLElement>("button[type=submit][form]")?.click();
  });
  await page.getByText("This action declares no fields.").waitFor();
  await button("Save schedule").click();
  await page.getByText("The next run is due").waitFor();
  expect(await stored()).toMatchObject({ target: { action: "reload", payload: {} }, version: 3 });

  // The owner has seen the content of version 4, but not that of version 5.
  const policy = { name: "production", selector: "env=prod", approvers: { role: "owner" } };
  expect((await api("POST", "/approval-policies", policy)).status).toBe(201);
  const changed = (version: number, grace: number) =>
    api("PUT", `/schedules/${id}`, {
      ...{ ...rule, name: `grace ${grace}`, version },
      target: { ...target, payload: { grace } },
    });
  expect((await changed(3, 6)).status).toBe(200);
  await page.locator("h1", { hasText: "grace 6" }).waitFor();
  await button("Break glass").click();
  expect((await changed(4, 7)).status).toBe(200);
  await page.locator("h1", { hasText: "grace 7" }).waitFor();
  await dialog.getByLabel("Why this cannot wait").fill("the shop is down");
  console.expectComplaint(/\b409\b/);
  await button("Run without approval", dialog).click();
  await dialog.getByRole("alert").waitFor();
  expect(await stored()).toMatchObject({ version: 5, approvalState: "AWAITING_APPROVAL" });
  await button("Cancel", dialog).click();
  // A run that bypasses approval is also a run of the version that the owner has seen.
  await button("Run now").click();
  expect((await changed(5, 8)).status).toBe(200);
  await page.locator("h1", { hasText: "grace 8" }).waitFor();
  await dialog.getByRole("checkbox").check();
  await dialog.getByLabel("Why this cannot wait").fill("the shop is down");
  console.expectComplaint(/\b409\b/);
  await button("Run without approval", dialog).click();
  await dialog.getByRole("alert").waitFor();
  expect((await stored()).lastRun).toBeNull();
  await button("Cancel", dialog).click();
  await page.getByRole("link", { name: "Schedules", exact: true }).first().click();
  expect((await api("DELETE", `/schedules/${id}`)).status).toBe(200);
}

/** A schedule of a rollout waits for approval, and another user's version is not overwritten. */
async function planRollout({ server, api }: Billing, deciding: Console): Promise<void> {
  await addUser(server, olga);
  const asking = await openConsole(server, { path: "/schedules/new", as: olga });
  const { page, button } = asking;
  await page.getByLabel("Name").first().fill("restarts");
  await page.getByLabel("Repeats").selectOption("every");
  await page.getByLabel("Every").fill("0");
  await button("Save schedule").click();
  await page.getByText("Enter a number greater than 0.").waitFor();
  await page.getByLabel("Every").fill("15");
  await page.getByLabel("Unit").selectOption("minutes");
  await page.getByLabel("Until", { exact: true }).focus();
  await page.keyboard.type("11");
  await button("Save schedule").click();
  await page.getByText("This date is incomplete").waitFor();
  await page.getByLabel("Until", { exact: true }).focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  // The error disappears when its field loses the focus, and what is below it moves up.
  await page.getByLabel("Name").first().focus();
  await expect.poll(() => page.getByText("This date is incomplete").count()).toBe(0);
  await page.getByLabel("A rollout").check();
  await page.getByLabel("Selector").fill("env=prod");
  await page.getByRole("combobox", { name: /^Action/ }).fill("restart");
  // The mistake in the payload does not hide the others.
  await page.getByLabel("Grace").waitFor();
  await page.getByLabel("Services at the same time").fill("1.5");
  await button("Save schedule").click();
  await page.getByText("Enter a whole number.").waitFor();
  await page.getByLabel("Services at the same time").fill("1");
  await page.getByLabel("Deadline in minutes").fill("30");
  await page.getByLabel("Grace").fill("5");
  await button("Save schedule").click();
  await page.getByText("does not run until its content is approved").waitFor();
  await page.getByRole("heading", { name: "Waiting for approval" }).waitFor();

  // In the list, the schedule neither looks as if it were running nor has a next run.
  const listed = deciding.page.getByRole("row", { name: /restarts/ });
  await listed.getByText("AWAITING APPROVAL").waitFor();
  await listed.getByText("none", { exact: true }).waitFor();
  await expect.poll(() => listed.getByText("ENABLED").count()).toBe(0);
  await deciding.page
    .getByRole("link", { name: /^Approvals/ })
    .first()
    .click();
  await deciding.page
    .getByRole("table", { name: "For you to decide" })
    .getByRole("link")
    .first()
    .click();
  await deciding.page.getByText("restart, as a rollout").waitFor();
  await deciding.page.getByText("30 min", { exact: true }).waitFor();
  const dues = deciding.page.getByRole("table", { name: "Next runs" });
  await expect.poll(() => dues.getByRole("row").count()).toBe(6);
  await expect.poll(() => dues.innerText()).toMatch(/:15[\s\S]*:30/);
  await deciding.button("Approve").click();
  await deciding.dialog.getByText("the schedule runs when it is due").waitFor();
  await deciding.button("Approve", deciding.dialog).click();
  await page.getByText("The next run is due").waitFor();

  // Two users edit the same version.
  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByLabel("Every").fill("20");
  const id = page.url().split("/").at(-2);
  expect((await api("POST", `/schedules/${id}/pause`)).status).toBe(200);
  await button("Save schedule").click();
  await page.getByText("Someone else has saved this schedule").waitFor();
  // The edits are kept until the newer version has been loaded.
  asking.expectComplaint(/\b503\b/);
  const error = { code: "STORAGE_UNAVAILABLE", message: "The storage is full." };
  const stop = await asking.intercept(`**/api/admin/schedules/${id}`, (route) =>
    route.fulfill({ status: 503, json: { success: false, error } }),
  );
  // A notice is shown for only a few seconds.
  const told = page.getByText("The storage is full.").waitFor();
  await button("Load the newer version and discard my changes").click();
  await told;
  await expect.poll(() => page.getByLabel("Every").inputValue()).toBe("20");
  stop();
  await button("Load the newer version and discard my changes").click();
  await expect.poll(() => page.getByLabel("Every").inputValue()).toBe("15");
  await expect.poll(() => page.getByLabel("Paused").isChecked()).toBe(true);
}

test("the form of a schedule becomes a request, and back", () => {
  for (const [cron, text] of [
    ["5 * * * *", "Every hour at :05"],
    ["0 3 * * *", "Every day at 03:00"],
    ["0 3 * * 1-5", "Monday to Friday at 03:00"],
    ["0 3 * * sun", "Sundays at 03:00"],
    ["0 3 * * 6,7", "Saturdays and Sundays at 03:00"],
    ["30 4 1 * *", "On day 1 of each month at 04:30"],
    ["30 4 L * *", "On the last day of each month at 04:30"],
  ] as const) {
    const usual = readUsual(cron);
    expect(usual && usualText(usual)).toBe(text);
  }
  for (const other of ["*/5 * * * *", "0 3 1 1 *", "0 3 1 * 1", "0 3 * * 1-5/2", "0 3"]) {
    expect(readUsual(other), other).toBeNull();
  }

  const draft = { ...emptyDraft("Europe/Berlin"), repeats: "cron", cron: " 0 3 * * * " } as const;
  expect(timingOf(draft)).toEqual({ cron: "0 3 * * *", timezone: "Europe/Berlin" });
  expect(timingOf({ ...draft, cron: " " })).toBeNull();
  const every = { ...draft, repeats: "every", every: "1.5", unit: "hours" } as const;
  expect(timingOf(every)).toEqual({ everySeconds: 5400, timezone: "Europe/Berlin" });
  for (const wrong of ["", "0", "-1", "many"]) {
    expect(timingOf({ ...every, every: wrong })).toBeNull();
  }
  const daily = { ...draft, repeats: "daily", time: "04:30" } as const;
  expect(timingOf(daily)).toMatchObject({ cron: "30 4 * * *" });
  expect(timingOf({ ...daily, time: "" })).toBeNull();
  expect(timingOf({ ...daily, repeats: "weekly", days: ["0", "1"] })).toMatchObject({
    cron: "30 4 * * 1,0",
  });
  expect(timingOf({ ...daily, repeats: "weekly", days: [] })).toBeNull();
  expect(timingOf({ ...daily, repeats: "monthly", day: "L" })).toMatchObject({
    cron: "30 4 L * *",
  });
  expect(timingOf({ ...daily, repeats: "hourly", minute: "61" })).toBeNull();
  // The stored expression stays as it is while it means the same.
  const weekdays = { ...daily, repeats: "weekly", cron: "30 4 * * mon-fri" } as const;
  expect(timingOf({ ...weekdays, days: ["1", "2", "3", "4", "5"] })).toMatchObject({
    cron: "30 4 * * mon-fri",
  });

  const stored = { name: "x", timezone: "UTC", target: { kind: "action" }, everySeconds: 172_800 };
  const read = draftOf({ ...stored, missed: "skip", overlap: "wait", state: "PAUSED" } as never);
  expect(read).toMatchObject({ repeats: "every", every: "2", unit: "days", overlap: "wait" });
  expect(draftOf({ ...stored, everySeconds: 90 } as never)).toMatchObject({
    ...{ every: "1.5", unit: "minutes" },
  });

  expect(
    rolloutDraftOf({ action: "restart", selector: "", between: 90, deadlineSeconds: 600 }),
  ).toMatchObject({
    ...{
      isAll: true,
      between: "wait",
      waitSeconds: "90",
      deadlineMinutes: "10",
      maxParallel: "10",
    },
  });
});
