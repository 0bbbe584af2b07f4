// The story of a fleet in the console: somebody signs in, invites an agent with the very lines that the
// page shows, sees it come, and disables, enables and revokes it, while a viewer looks on.

import { delimiter } from "node:path";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { temporaryFolder } from "../helpers/app.ts";
import { type Console, expectComplaint, openConsole } from "../helpers/browser.ts";
import { bin } from "../helpers/installed.ts";
import { cleanEnv, type Program, send, startCommand, startServer } from "../helpers/process.ts";
import { templateOwner } from "../helpers/template-owner.ts";

const viewer = { username: "vera", password: "looks but does not touch" };

test("an agent is invited, comes, is disabled, enabled and revoked", {
  timeout: 60_000,
}, async () => {
  expectComplaint(/\b401\b/);
  const server = await startServer();
  const addViewer = makeViewer(server.url);
  const operator = await openConsole(server, { path: "/agents?status=ONLINE" });
  const { page } = operator;

  // Who is not known signs in, and comes back to where they wanted to be.
  await operator.signIn(templateOwner.username, "the wrong password");
  await page.getByRole("alert").getByText("do not belong together").waitFor();
  expect(page.url()).toContain("/login?next=");
  await operator.signIn();
  await heading(page, "Agents").waitFor();
  expect(page.url()).toBe(`${server.url}/agents?status=ONLINE`);
  await page.getByText("Nothing matches these filters.").waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByText("No agent has registered yet.").waitFor();

  // The token is shown once, with lines to run.
  await page.getByRole("link", { name: "Invite an agent" }).click();
  const form = page.getByRole("dialog", { name: "Create a registration token" });
  await form.getByLabel("Name").fill("for the cellar");
  await form.getByLabel("Expires").selectOption("At an exact moment");
  await form.getByLabel("Moment").fill("2020-01-01T00:00");
  expectComplaint(/\b422\b/);
  await form.getByRole("button", { name: "Create" }).click();
  await form.getByText("is in the past").waitFor();
  await form.getByLabel("Expires").selectOption("In 1 hour");
  await form.getByRole("button", { name: "Create" }).click();
  const once = page.getByRole("dialog", { name: "The registration token" });
  const token = await once.getByLabel("Registration token").locator("code").innerText();
  expect(token).toMatch(/^platform_reg_\w{49}$/);
  const lines = await once.getByLabel("With the sidecar").locator("pre").innerText();
  expect(await once.getByLabel("With an agent of your own").innerText()).toContain(token);
  expect(await looks(operator)).toEqual([]);
  await once.getByRole("button", { name: "Close" }).last().click();
  await once.waitFor({ state: "detached" });
  expect(await page.content()).not.toContain(token);
  await row(page, "for the cellar").getByText("ACTIVE").waitFor();

  // The agent that is started with them appears by itself, and the token is used.
  await page.getByRole("link", { name: "Agents", exact: true }).click();
  await page.getByText("No agent has registered yet.").waitFor();
  const agent = await runAsShown(lines);
  await row(page, "ONLINE").getByRole("link").click();
  const code = await page.getByRole("heading", { level: 1 }).innerText();
  await row(page, `${code}-host`).getByText("HEALTHY").waitFor();
  const agentPath = new URL(page.url()).pathname;
  expect(await looks(operator)).toEqual([]);

  // A viewer sees all of it, and nothing to press.
  await addViewer;
  const onlooker = await openConsole(server, { path: "/registration-tokens" });
  await onlooker.signIn(viewer.username, viewer.password);
  await row(onlooker.page, "for the cellar").getByText("USED").waitFor();
  expect(await buttonsOf(onlooker.page)).toEqual([]);
  await onlooker.page.getByRole("link", { name: /^agent …/ }).click();
  await heading(onlooker.page, code).waitFor();
  await row(onlooker.page, `${code}-host`).waitFor();
  expect(await buttonsOf(onlooker.page)).toEqual([]);

  // What the operator does, the viewer sees without loading anything anew.
  await page.getByRole("button", { name: "Disable" }).click();
  const question = page.getByRole("dialog", { name: `Disable ${code}?` });
  await question.getByText("Each of its calls is refused at once").waitFor();
  await question.getByRole("button", { name: "Cancel" }).click();
  await page.getByLabel("Sign of life").getByText("ONLINE", { exact: true }).waitFor();
  await confirm(page, "Disable");
  for (const each of [page, onlooker.page]) {
    await each.getByLabel("Sign of life").getByText("DISABLED", { exact: true }).waitFor();
    await row(each, `${code}-host`).getByText("OFFLINE").waitFor();
    await row(each, "agent.disabled").getByText(templateOwner.username).waitFor();
  }

  // Its service says why, and what that means for running something.
  await row(onlooker.page, `${code}-host`).getByRole("link").click();
  await onlooker.page.getByText("Its agent is disabled.").waitFor();
  for (const tab of ["Health", "Configuration", "Actions", "Commands", "Audit"]) {
    await onlooker.page.getByLabel("About this service").getByText(tab).click();
    expect(await buttonsOf(onlooker.page)).toEqual([]);
    expect(await onlooker.page.getByRole("link", { name: /^Run / }).count()).toBe(0);
  }
  await page.getByRole("link", { name: `${code}-host` }).click();
  await page.getByLabel("About this service").getByText("Actions").click();
  await page.getByText("a run is refused until it is enabled").waitFor();
  const run = page.getByRole("link", { name: /^Run / }).first();
  expect(await run.getAttribute("href")).toMatch(/^\/services\/svc_\w+\/actions\/[\w-]+$/);

  // Enabled it goes on; without its token it must come anew.
  await page.goto(agentPath);
  await confirm(page, "Enable");
  await page.getByLabel("Sign of life").getByText("ONLINE", { exact: true }).waitFor();
  await onlooker.goto(agentPath);
  await confirm(page, "Revoke token");
  for (const each of [page, onlooker.page]) {
    await each.getByLabel("Agent token").getByText("it must register again").waitFor();
    await row(each, `${code}-host`).getByText("OFFLINE").waitFor();
  }
  expect(await buttonsOf(onlooker.page)).toEqual([]);
  await page.getByRole("link", { name: "Create a registration token" }).click();
  await form.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Revoke for the cellar" }).click();
  await page.getByText("revoke its token, on its page").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await row(page, "for the cellar").getByText("REVOKED").waitFor();
  await confirm(page, "Delete");
  await page.getByText("No registration token has been created yet.").waitFor();
  expect(agent.running()).toBe(true);
});

/** Each line in a shell, in a folder of its own; the last one goes on. */
async function runAsShown(lines: string): Promise<Program> {
  const [first = "", last = "", ...more] = lines.split("\n");
  expect(more).toEqual([]);
  const folder = temporaryFolder();
  const env = { PATH: [bin, cleanEnv().PATH].join(delimiter) };
  const inFolder = (line: string) =>
    startCommand(["/bin/sh", "-c", `cd "$1" && ${line}`, "sh", folder], { env });
  expect(await inFolder(first).ended).toMatchObject({ status: 0, stderr: "" });
  // `exec`: what the test ends is the agent, and no shell before it.
  return inFolder(`exec env ${last}`);
}

async function makeViewer(url: string): Promise<void> {
  const login = await send(url, "POST", "/api/admin/auth/login", { body: templateOwner });
  const headers = {
    cookie: String(login.headers.get("set-cookie")).split(";", 1)[0] ?? "",
    "x-csrf-token": login.body.data.csrfToken,
  };
  const body = { ...viewer, role: "viewer" };
  const made = await send(url, "POST", "/api/admin/users", { headers, body });
  expect(made.status).toBe(201);
}

function heading(page: Page, name: string): Locator {
  return page.getByRole("heading", { level: 1, name, exact: true });
}

function row(page: Page, text: string): Locator {
  return page.getByRole("row").filter({ hasText: text });
}

/** Presses the button of that name, and the same in the question that comes. */
async function confirm(page: Page, verb: string): Promise<void> {
  await page.getByRole("button", { name: verb }).first().click();
  const question = page.getByRole("dialog");
  await question.getByRole("button", { name: verb, exact: true }).click();
  await question.waitFor({ state: "detached" });
}

/** What can be pressed on the page itself: not the frame around it, nor the choice of columns. */
async function buttonsOf(page: Page): Promise<string[]> {
  const buttons = await page.getByRole("main").getByRole("button").allTextContents();
  return buttons.filter((text) => text !== "" && text !== "Copy");
}

/** What is wrong with how it looks: light and wide, dark and narrow. */
async function looks({ page, axe }: Console): Promise<string[]> {
  const wrong = await axe();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: "dark" });
  wrong.push(...(await axe()));
  const isTooWide = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
  if (isTooWide) wrong.push("the page scrolls sideways");
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: "light" });
  return wrong;
}
