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

/**
 * The most processor time that the page may use without a pause, in ms. A click has to wait for
 * that long. Other work on the machine does not count.
 */
const mostBusyMs = 400;

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
  const browser = page.context().browser();
  await browser?.startTracing(page, { categories: ["toplevel", "__metadata"] });
  await Promise.all(fleet.map(endCommands));
  await page.locator(".page-heading").getByText("SUCCEEDED", { exact: true }).waitFor();
  const done = page.locator("a.map-cell").and(page.getByRole("link", { name: /: Succeeded/ }));
  await expect.poll(() => done.count()).toBe(total);
  const busyMs = longestTask(String(await browser?.stopTracing()));
  console.log(`the page was busy for at most ${Math.round(busyMs)} ms`);
  expect(busyMs).toBeGreaterThan(0);
  expect(busyMs).toBeLessThan(mostBusyMs);
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

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** The processor time, in microseconds. */
  tdur?: number;
  args: { name?: string };
}

/** Returns the processor time of the longest task on the main threads of pages, in ms. */
function longestTask(trace: string): number {
  const { traceEvents } = JSON.parse(trace) as { traceEvents: TraceEvent[] };
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const ofPages = new Set(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain")
      .map(threadOf),
  );
  const tasks = traceEvents.filter((event) => ofPages.has(threadOf(event)));
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
}
