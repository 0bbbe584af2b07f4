// Runs of actions on their pages: the output of a running program, a dangerous action that requires
// the state that was shown, and an action that is queued for an unreachable agent.

import { readFileSync } from "node:fs";
import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { type Action, createAgent } from "../../src/agent/index.ts";
import { temporaryFolder } from "../helpers/app.ts";
import { type Console, openConsole } from "../helpers/browser/browser.ts";
import { serveInProcess } from "../helpers/in-process-server.ts";
import { atEnd } from "../helpers/lifetime.ts";
import { createToken, operatorOf } from "../helpers/process/operator.ts";
import { registerAgent } from "../helpers/process/process.ts";
import { owner } from "../helpers/session.ts";
import { isLong, size } from "../helpers/size.ts";

const lines = size(200, 12_000);

const purge = { name: "purge", label: "Purge", dangerLevel: "HIGH", prepare: false };

test("the pages of runs show output, changes of the state, and what waits for an agent", async () => {
  const box = await startBox();
  const params = { serviceId: box.idOf("box"), actionName: "chatter" };
  const { command } = await box.client.call("actions.execute", { params, body: {} });
  const { id } = command!;
  const console = await openConsole(box.server, { path: `/commands/${id}`, as: owner });
  await followOutput(box, console);
  await dropUnchanged(box, console);
  await queue(box, console);
});

async function startBox() {
  const server = await serveInProcess();
  const client = await operatorOf(server);
  const agent = createAgent({
    ...{ server: server.url, registrationToken: () => createToken(server) },
    ...{ agent: { code: "edge-1", mode: "embedded" }, stateDir: temporaryFolder() },
  });
  const { promise: mayContinue, resolve: go } = Promise.withResolvers<void>();
  /** Writes lines, then more when the test calls `go`. */
  const chatter: Action = {
    name: "chatter",
    async execute(_payload, { output }) {
      for (let line = 1; line <= lines; line++) output.write(`line ${line}\n`);
      output.stderr.write("disk is full\n");
      output.write("Continue? ");
      await mayContinue;
      output.write("yes\n\u001b[31mthe end\u001b[0m\n");
    },
  };
  const cache = { state: {}, hasRun: false };
  const drop: Action = {
    ...{ name: "drop", label: "Drop the cache", dangerLevel: "HIGH" },
    prepare: () => ({ currentState: cache.state }),
    execute() {
      cache.hasRun = true;
    },
  };
  agent.service({ code: "box", name: "Box", version: "1", actions: [chatter] });
  agent.service({ code: "cache", name: "Cache", version: "1", actions: [drop] });
  await agent.start();
  atEnd(() => agent.stop({ graceSeconds: 0 }));
  const web = { code: "web", name: "Web", version: "1", actions: [purge] };
  const gone = await registerAgent(server.url, await createToken(server), "edge-2", [web]);
  expect((await gone.call("POST", "/offline", {})).status).toBe(200);
  const { data } = await client.page("services.list");
  const idOf = (code: string) => data.find((service) => service.code === code)!.id;
  return { server, client, cache, go, idOf };
}

type Box = Awaited<ReturnType<typeof startBox>>;

/** Live output stays at its end, unless the reader has scrolled up. */
async function followOutput({ go }: Box, console: Console): Promise<void> {
  const { page, button, expectAccessible } = console;
  const log = page.getByRole("log", { name: "Output" });
  await log.getByText("Continue?").waitFor();
  await log.getByText("stderr", { exact: true }).waitFor();
  const left = () => log.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
  await expect.poll(left).toBeLessThan(2);
  // The page shows the last 10,000 lines, and the downloaded file has all lines.
  if (isLong) await page.getByText("earlier lines are not shown here").waitFor();
  await searchOutput(console, log);
  await expectAccessible();

  await log.evaluate((box) => box.scrollTo({ top: 0 }));
  await button("Follow new output").waitFor();
  go();
  await log.getByText("Continue? yes").waitFor({ state: "attached" });
  await log.getByText("the end", { exact: true }).waitFor({ state: "attached" });
  await expect.poll(() => log.evaluate((box) => box.scrollTop)).toBe(0);
  await page.locator(".page-heading").getByText("SUCCEEDED").waitFor();
  const file = page.waitForEvent("download");
  await button("Download output").click();
  const text = readFileSync(await (await file).path(), "utf8").split("\n");
  expect([text.length, text[0], text.at(-2)]).toEqual([lines + 4, "line 1", "the end"]);
}

/**
 * A search marks all matches and goes from one to the next. Single streams and times are shown on
 * demand.
 */
async function searchOutput({ page, button }: Console, log: Locator): Promise<void> {
  const field = page.getByRole("searchbox", { name: "Search the output" });
  const marked = () =>
    page.evaluate<string[]>(`["output-match", "output-current"].map((name) =>
    [...(CSS.highlights.get(name) ?? [])].join(" "))`);
  const many = await log.evaluate((box) => (box.textContent ?? "").split("line 9").length - 1);
  const shown = (place: number) => place.toLocaleString("en");
  const at = (place: number) =>
    page.getByText(`${shown(place)} of ${shown(many)}`, { exact: true }).waitFor();
  await field.fill("LINE 9");
  await at(1);
  await expect.poll(marked).toEqual([Array(many).fill("line 9").join(" "), "line 9"]);
  const place = () => log.evaluate((box) => box.scrollTop);
  const first = await place();
  await field.press("Shift+Enter");
  await at(many);
  await expect.poll(place).toBeGreaterThan(first);
  await button("Next match").click();
  await at(1);
  await field.fill("nowhere");
  await page.getByText("No matches").waitFor();
  await field.press("Escape");
  await expect.poll(marked).toEqual(["", ""]);

  const rows = () => log.locator(".output-line").count();
  await button("Only stderr").click();
  await expect.poll(rows).toBe(1);
  await button("Only stderr").click();
  await expect.poll(rows).toBeGreaterThan(100);
  await button("Timestamps").click();
  const drawn = () =>
    log
      .locator(".output-line")
      .last()
      .evaluate((line) => getComputedStyle(line, "::before").content);
  await expect.poll(drawn).toMatch(/^"\d+ \d+:\d+:\d+/);
}

/** If the state has changed, nothing runs. The page shows the changes and starts over. */
async function dropUnchanged({ cache, idOf }: Box, console: Console): Promise<void> {
  const { page, button, expectAccessible, visit } = console;
  cache.state = { entries: 3, owner: "ana" };
  const path = `/services/${idOf("cache")}/actions/drop`;
  await visit(path);
  const box = page.getByRole("checkbox", { name: "Only if the state is unchanged" });
  await box.waitFor();
  await expect.poll(() => box.isChecked()).toBe(true);
  const run = async () => {
    await button("Run Drop the cache").click();
    const dialog = page.getByRole("dialog", { name: "Run Drop the cache?" });
    await dialog.getByLabel("Type the code cache to confirm").fill("cache");
    return dialog;
  };

  const dialog = await run();
  await dialog.getByText("only if the state is still the one shown here").waitFor();
  cache.state = { entries: 4, owner: "ana" };
  await button("Run action").click();
  await page.getByText("STATE_CHANGED").first().waitFor();
  const row = page.getByRole("row").filter({ hasText: "entries" });
  await expect.poll(() => row.getByRole("cell").allTextContents()).toEqual(["entries", "3", "4"]);
  await expect.poll(() => page.getByRole("row").filter({ hasText: "owner" }).count()).toBe(0);
  expect(cache.hasRun).toBe(false);
  await expectAccessible();

  // Without the condition, the action runs in any state.
  await page.getByRole("link", { name: "Start over with the new state" }).click();
  await box.uncheck();
  const other = await run();
  await expect.poll(() => other.getByText("only if the state").count()).toBe(0);
  cache.state = { entries: 5 };
  await button("Run action").click();
  await page.locator(".page-heading").getByText("SUCCEEDED").waitFor();
  expect(cache.hasRun).toBe(true);
}

/**
 * An action of an unreachable agent is confirmed and queued in one step, which says when it
 * expires.
 */
async function queue({ idOf }: Box, console: Console): Promise<void> {
  const { page, button, dialog, visit } = console;
  await visit(`/services/${idOf("web")}/actions/purge`);
  await button("Run Purge").click();
  await dialog.getByText(/^edge-2 cannot be reached .* expires first, after 5 min\.$/).waitFor();
  await dialog.getByLabel("Type the code web to confirm").fill("web");
  await button("Queue command", dialog).click();
  await page.waitForURL(/\/commands\/cmd_/);
  await page.locator(".page-heading").getByText("PENDING", { exact: true }).waitFor();
  await expect.poll(() => dialog.count()).toBe(0);
}
