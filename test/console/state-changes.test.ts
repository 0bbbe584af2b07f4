// A HIGH action in the console runs only in the state that was shown.

import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { openConsole } from "../helpers/browser/browser.ts";
import { serveConsole } from "../helpers/browser/console-server.ts";
import { operatorOf } from "../helpers/process/operator.ts";
import { agentFile, startSidecar } from "../helpers/process/sidecar.ts";
import { addUser, owner, viewer } from "../helpers/session.ts";

const sh = (script: string) => ({ exec: { command: ["/bin/sh", "-c", script] } });
const actions = [
  {
    name: "drop",
    label: "Drop the cache",
    dangerLevel: "HIGH",
    prepare: sh("cat cache.json"),
    execute: sh("echo >ran"),
  },
];

test("if the state has changed, nothing runs; the page shows the changes and starts over", async () => {
  const server = await serveConsole();
  const client = await operatorOf(server);
  await addUser(server, viewer);
  const services = [{ code: "cache", version: "1", actions }];
  const file = await agentFile(server, client, { services });
  const setState = (state: object) =>
    writeFileSync(join(dirname(file), "cache.json"), JSON.stringify(state));
  const hasRun = () => existsSync(join(dirname(file), "ran"));
  setState({ entries: 3, owner: "ana" });
  await startSidecar(file).said("the agent is running");
  const { data } = await client.page("services.list");
  const path = `/services/${data[0]?.id}/actions/drop`;

  const { page, button, expectAccessible, goto } = await openConsole(server, { path, as: owner });
  const box = page.getByRole("checkbox", { name: "Only if the state is unchanged" });
  await box.waitFor();
  await expect.poll(() => box.isChecked()).toBe(true);
  await expectAccessible();
  const run = async () => {
    await button("Run Drop the cache").click();
    const dialog = page.getByRole("dialog", { name: "Run Drop the cache?" });
    await dialog.getByLabel("Type the code cache to confirm").fill("cache");
    return dialog;
  };

  const dialog = await run();
  await dialog.getByText("only if the state is still the one shown here").waitFor();
  setState({ entries: 4, owner: "ana" });
  await button("Run action").click();
  await page.getByText("STATE_CHANGED").first().waitFor();
  const row = page.getByRole("row").filter({ hasText: "entries" });
  await expect.poll(() => row.getByRole("cell").allTextContents()).toEqual(["entries", "3", "4"]);
  await expect.poll(() => page.getByRole("row").filter({ hasText: "owner" }).count()).toBe(0);
  expect(hasRun()).toBe(false);
  await expectAccessible();
  const command = new URL(page.url()).pathname;

  await page.getByRole("link", { name: "Start over with the new state" }).click();
  await box.waitFor();
  await run();
  await button("Run action").click();
  await page.locator(".page-heading").getByText("SUCCEEDED").waitFor();
  expect(hasRun()).toBe(true);

  // Without the condition, the action runs in any state.
  await goto(path);
  await box.uncheck();
  const other = await run();
  await expect.poll(() => other.getByText("only if the state").count()).toBe(0);
  setState({ entries: 5 });
  await button("Run action").click();
  await page.locator(".page-heading").getByText("SUCCEEDED").waitFor();

  const seen = await openConsole(server, { path: command, as: viewer });
  await seen.page.getByText("Changes to the state since it was shown").waitFor();
  await expect.poll(() => seen.page.getByRole("link", { name: "Start over" }).count()).toBe(0);
});
