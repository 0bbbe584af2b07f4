// Measures the console with a large fleet. The results are unreliable on a busy machine.

import { mkdirSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { chromiumIn, unpackChromium } from "../../test/helpers/browser/chromium.ts";
import { buildConsole } from "../build/console.ts";
import { isStale } from "../build/console-sources.ts";
import { projectFolder } from "../build/project.ts";
import { signIn } from "../screenshots/fill.ts";
import { measureAnswers } from "./console-answers.ts";
import { measurePages } from "./console-pages.ts";
import { registerAgents } from "./fixtures.ts";
import { type FleetSize, insertLargeFleet } from "./large-fleet.ts";
import { type Measurement, readingOf } from "./readings.ts";
import { createKey, patient, startSubject } from "./subject.ts";

export interface Figure {
  work: string;
  unit: "ms" | "KiB" | "MiB";
  /** The median must be at most this; null if there is no target. */
  target: number | null;
  values: number[];
}

export const fleetSize: FleetSize = {
  agents: 10_000,
  services: 2_000,
  servicesPerAgent: 4,
  commands: 20_000,
  days: 1,
};

const owner = { username: "bench", password: "a-password-for-benches" };

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
      readings: [...answers, ...pages].map(({ work, unit, values, target }) =>
        readingOf(work, unit, values, target === null ? null : { figure: "p50", limit: target }),
      ),
      processors: {},
    };
  } finally {
    await browser?.close();
    await subject.stop();
  }
}
