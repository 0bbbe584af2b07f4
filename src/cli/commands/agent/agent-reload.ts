// Handles SIGHUP for `platform agent run`: reads its file again, and logs the result.

import type { ConfigFile, Reloaded } from "../../../agent/sidecar/index.ts";
import type { Log } from "../../../lib/log.ts";
import { CliError } from "../../exit.ts";
import { printableLine } from "../../output/printable.ts";
import type { Io } from "../../terminal/io.ts";
import { readAgentFile } from "./agent-file.ts";

/** The returned function never rejects. Calls during a reload cause one more reload. */
export function reloader(
  io: Io,
  path: string,
  log: Log,
  use: (file: ConfigFile) => Promise<Reloaded>,
): () => Promise<void> {
  let isWanted = false;
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    while (isWanted) {
      isWanted = false;
      await reloadOnce(io, path, log, use);
    }
    running = null;
  }
  return () => {
    isWanted = true;
    running ??= run();
    return running;
  };
}

async function reloadOnce(
  io: Io,
  path: string,
  log: Log,
  use: (file: ConfigFile) => Promise<Reloaded>,
): Promise<void> {
  log.info({}, `SIGHUP: reading ${path} again`);
  try {
    const file = await readAgentFile(io, path);
    for (const warning of file.warnings) log.warn({}, printableLine(warning));
    logReloaded(log, path, await use(file));
  } catch (error) {
    for (const problem of problemsOf(error)) log.error({}, printableLine(problem));
    log.error({}, `${path} is not used: the agent keeps its current configuration`);
  }
}

function problemsOf(error: unknown): string[] {
  if (error instanceof CliError) {
    const { problems } = Object(error.details) as { problems?: string[] };
    if (problems) return problems;
  }
  return [error instanceof Error ? error.message : String(error)];
}

function logReloaded(log: Log, path: string, reloaded: Reloaded): void {
  const { needsRestart, needsRegistration, ...used } = reloaded;
  const changes = Object.entries(words)
    .map(([what, word]) => [word, used[what as keyof typeof used].join(", ")])
    .filter(([, names]) => names !== "")
    .map(([word, names]) => `${word} ${names}`);
  log.info(used, `${path} is in use: ${changes.join("; ") || "nothing has changed"}`);
  const later = { needsRestart, needsRegistration };
  for (const [need, fields] of Object.entries(later).filter(([, { length }]) => length > 0)) {
    log.warn({ [need]: fields }, `${fields.join(", ")}: ${effects[need as keyof typeof later]}`);
  }
}

const effects = {
  needsRestart: "the new value takes effect after a restart of the agent",
  needsRegistration: "the server learns the new value when the agent registers again",
};

const words = {
  added: "added services",
  removed: "removed services",
  changed: "changed services",
  applied: "changed",
};
