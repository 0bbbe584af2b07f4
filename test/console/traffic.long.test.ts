// How much the overview of 2,000 services transfers while two services change each second.

import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { openConsole } from "../helpers/browser/browser.ts";
import { countingProxy } from "../helpers/process/counting-proxy.ts";
import { registerHosts } from "../helpers/process/large-fleet.ts";
import { startServer } from "../helpers/process/process.ts";
import { owner } from "../helpers/session.ts";

const changes = 60;
const pauseMs = 500;
const mostKiB = { first: 700, perMinute: 100 };

test("the overview transfers tens of KiB a minute", async () => {
  const server = await startServer();
  const hosts = await registerHosts(server);
  const proxy = await countingProxy(server.url);
  const { page } = await openConsole({ ...server, url: proxy.url }, { as: owner });
  await page.getByText("2,001 of 2,001 services").waitFor();
  await page.getByText("All is well: 2,001 services are healthy.").waitFor();
  // Waits for the data that the page reads some time after it has opened.
  await pause(3_000);
  const first = proxy.received() / 1024;
  const started = performance.now();
  for (let n = 0; n < changes; n++) {
    const { call, codes } = hosts[n % hosts.length] as (typeof hosts)[number];
    const [serviceCode, healthStatus] = [codes[n], n % 3 === 0 ? "DOWN" : "DEGRADED"];
    await call("POST", "/heartbeat", { health: [{ serviceCode, healthStatus, message: "busy" }] });
    await pause(pauseMs);
  }
  const minutes = (performance.now() - started) / 60_000;
  const perMinute = (proxy.received() / 1024 - first) / minutes;
  console.log(`${first.toFixed(0)} KiB at first, then ${perMinute.toFixed(0)} KiB a minute`);
  expect(first).toBeLessThan(mostKiB.first);
  expect(perMinute).toBeLessThan(mostKiB.perMinute);
});
