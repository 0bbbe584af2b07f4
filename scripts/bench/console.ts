// Measures the console with a large fleet. The results are medians, and unreliable on a busy
// machine.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { chromiumIn, unpackChromium } from "../../test/helpers/browser/chromium.ts";
import { buildConsole } from "../build/console.ts";
import { isStale } from "../build/console-sources.ts";
import { projectFolder } from "../build/project.ts";
import { signIn } from "../screenshots/fill.ts";
import { median } from "./compare.ts";
import { measureAnswers } from "./console-answers.ts";
import { measurePages } from "./console-pages.ts";
import { registerAgents } from "./fixtures.ts";
import { type FleetSize, insertLargeFleet } from "./large-fleet.ts";
import { createOwner, patient, startSubject } from "./subject.ts";
import { judged, tableOf } from "./table.ts";

export interface Figure {
  work: string;
  unit: "ms" | "KiB" | "MiB";
  /** The maximum; null if there is none. */
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
): Promise<Figure[]> {
  if (isStale(projectFolder)) await buildConsole(projectFolder, "best");
  const dataDir = join(folder, "console");
  mkdirSync(dataDir, { mode: 0o700 });
  const subject = await startSubject(dataDir, signal, patient);
  let browser: Browser | null = null;
  try {
    await createOwner(subject.databaseFile, owner.username, owner.password);
    insertLargeFleet(subject.databaseFile, fleetSize);
    const [agent] = await registerAgents(subject, 1);
    if (!agent) throw new Error("The fleet has no agent.");
    const url = `http://127.0.0.1:${subject.port}`;
    const { cookie } = await signIn(url, owner.username, owner.password);
    const answers = await measureAnswers(url, cookie, rounds);
    browser = await chromium.launch(chromiumIn(unpackChromium()));
    return [...answers, ...(await measurePages(browser, { url, cookie, agent }, rounds))];
  } finally {
    await browser?.close();
    await subject.stop();
  }
}

export function formatFigures(figures: Figure[]): string {
  const head = ["console", "", "median", "least", "most", "target"];
  const rows = figures.map(({ work, unit, target, values }) => {
    const numbers = [median(values), Math.min(...values), Math.max(...values)];
    return [
      work,
      unit,
      ...numbers.map((value) => value.toFixed(0)),
      judged(median(values), target),
    ];
  });
  const { agents, services, commands } = fleetSize;
  return `${tableOf(head, rows, 2)}\n${agents} agents, ${services} services, ${commands} commands in one day.`;
}
