// What needs attention, in a browser: an incident from its first sight to its end, without reloading.

import { expect, test } from "vitest";
import { openConsole } from "../helpers/browser/browser.ts";
import { serveConsole } from "../helpers/browser/console-server.ts";
import { createToken } from "../helpers/process/operator.ts";
import { registerAgent } from "../helpers/process/process.ts";
import { addUser, owner, viewer } from "../helpers/session.ts";

const closed = "port 8080 is closed";

test("the overview says what is wrong, why, since when and where, and operators act on it there", async () => {
  const server = await serveConsole();
  const service = (code: string, zone: string) => ({
    ...{ code, name: `The ${code}`, version: "1", healthStatus: "UP" },
    ...{ labels: { zone }, actions: [{ name: "restart", dangerLevel: "LOW" }] },
  });
  const codes = ["web-1", "web-2", "web-3", "web-4", "web-5", "web-6"];
  const services = [...codes.map((code) => service(code, "b")), service("db", "a")];
  const agent = await registerAgent(server.url, await createToken(server), "edge-7", services);
  const other = [service("api", "a"), service("cache", "a")];
  const second = await registerAgent(server.url, await createToken(server), "edge-8", other);
  const report = (whose: typeof agent, health: Record<string, [string, string?]>) =>
    whose.call("POST", "/heartbeat", {
      health: Object.entries(health).map(([serviceCode, [healthStatus, message]]) => {
        return { serviceCode, healthStatus, message };
      }),
    });
  await addUser(server, viewer);
  const console = await openConsole(server, { width: 390, as: owner });
  const { page, button, dialog, expectAccessible } = console;
  await page.getByText("All is well: 9 services are healthy.").waitFor();
  await expectAccessible();

  // Services fall ill: the first thing on the page is why, where and since when.
  const sick = Object.fromEntries(
    codes.map((code) => [code, ["DOWN", closed] as [string, string]]),
  );
  await report(agent, { ...sick, db: ["DEGRADED"] });
  const group = page.getByRole("listitem", { name: `UNHEALTHY ${closed}` });
  await group.getByText("6 services on 1 agent, since").waitFor();
  await group.getByText("6 of 6 with zone=b").waitFor();
  await page.getByRole("listitem", { name: "UNHEALTHY DEGRADED, without a message" }).waitFor();
  await expect.poll(() => page.getByText("All is well").count()).toBe(0);
  const { y = 0 } = (await group.boundingBox()) ?? {};
  expect(y).toBeLessThan(400);
  await expectAccessible("overview");
  await expect.poll(() => group.getByRole("link", { name: /^web-/ }).count()).toBe(5);
  await button("Show all 6 services", group).click();
  await group.getByRole("link", { name: "web-6" }).waitFor();

  // One click leads to an action on all of them.
  await group.getByRole("link", { name: /^Run an action on 6 services/ }).click();
  await page.getByText("6 services that you have chosen").waitFor();
  await page.goBack();
  const alone = page.getByRole("link", { name: /^Run an action on db/ });
  await expect.poll(() => alone.getAttribute("href")).toMatch(/^\/services\/svc_\w+\?tab=actions$/);

  // An acknowledgement folds the group away for everybody.
  await group.getByRole("button", { name: /^Acknowledge 6 services/ }).click();
  await dialog.getByLabel("Note").fill("restarting the proxy");
  await expectAccessible();
  await button("Acknowledge", dialog).click();
  await expect.poll(() => group.count()).toBe(0);
  const theirs = await openConsole(server, { as: viewer });
  await theirs.page.getByText("6 services acknowledged or silenced").click();
  const noted = theirs.page.getByRole("listitem", { name: `UNHEALTHY ${closed}` });
  await noted
    .getByText(new RegExp(`Acknowledged by ${owner.username}, .*: restarting the proxy`))
    .waitFor();
  await expect
    .poll(() => theirs.page.getByRole("button", { name: /Acknowledge|Silence/ }).count())
    .toBe(0);
  await theirs.expectAccessible();

  // What recovers and falls ill again is new, and what is silenced is not.
  await report(agent, { "web-1": ["UP"] });
  await report(agent, { "web-1": ["DOWN", closed] });
  await group.getByText("web-1").waitFor();
  await group.getByRole("button", { name: /^Silence web-1/ }).click();
  await dialog.getByLabel("15 minutes").check();
  await button("Silence", dialog).click();
  await expect.poll(() => group.count()).toBe(0);
  await page.getByText("6 services acknowledged or silenced").click();
  await page.getByText(new RegExp(`^Silenced by ${owner.username}, .* until `)).waitFor();
  await expectAccessible();
  await page.getByRole("button", { name: "End silence: web-1" }).click();
  await page.getByRole("link", { name: "Open web-1" }).waitFor();

  // A service that turns again and again is named.
  for (const status of ["DOWN", "UP", "DOWN", "UP", "DOWN", "UP"]) {
    await report(second, { api: [status] });
  }
  const flapping = page.getByRole("listitem", { name: /^FLAPPING The health/ });
  await flapping.getByText(/api on edge-8, changed 6 times in 15 minutes, now UP/).waitFor();

  // All recover.
  await report(agent, Object.fromEntries([...codes, "db"].map((code) => [code, ["UP"]])));
  await expect.poll(() => page.getByText(closed).count()).toBe(0);
});
