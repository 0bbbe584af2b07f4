// How long the command line takes to start, beside a bare `node -e 0`: process after process in turn, so
// that whatever else the machine does meets all of them. Through bin/, as a person starts it.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import Table from "cli-table3";
import { median } from "./compare.ts";
import type { Subject } from "./subject.ts";

const platformctl = fileURLToPath(new URL("../../bin/platformctl", import.meta.url));
/** Not counted: they fill the cache of compiled sources. */
const warmups = 2;

interface Start {
  work: string;
  command: [string, ...string[]];
  /** In starts of bare Node; null where none is set. */
  target: number | null;
}

export interface Startup {
  work: string;
  /** Median of the rounds. */
  ms: number;
  /** Median of the rounds' own ratios to bare Node. */
  ratio: number;
  target: number | null;
}

export async function measureStartup(
  { port, databaseFile }: Subject,
  rounds: number,
  signal: AbortSignal,
): Promise<Startup[]> {
  const bare: Start = { work: "node -e 0", command: [process.execPath, "-e", "0"], target: null };
  const list = [platformctl, "agents", "list"] as const;
  const starts: Start[] = [
    bare,
    { work: "platformctl --version", command: [platformctl, "--version"], target: 1.5 },
    { work: "platformctl --help", command: [platformctl, "--help"], target: null },
    { work: "agents list --db", command: [...list, "--db", databaseFile], target: 3 },
    // Without a credential: refused, and as far as loading goes the same.
    {
      work: "agents list --server",
      command: [...list, "--server", `http://127.0.0.1:${port}`],
      target: null,
    },
    {
      work: "one Tab: commands",
      command: [platformctl, "__complete", "--", "agents", ""],
      target: null,
    },
  ];
  const took = starts.map((): number[] => []);
  for (let round = -warmups; round < rounds; round++) {
    for (const [i, { command }] of starts.entries()) {
      const ms = await timeOf(command, signal);
      if (round >= 0) took[i]?.push(ms);
    }
  }
  const bareMs = took[0] ?? [];
  return starts.map(({ work, target }, i) => {
    const own = took[i] ?? [];
    const ratios = own.map((ms, round) => ms / (bareMs[round] ?? Number.NaN));
    return { work, ms: median(own), ratio: median(ratios), target };
  });
}

export function formatStartups(startups: Startup[]): string {
  const table = new Table({
    head: ["start", "ms", "of bare", "target"],
    colAligns: ["left", "right", "right", "right"],
    style: { head: [], border: [], compact: true },
  });
  for (const { work, ms, ratio, target } of startups) {
    const judged =
      target === null ? "" : `${target.toFixed(1)} ${ratio <= target ? "met" : "missed"}`;
    table.push([work, ms.toFixed(0), ratio.toFixed(2), judged]);
  }
  return table.toString();
}

async function timeOf([program, ...args]: Start["command"], signal: AbortSignal): Promise<number> {
  const started = performance.now();
  const child = spawn(program, args, { stdio: "ignore", signal });
  await once(child, "exit");
  return performance.now() - started;
}
