// An incident in a fleet of 2,000 services: 37 fall ill for one reason. The way from the sign-in to "all
// is well" takes few interactions, with the mouse or only with the keyboard.

import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { expectComplaint, openConsole } from "../helpers/browser/browser.ts";
import { type Host, registerHosts } from "../helpers/process/large-fleet.ts";
import { startServer } from "../helpers/process/process.ts";

const total = "2,004";
const actions = [{ name: "restart", label: "Restart", prepare: false }];
const closed = "port 8080 is closed";

/** The services that are ill in the incident. */
const illOf = ({ codes }: Host, index: number) => codes.slice(0, index === 0 ? 4 : 3);

const health = (serviceCode: string, isIll: boolean) => ({
  ...{ serviceCode, healthStatus: isIll ? "DOWN" : "UP" },
  ...(isIll ? { message: closed } : {}),
});

test("from the sign-in to all is well in five interactions", { timeout: 900_000 }, async () => {
  expectComplaint(/\b401\b/);
  const server = await startServer();
  const hosts = await registerHosts(server, actions);
  const work = new AbortController();
  const working = hosts.map((host) => restartWhenTold(host, work.signal));
  for (const way of ["mouse", "keyboard"] as const) {
    for (const [index, host] of hosts.entries()) {
      const ill = illOf(host, index).map((code) => health(code, true));
      await host.call("POST", "/heartbeat", { health: ill });
    }
    const { page, button, dialog, signIn } = await openConsole(server);
    let interactions = 0;
    const use = async (target: Locator, text?: string) => {
      interactions++;
      if (text !== undefined) return target.fill(text);
      if (way === "mouse") return target.click();
      await target.focus();
      await page.keyboard.press("Enter");
    };
    await signIn();
    const group = page.getByRole("listitem", { name: `UNHEALTHY ${closed}` });
    await group.getByText("37 services on 12 agents, since").waitFor();
    await use(group.getByRole("link", { name: /^Run an action on 37 services/ }));
    await use(page.getByRole("combobox", { name: /^Action/ }), "restart");
    await use(button("Preview"));
    await use(button("Run restart on 37 services"));
    await use(button("Start rollout", dialog));
    await page.locator(".page-heading").getByText("SUCCEEDED", { exact: true }).waitFor();
    await page.goto("/");
    await page.getByText(`All is well: ${total} services are healthy.`).waitFor();
    expect(interactions, way).toBeLessThanOrEqual(5);
  }
  work.abort();
  await Promise.allSettled(working);
});

/** Restarts what it is told to, and reports that it is well again. */
async function restartWhenTold({ call }: Host, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { body } = await call("GET", "/commands?wait=5");
    for (const { id, serviceCode } of body?.data?.commands ?? []) {
      await call("POST", `/commands/${id}/result`, { success: true });
      await call("POST", "/heartbeat", { health: [health(serviceCode, false)] });
    }
  }
}
