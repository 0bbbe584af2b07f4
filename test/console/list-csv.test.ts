// Every list can be downloaded as CSV; an error appears in the page instead of in a file.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openConsole } from "../helpers/browser/browser.ts";
import { serveConsole } from "../helpers/browser/console-server.ts";
import { perFile } from "../helpers/lifetime.ts";
import { createToken, operatorOf } from "../helpers/process/operator.ts";
import { registerAgent } from "../helpers/process/process.ts";
import { owner } from "../helpers/session.ts";

const fleet = perFile(async () => {
  const server = await serveConsole();
  for (const code of ["edge-1", "edge-2", "west-1"]) {
    await registerAgent(server.url, await createToken(server), code);
  }
  return { server, operator: await operatorOf(server) };
});

test("the file has all rows that the filters select, in the order of the list", async () => {
  const { server, operator } = fleet();
  const { page, button, goto } = await openConsole(server, {
    path: "/agents?q=edge&sort=-code&page=2&pageSize=1",
    as: owner,
  });
  await page.getByText("2–2 of 2").waitFor();
  const downloading = page.waitForEvent("download");
  await button("Download CSV").click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^agents-\d{4}-\d\d-\d\d\.csv$/);
  const saved = readFileSync(await download.path(), "utf8");
  const lines = saved.trimEnd().split("\r\n");
  expect(lines.map((line) => line.split(",")[1])).toEqual(["code", "edge-2", "edge-1"]);
  const { chunks } = await operator.download("agents.export", {
    query: { q: "edge", sort: "-code" },
  });
  let exported = "";
  for await (const chunk of chunks) exported += Buffer.from(chunk);
  expect(saved).toBe(exported);

  for (const path of ["/users", "/registration-tokens"]) {
    await goto(path);
    await button("Download CSV").waitFor();
  }
});

test("an error is shown in the page, and can be tried again", async () => {
  const { server } = fleet();
  const { page, button, expectComplaint } = await openConsole(server, {
    path: "/agents",
    as: owner,
  });
  expectComplaint(/\b(401|403|503)\b|ERR_FAILED/);
  let downloads = 0;
  page.on("download", () => downloads++);
  const refusals = [
    [403, "FORBIDDEN", "This call requires the viewer role."],
    [503, "UNAVAILABLE", "Too many reads are waiting."],
  ] as const;
  for (const [status, code, message] of refusals) {
    await page.route("**/agents/export*", (route) =>
      route.fulfill({ status, json: { success: false, error: { code, message } } }),
    );
    await button("Download CSV").click();
    await page.getByText(message).waitFor();
    await page.unroute("**/agents/export*");
  }
  await page.route("**/agents/export*", (route) => route.abort());
  await button("Download CSV").click();
  await page.getByText("The download was interrupted, and nothing was saved.").waitFor();
  await page.unroute("**/agents/export*");
  expect(downloads).toBe(0);
  const downloading = page.waitForEvent("download");
  await button("Download CSV").click();
  await downloading;
  await expect.poll(() => page.getByText("was interrupted").count()).toBe(0);

  // The session ends before the export is asked for, but no other call must notice it first.
  await page.route("**/agents/export*", async (route) => {
    await page.context().clearCookies();
    const { cookie: _, ...headers } = await route.request().allHeaders();
    await route.continue({ headers });
  });
  await button("Download CSV").click();
  await page.getByLabel("Username", { exact: true }).waitFor();
  expect(downloads).toBe(1);
});

test("the list of registration tokens names their agents without a call for each", async () => {
  const { server } = fleet();
  const { page } = await openConsole(server, { as: owner });
  await page.getByText("All is well").or(page.getByText("No services")).first().waitFor();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto("/registration-tokens");
  for (const code of ["edge-1", "edge-2", "west-1"]) {
    await page.getByRole("link", { name: code }).waitFor();
  }
  expect(asked).toContain("/api/admin/registration-tokens");
  expect(asked.filter((path) => path.startsWith("/api/admin/agents"))).toEqual([]);
  await page.getByRole("link", { name: "edge-2" }).click();
  await page.getByRole("heading", { level: 1, name: "edge-2" }).waitFor();
});
