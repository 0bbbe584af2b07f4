// An incident in a fleet of 2,001 services, of which 37 fail for four reasons. The first screen
// shows all reasons, and the way from there to "37 of 37 are healthy again" takes few interactions
// and no typing, with the mouse or only with the keyboard.

import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { openConsole } from "../helpers/browser/browser.ts";
import { type Host, registerHosts } from "../helpers/process/large-fleet.ts";
import { startServer } from "../helpers/process/process.ts";
import { owner } from "../helpers/session.ts";

const total = "2,001";
const actions = [
  { name: "restart", label: "Restart", prepare: false },
  { name: "logs", label: "Show logs", prepare: false },
];
const reasons = [
  ...["port 8080 is closed", "the certificate expired", "no connection to the database"],
  "the disk is full",
];
/** How many services fail for each reason. */
const sizes = [12, 10, 8, 7];
const screen = { width: 1440, height: 900 };

const health = (serviceCode: string, message?: string) => ({
  ...{ serviceCode, healthStatus: message === undefined ? "UP" : "DOWN" },
  ...(message === undefined ? {} : { message }),
});

test("four interactions lead from the first screen to healthy services", async () => {
  const server = await startServer();
  const hosts = await registerHosts(server, actions);
  const work = new AbortController();
  const working = hosts.map((host) => restartWhenTold(host, work.signal));
  for (const way of ["mouse", "keyboard"] as const) {
    await fallIll(hosts);
    const { page, button } = await openConsole(server, { as: owner, width: screen.width });
    await page.setViewportSize(screen);
    await page.getByRole("heading", { name: `37 of ${total} services need attention` }).waitFor();
    await expectOnFirstScreen(page);

    let interactions = 0;
    const use = async (target: Locator) => {
      interactions++;
      if (way === "mouse") return target.click();
      await target.focus();
      await page.keyboard.press("Enter");
    };
    await use(button("Fix all 37"));
    await use(page.getByRole("list", { name: "Actions" }).getByText("Restart", { exact: true }));
    await page.getByText(/^37 services in waves of 1, 3, 33\./).waitFor();
    await use(button("Run Restart on 37 services"));
    await page.getByText("37 of 37 are healthy again").waitFor();
    expect(interactions, way).toBeLessThanOrEqual(4);
    await page.getByRole("link", { name: "Back to the overview" }).click();
    await page.getByText(`All is well: ${total} services are healthy.`).waitFor();
  }
  work.abort();
  await Promise.allSettled(working);
});

/** Expects all reasons, a part of the map and the newest entry of the feed. */
async function expectOnFirstScreen(page: Page): Promise<void> {
  const incidents = page.getByRole("list", { name: "Needs attention" }).getByRole("listitem");
  await expect.poll(() => incidents.count()).toBe(reasons.length);
  const mostPixels = 60;
  for (const [index, reason] of reasons.entries()) {
    const row = page.getByRole("listitem", { name: `UNHEALTHY ${reason}` });
    await row.getByText(`${sizes[index]} services on `).waitFor();
    await expect.poll(async () => (await row.boundingBox())?.height).toBeLessThan(mostPixels);
  }
  for (const part of [page.locator("a.map-cell").nth(100), page.locator(".feed-entry").first()]) {
    await expect
      .poll(async () => {
        const box = await part.boundingBox();
        return box ? box.y + box.height : Number.POSITIVE_INFINITY;
      })
      .toBeLessThan(screen.height);
  }
}

async function fallIll(hosts: readonly Host[]): Promise<void> {
  const messages = reasons.flatMap((reason, at) =>
    Array.from({ length: sizes[at] ?? 0 }, () => reason),
  );
  const ill = messages.map((message, at) => {
    const host = hosts[at % hosts.length] as Host;
    return { host, report: health(host.codes[Math.floor(at / hosts.length)] ?? "", message) };
  });
  for (const [host, reports] of Map.groupBy(ill, (each) => each.host)) {
    await host.call("POST", "/heartbeat", { health: reports.map(({ report }) => report) });
  }
}

/** Acts as an agent that restarts services on command, and reports them as healthy. */
async function restartWhenTold({ call }: Host, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { body } = await call("GET", "/commands?wait=5");
    for (const { id, serviceCode } of body?.data?.commands ?? []) {
      await call("POST", `/commands/${id}/result`, { success: true });
      await call("POST", "/heartbeat", { health: [health(serviceCode)] });
    }
  }
}
