// An operator starts and manages the only agent in the console while a viewer watches.

import { readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { temporaryFolder } from "../helpers/app.ts";
import { type Console, openConsole } from "../helpers/browser/browser.ts";
import { openFacet } from "../helpers/browser/facets.ts";
import { serveInProcess } from "../helpers/in-process-server.ts";
import { bin } from "../helpers/process/installed.ts";
import { cleanEnv, type Program, startCommand } from "../helpers/process/process.ts";
import { addUser, owner, viewer } from "../helpers/session.ts";
import { templateOwner } from "../helpers/template-owner.ts";

const tokenName = "for the cellar";
const code = "cellar-1";

/** Parts of a service's page. The viewer cannot run its actions. */
const parts = ["Operators and owners can run them.", "never shown", "No commands yet."];

test("an agent registers with a token, and is disabled, revoked, enabled and deleted", async () => {
  const server = await serveInProcess();
  const operator = await openConsole(server, { as: owner });
  const lines = await inviteAgent(operator);

  await operator.page.getByRole("link", { name: "Agents", exact: true }).click();
  await operator.page.getByText("No agent has registered yet.").waitFor();
  const agent = await runAsShown(lines);
  await seeAgentCome(operator);

  await addUser(server, viewer);
  const onlooker = await openConsole(server, { path: "/registration-tokens", as: viewer });
  await row(onlooker.page, tokenName).getByText("USED").waitFor();
  await row(onlooker.page, tokenName).getByRole("link", { name: code, exact: true }).click();
  await row(onlooker.page, `${code}-host`).waitFor();

  const both = [operator.page, onlooker.page];
  await disable(both);
  await revoke(both);
  await lookAtService(onlooker);
  await deleteAgent(operator, onlooker);
  expect(agent.running()).toBe(true);
});

/**
 * Follows the overview's first steps, and limits the token to one agent. Returns the command lines
 * for the sidecar, which are shown once.
 */
async function inviteAgent(operator: Console): Promise<string> {
  const { page } = operator;
  const create = page.getByRole("link", { name: "Create registration token" });
  await page.getByRole("heading", { name: "Get started" }).waitFor();
  await create.click();
  const form = page.getByRole("dialog", { name: "Create registration token" });
  await form.getByLabel("Name").fill(tokenName);
  await form.getByLabel("Agent code").fill(code);
  await form.getByLabel("Allow the token to replace").check();
  await form.getByLabel("Expires").selectOption("In 1 hour");
  await operator.expectAccessible();
  await form.getByRole("button", { name: "Create" }).click();

  const once = page.getByRole("dialog", { name: "Registration token created" });
  const token = await once.getByLabel("Registration token").locator("code").innerText();
  expect(token).toMatch(/^platform_reg_\w{49}$/);
  await expect.poll(() => once.getByLabel("With your own agent").innerText()).toContain(token);
  const lines = await once.getByLabel("With the sidecar").locator("pre").innerText();
  expect(lines).toContain(`--code ${code} > agent.yaml`);
  const address = page.url();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  // The dialog does not let the user leave: after Back, the browser returns to the page.
  await page.evaluate(() => {
    const left = new Promise((resolve) => addEventListener("popstate", resolve, { once: true }));
    history.back();
    return left;
  });
  await page.waitForURL(address);
  await expect
    .poll(() => once.getByLabel("Registration token").locator("code").innerText())
    .toBe(token);
  await once.getByRole("button", { name: "Close" }).last().click();
  await once.waitFor({ state: "hidden" });
  await row(page, tokenName).getByText("ACTIVE").waitFor();
  await row(page, tokenName).getByText(`${code}, replacing it`).waitFor();
  expect(await page.content()).not.toContain(token);
  return lines;
}

/** The page was opened before the agent registered. */
async function seeAgentCome(operator: Console): Promise<void> {
  const { page } = operator;
  const link = row(page, "ONLINE").getByRole("link", { name: code });
  await link.click();
  await row(page, `${code}-host`).getByText("HEALTHY").waitFor();
}

/** Disables the agent on the first page. The other pages show the change without a reload. */
async function disable(pages: Page[]): Promise<void> {
  const [page] = pages as [Page];
  await page.getByRole("button", { name: "Disable" }).click();
  const question = page.getByRole("dialog", { name: `Disable ${code}?` });
  await question.getByRole("button", { name: "Cancel" }).click();
  await page.locator("button:focus", { hasText: "Disable" }).waitFor();
  await confirm(page, "Disable");
  for (const each of pages) {
    await row(each, "agent.disabled").getByText(templateOwner.username).waitFor();
    await each.getByLabel("Connection").getByText("DISABLED", { exact: true }).waitFor();
    await row(each, `${code}-host`).getByText("OFFLINE").waitFor();
  }
}

async function lookAtService(onlooker: Console): Promise<void> {
  const { page } = onlooker;
  await page.getByRole("link", { name: "Services", exact: true }).click();
  // The previous page may have a filter, too.
  await page.getByRole("heading", { level: 1, name: "Services" }).waitFor();
  await (await openFacet(onlooker, "Agent")).fill(code);
  await page.getByRole("option", { name: code }).first().click();
  await page.waitForURL(/\?agentId=agt_\w+$/);
  await row(page, `${code}-host`)
    .getByRole("link", { name: `${code}-host` })
    .click();
  await page.getByText("The service's agent is disabled.").waitFor();
  for (const part of parts) await page.getByText(part).first().waitFor();
}

/** Revokes the agent's token, so the agent must register again. */
async function revoke(pages: Page[]): Promise<void> {
  const [page] = pages as [Page];
  await confirm(page, "Revoke token");
  for (const each of pages) {
    await row(each, "agent.token.revoked").waitFor();
    await each.getByLabel("Agent token").getByText("must register again").waitFor();
  }
  await expectNothingToPress(pages[1] as Page);
}

/** Deletes the service of the agent that the page shows, then the agent. */
async function deleteAgent(operator: Console, onlooker: Console): Promise<void> {
  const { page } = operator;
  // The viewer's page reads the deleted agent. The page that deletes the agent does not.
  onlooker.expectComplaint(/\b404\b/);
  await onlooker.page.getByRole("link", { name: "Agents", exact: true }).click();
  await onlooker.page.getByRole("link", { name: code, exact: true }).click();
  await row(onlooker.page, `${code}-host`).waitFor();
  await operator.installClock();
  await page.getByRole("link", { name: `${code}-host` }).click();
  // The code of the list arrives late. Until then, nothing reads the deleted service, not even the
  // page that usually reads it every 10 seconds.
  const { promise: isRefreshed, resolve: refreshed } = Promise.withResolvers<void>();
  await operator.intercept("**/assets/service-list-*.js", async (route) => {
    await isRefreshed;
    await route.continue();
  });
  const leaves = confirm(page, "Delete");
  // The page shows this for a few seconds only.
  await page.getByText(`${code}-host is deleted.`).waitFor();
  await row(onlooker.page, `${code}-host`).waitFor({ state: "detached" });
  await page.clock.fastForward("00:10");
  refreshed();
  await leaves;
  await page.getByText("No service has been reported yet.").waitFor();
  await page.getByRole("link", { name: "Agents", exact: true }).click();
  await page.getByRole("link", { name: code, exact: true }).click();
  // The rows of the list have such buttons, too.
  await page.getByRole("heading", { level: 1, name: code, exact: true }).waitFor();
  // An agent that is enabled without a token is OFFLINE, and can be deleted.
  await confirm(page, "Enable");
  await confirm(page, "Delete");
  await page.getByText("No agent has registered yet.").waitFor();
  await onlooker.page.getByText("There is no agent").waitFor();
  await onlooker.page.getByRole("link", { name: "Overview" }).click();
  await onlooker.page.getByText("Ask an operator or an owner").waitFor();
  await expect.poll(() => onlooker.page.getByRole("link", { name: /^Create/ }).count()).toBe(0);
}

/**
 * Runs the command lines in a shell and a new folder, and uncomments a line of the agent's file.
 */
async function runAsShown(lines: string): Promise<Program> {
  const [first = "", last = "", ...more] = lines.split("\n");
  expect(more).toEqual([]);
  const folder = temporaryFolder();
  const env = { PATH: [bin, cleanEnv().PATH].join(delimiter) };
  const inFolder = (line: string) =>
    startCommand(["/bin/sh", "-c", `cd "$1" && ${line}`, "sh", folder], { env });
  expect(await inFolder(first).ended).toMatchObject({ status: 0, stderr: "" });
  const file = join(folder, "agent.yaml");
  const sample = readFileSync(file, "utf8");
  writeFileSync(file, sample.replace("#- { key: db.password", "- { key: db.password"));
  // `exec` replaces the shell, so that the test ends the agent.
  return inFolder(`exec env ${last}`);
}

function row(page: Page, text: string): Locator {
  return page.getByRole("row").filter({ hasText: text });
}

/** Presses the button, then the same button in the confirmation. */
async function confirm(page: Page, verb: string): Promise<void> {
  await page.getByRole("button", { name: verb }).first().click();
  const question = page.getByRole("dialog");
  await question.getByRole("button", { name: verb, exact: true }).click();
  await question.waitFor({ state: "detached" });
}

const onlyReads = ["", "Copy", "Filter", "Download CSV"];

/** Expects no buttons on the page, except those that only read. */
async function expectNothingToPress(page: Page): Promise<void> {
  const main = page.getByRole("main");
  const links = await main.getByRole("link", { name: /^(Run|Create)/ }).allTextContents();
  const buttons = await main.locator("button:not(.sort-button, .segments *)").allTextContents();
  const offered = [...links, ...buttons].filter((text) => !onlyReads.includes(text));
  expect(offered, page.url()).toEqual([]);
}
