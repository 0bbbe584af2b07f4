// The page of a rollout over 5,000 services stays responsive while they end.

import { expect, test } from "vitest";
import { openConsole } from "../helpers/browser/browser.ts";
import { operatorOf } from "../helpers/process/operator.ts";
import { type RemoteAgent, registerAgent, startServer } from "../helpers/process/process.ts";
import { owner } from "../helpers/session.ts";

const agents = 20;
const servicesPerAgent = 250;
const total = agents * servicesPerAgent;
const actions = [{ name: "refresh", prepare: false }];

/** The longest time that a click would have had to wait, in ms. Other work on the machine adds to it. */
const mostLateMs = 500;

test("the page follows a rollout over 5,000 services, and responds meanwhile", async () => {
  const server = await startServer();
  const operator = await operatorOf(server);
  const fleet: RemoteAgent[] = [];
  for (let n = 0; n < agents; n++) {
    const { token } = await operator.call("registration-tokens.create", { body: {} });
    const services = Array.from({ length: servicesPerAgent }, (_, at) => ({
      ...{ code: `shop-${n}-${at}`, name: "A shop", version: "1", actions },
    }));
    fleet.push(await registerAgent(server.url, token, `mall-${n}`, services));
  }
  const body = { action: "refresh", selector: "", maxParallel: 1000, confirmation: true };
  const { id } = await operator.call("rollouts.create", { body });
  const { page } = await openConsole(server, { path: `/rollouts/${id}`, as: owner });
  await page.locator("a.map-cell").first().waitFor();
  await expect.poll(() => page.locator("a.map-cell").count()).toBe(total);
  await page.evaluate(watchLateness);
  await Promise.all(fleet.map(endCommands));
  await page.locator(".page-heading").getByText("SUCCEEDED", { exact: true }).waitFor();
  const done = page.locator("a.map-cell").and(page.getByRole("link", { name: /: Succeeded/ }));
  await expect.poll(() => done.count()).toBe(total);
  const lateMs = await page.evaluate<number>("window.mostLateMs");
  console.log(`the page was late by at most ${Math.round(lateMs)} ms`);
  expect(lateMs).toBeLessThan(mostLateMs);
});

/** Ends as many commands as the agent has services. */
async function endCommands({ call }: RemoteAgent): Promise<void> {
  for (let done = 0; done < servicesPerAgent; ) {
    const { body } = await call("GET", "/commands?wait=20");
    for (const { id } of body.data.commands) {
      await call("POST", `/commands/${id}/result`, { success: true });
      done++;
    }
  }
}

const watchLateness = `
  window.mostLateMs = 0;
  let last = performance.now();
  setInterval(() => {
    const now = performance.now();
    window.mostLateMs = Math.max(window.mostLateMs, now - last - 20);
    last = now;
  }, 20);
`;
