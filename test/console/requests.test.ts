// Tests that a page reads its data while its code loads, with few requests.

import { expect, test } from "vitest";
import { type Console, expectComplaint, openConsole } from "../helpers/browser/browser.ts";
import { serveInProcess } from "../helpers/in-process-server.ts";
import { createToken, operatorOf } from "../helpers/process/operator.ts";
import { registerAgent } from "../helpers/process/process.ts";
import { owner } from "../helpers/session.ts";

test("pages read their data while their code loads, in few requests, and open after a sign-in that they required", async () => {
  expectComplaint(/\b401\b/);
  const server = await serveInProcess();
  const services = [{ code: "web", name: "Web", version: "1", healthStatus: "UP" }];
  await registerAgent(server.url, await createToken(server), "edge-1", services);
  const [service] = await (await operatorOf(server)).call("services.list");
  const console = await openConsole(server, { path: "about:blank", as: owner });
  await countRequests(console, service?.id ?? "");
  await loseSession(console);
});

async function countRequests({ page, goto }: Console, serviceId: string): Promise<void> {
  // If the browser is slow, it would also read repeatedly, and read data again that has become stale.
  await page.addInitScript("window.setInterval = () => 0");
  await page.clock.setFixedTime(Date.now());
  const started: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    started.push(pathname.startsWith("/api/") ? pathname + search : pathname);
  });
  for (const [path, first, most] of [
    // Two of these requests are for the first steps, which are shown until an action has run.
    ["/", "/api/admin/overview/health-map", 10],
    // The list is read only once, in its own order.
    ["/services", "/api/admin/capsule-services?page=1&pageSize=20&sort=status", 4],
    [`/services/${serviceId}`, `/api/admin/capsule-services/${serviceId}`, 7],
  ] as const) {
    // Ends the pending requests of the previous page.
    await page.goto("about:blank");
    started.length = 0;
    await goto(path);
    await page.locator("main .loading").first().waitFor({ state: "detached" });
    await page.waitForLoadState("networkidle");
    const calls = started.filter((url) => /^\/api\/(?!admin\/auth\/)/.test(url));
    // The first data is requested before the server has said who the user is.
    expect(calls.slice(0, 4).join("\n"), path).toContain(first);
    // When the live stream opens, the page reads everything once more, because it may have changed.
    const times = (url: string) => calls.filter((each) => each === url).length;
    expect(
      calls.filter((url) => times(url) > 2),
      path,
    ).toEqual([]);
    const distinct = [...new Set(calls)];
    expect(distinct.length, `${path}: ${distinct.join("\n")}`).toBeLessThanOrEqual(most);
    const lists = distinct.filter((url) => url.startsWith("/api/admin/capsule-services?"));
    expect(lists.length, lists.join("\n")).toBeLessThanOrEqual(1);
  }
}

/** The session ends while a page loads. */
async function loseSession({ page, signIn, intercept }: Console): Promise<void> {
  // The server refuses the page's data before the page's code has arrived.
  const code = Promise.withResolvers<void>();
  await intercept(/\.js$/, async (route) => {
    await code.promise;
    await route.continue();
  });
  const refusal = {
    success: false,
    error: { code: "UNAUTHORIZED", message: "Sign in.", requestId: "r" },
  };
  const stop = await intercept(/\/api\/admin\/agents\?/, async (route) => {
    stop();
    // If the session ended before the next page began to load, users would return to this one.
    await page.locator(".page-progress").waitFor({ state: "attached" });
    await route.fulfill({ status: 401, json: refusal });
  });
  await page.getByRole("link", { name: "Agents", exact: true }).click();
  await page.getByLabel("Password", { exact: true }).waitFor();
  code.resolve();
  await expect.poll(() => new URL(page.url()).searchParams.get("next")).toBe("/agents");
  await signIn();
  await page.getByRole("heading", { level: 1, name: "Agents" }).waitFor();
}
