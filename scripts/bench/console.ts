// Measures the console with a large fleet. The results are unreliable on a busy machine.

import { mkdirSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { type Browser, chromium } from "playwright-core";
import { chromiumIn, unpackChromium } from "../../test/helpers/browser/chromium.ts";
import { buildConsole } from "../build/console.ts";
import { isStale } from "../build/console-sources.ts";
import { projectFolder } from "../build/project.ts";
import { signIn } from "../screenshots/fill.ts";
import { measurePages } from "./console-pages.ts";
import { registerAgents } from "./fixtures.ts";
import { type FleetSize, insertLargeFleet } from "./large-fleet.ts";
import { type Measurement, medianAtMost, type Reading, readingOf } from "./readings.ts";
import { createKey, patient, startSubject } from "./subject.ts";

const fleetSize: FleetSize = {
  agents: 10_000,
  services: 2_000,
  servicesPerAgent: 4,
  commands: 20_000,
  days: 1,
};

const owner = { username: "bench", password: "a-password-for-benches" };

const answerPaths: [path: string, targetMs: number][] = [
  ["/api/admin/overview", 50],
  ["/api/admin/overview/health-map", 50],
  ["/api/admin/overview/commands?hours=24", 50],
  ["/api/admin/agents?q=edge-09", 50],
  ["/api/admin/search?q=edge-09", 50],
];

export async function measureConsole(
  folder: string,
  rounds: number,
  signal: AbortSignal,
): Promise<Measurement> {
  if (isStale(projectFolder)) await buildConsole(projectFolder, "best");
  mkdirSync(folder, { mode: 0o700 });
  const subject = await startSubject(folder, signal, {
    ...patient,
    PLATFORM_ADMIN_USERNAME: owner.username,
    PLATFORM_ADMIN_PASSWORD: owner.password,
  });
  let browser: Browser | null = null;
  try {
    insertLargeFleet(subject.databaseFile, fleetSize);
    const key = await createKey(subject.databaseFile, "owner");
    const [agent] = await registerAgents(subject.port, key, 1);
    if (!agent) throw new Error("The fleet has no agent.");
    const url = `http://127.0.0.1:${subject.port}`;
    const { cookie } = await signIn(url, owner.username, owner.password);
    const answers = await measureAnswers(url, cookie, rounds);
    browser = await chromium.launch(chromiumIn(unpackChromium()));
    const pages = await measurePages(browser, { url, cookie, agent }, rounds);
    const { agents, services, commands } = fleetSize;
    return {
      name: "console",
      notes: [`${agents} agents, ${services} services, ${commands} commands in one day.`],
      readings: [...answers, ...pages],
      processors: {},
    };
  } finally {
    await browser?.close();
    await subject.stop();
  }
}

/** Measures the complete, uncompressed responses of the overview and of searches. */
async function measureAnswers(url: string, cookie: string, rounds: number): Promise<Reading[]> {
  const readings: Reading[] = [];
  for (const [path, target] of answerPaths) {
    const values: number[] = [];
    let size = 0;
    // The first round is a warm-up.
    for (let round = -1; round < rounds; round++) {
      const started = performance.now();
      const answer = await fetch(url + path, { headers: { cookie } });
      if (!answer.ok) throw new Error(`GET ${path} returned status ${answer.status}.`);
      size = (await answer.arrayBuffer()).byteLength;
      if (round >= 0) values.push(performance.now() - started);
    }
    const work = `${path.replace("/api/admin", "GET ")}, ${Math.ceil(size / 1024)} KiB`;
    readings.push(readingOf(work, "ms", values, medianAtMost(target)));
  }
  return readings;
}
