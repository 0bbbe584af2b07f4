// What needs attention, in a browser: an incident from beginning to end, without reloading.

import { expect, test } from "vitest";
import { openConsole } from "../helpers/browser/browser.ts";
import { serveInProcess } from "../helpers/in-process-server.ts";
import { createToken, operatorOf } from "../helpers/process/operator.ts";
import { registerAgent } from "../helpers/process/process.ts";
import { owner } from "../helpers/session.ts";
import { focused } from "./focused.ts";

const closed = `port 8080 is closed ${"at main ".repeat(30)}`.trim();

test("the overview says what is wrong, why, since when and where, and operators act on it there", async () => {
  const server = await serveInProcess();
  const service = (code: string, zone: string) => ({
    ...{ code, name: `The ${code}`, version: "1", healthStatus: "UP" },
    ...{ labels: { zone }, actions: [{ name: "restart", dangerLevel: "LOW" }] },
  });
  const codes = ["web-1", "web-2", "web-3", "web-4", "web-5", "web-6"];
  const services = [...codes.map((code) => service(code, "b")), service("db", "a")];
  const agent = await registerAgent(server.url, await createToken(server), "edge-7", services);
  const others = [service("api", "a"), service("cache", "a")];
  await registerAgent(server.url, await createToken(server), "edge-8", others);
  const report = (health: Record<string, [string, string?]>) =>
    agent.call("POST", "/heartbeat", {
      health: Object.entries(health).map(([serviceCode, [healthStatus, message]]) => {
        return { serviceCode, healthStatus, message };
      }),
    });
  const console = await openConsole(server, { width: 390, as: owner });
  const { page, button, dialog, expectAccessible, intercept } = console;
  await page.getByText("All is well: 9 services are healthy.").waitFor();

  // When services fail, the page first shows why, where and since when.
  const sick = Object.fromEntries(
    codes.map((code) => [code, ["DOWN", closed] as [string, string]]),
  );
  await report({ ...sick, db: ["DEGRADED"] });
  const group = page.getByRole("listitem", { name: `UNHEALTHY ${closed}` });
  await page.getByRole("heading", { name: "7 of 9 services need attention" }).waitFor();
  const toggle = button("6 services on 1 agent", group);
  await toggle.waitFor();
  await group.getByText("all with zone=b").waitFor();
  const heading = group.getByRole("heading");
  const twoLines = 48;
  await expect.poll(() => heading.evaluate((el) => el.clientHeight)).toBeLessThan(twoLines);
  await page.getByRole("listitem", { name: "UNHEALTHY Degraded, without a message" }).waitFor();
  await expect.poll(() => page.getByText("All is well").count()).toBe(0);
  await toggle.click();
  await group.getByText("6 of 6 with zone=b").waitFor();
  await expect.poll(() => group.getByRole("link", { name: /^web-/ }).count()).toBe(5);
  await button("What does this mean?").click();
  await page.getByText("The agent calls the server, and reports a problem.").waitFor();
  await expectAccessible("wide");
  await page.keyboard.press("Escape");
  await button("Show all 6 services", group).click();
  await group.getByRole("link", { name: "web-6" }).waitFor();

  // Runs an action on all services of the group except one. They must become healthy in time.
  await group.getByRole("button", { name: /^Fix 6 services: port/ }).click();
  const restart = page.getByRole("list", { name: "Actions" }).getByText("restart");
  await restart.click();
  await button("Cancel", dialog).click();
  await expect.poll(() => focused(page)).toMatch(/^Fix 6 services: port/);
  await page.keyboard.press("Enter");
  await restart.click();
  await button("Leave out web-6", dialog).click();
  await dialog.getByText(/^5 services in waves of 1, 4\. .* healthy within 3 min\.$/).waitFor();
  // Another rollout makes the page read other data again, but not the preview, which is slow.
  const previews: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/rollouts/preview")) previews.push(request.url());
  });
  const refreshed = page.waitForResponse(/\/api\/admin\/commands\?/);
  const body = { action: "restart", services: ["db"] };
  await (await operatorOf(server)).call("rollouts.create", { body });
  await refreshed;
  expect(previews).toEqual([]);
  await button("Change", dialog).click();
  await dialog.getByLabel("Waves", { exact: true }).fill("");
  await dialog.getByText(/^Runs on all 5 services at once\./).waitFor();
  await expectAccessible();
  // The browser reports an incomplete number as an empty one, which would mean no deadline.
  const deadline = dialog.getByLabel("Deadline in minutes");
  await deadline.focus();
  await page.keyboard.type("1e");
  await button("Run restart on 5 services", dialog).click();
  await dialog.getByText("Enter a whole number.").waitFor();
  await expect.poll(() => focused(page)).toBe("Deadline in minutes");
  await deadline.fill("");
  // The error of an attempt disappears when the user tries again.
  console.expectComplaint(/\b503\b/);
  const error = { code: "STORAGE_UNAVAILABLE", message: "The storage is full." };
  const stop = await intercept("**/api/admin/rollouts", (route) =>
    route.fulfill({ status: 503, json: { success: false, error } }),
  );
  await button("Run restart on 5 services", dialog).click();
  await dialog.getByText(error.message).waitFor();
  stop();
  // A rollout that is being started cannot be cancelled in the dialog.
  const { promise: isSeen, resolve: see } = Promise.withResolvers<void>();
  await intercept("**/rollouts/preview", async (route) => {
    await isSeen;
    await route.continue();
  });
  await button("Run restart on 5 services", dialog).click();
  await expect.poll(() => button("Cancel", dialog).isDisabled()).toBe(true);
  await expect.poll(() => dialog.getByText(error.message).count()).toBe(0);
  see();
  await page.getByText("0 of 5 are healthy again").waitFor();
  await page.getByRole("link", { name: "Back to the overview" }).click();

  // An acknowledgement collapses the group.
  await group.getByRole("button", { name: /^Acknowledge 6 services/ }).click();
  await dialog.getByLabel("Note").fill("restarting the proxy");
  await button("Acknowledge", dialog).click();
  await expect.poll(() => group.count()).toBe(0);
  await expect.poll(() => focused(page)).toBe("db");

  // A service that recovers and fails again is listed again. A silenced service is not listed.
  await report({ "web-1": ["UP"] });
  await report({ "web-1": ["DOWN", closed] });
  await group.getByText("web-1").waitFor();
  await group.getByRole("button", { name: /^More for web-1/ }).click();
  await page.getByRole("button", { name: "Silence …" }).click();
  await dialog.getByLabel("15 minutes").check();
  await button("Silence", dialog).click();
  await expect.poll(() => group.count()).toBe(0);
  await page.getByText("6 services acknowledged or silenced").click();
  await page.getByText(/Acknowledged by .*: restarting the proxy/).waitFor();
  await page.getByText(new RegExp(`^Silenced by ${owner.username}, .* until `)).waitFor();
  // The server lists only the first groups.
  const stopHiding = await intercept("**/api/admin/attention", async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    json.data.handled.services += 4;
    await route.fulfill({ response, json });
  });
  await report({ db: ["DOWN"] });
  await page.getByText("4 more services are not listed.").waitFor();
  stopHiding();
  await page.getByRole("button", { name: "End silence: web-1" }).click();
  await page.getByRole("button", { name: /^Fix web-1/ }).click();
  await restart.click();
  await button("Leave out web-1", dialog).click();
  await expect.poll(() => focused(page)).toBe("Services");
  await page.keyboard.press("Escape");

  // A service whose health changes again and again is listed as FLAPPING.
  for (const status of ["UP", "DOWN", "UP", "DOWN", "UP"]) await report({ db: [status] });
  const flapping = page.getByRole("listitem", { name: /^FLAPPING The health/ });
  await flapping
    .getByText(/db on edge-7, since .+, changed 6 times in 15 minutes, now Up/)
    .waitFor();

  // All services recover. A dialog about them stays open.
  await page.getByRole("button", { name: /^Acknowledge web-1/ }).click();
  await dialog.getByLabel("Note").fill("it recovers");
  await report(Object.fromEntries(codes.map((code) => [code, ["UP"]])));
  await group.first().waitFor({ state: "detached" });
  await expect.poll(() => dialog.getByLabel("Note").inputValue()).toBe("it recovers");
  await page.keyboard.press("Escape");
  await expect.poll(() => page.getByText(closed).count()).toBe(0);
});
