// What `platform agent run` does on SIGHUP: it reads its file again, and says in its log what came of it.

import type { ConfigFile, Reloaded } from "../../../agent/sidecar/index.ts";
import type { Log } from "../../../lib/log.ts";
import { CliError } from "../../exit.ts";
import { printableLine } from "../../output/printable.ts";
import { readAgentFile } from "./agent-file.ts";

/**
 * Returns the function that reloads. It does not reject. Called again while the file is in use by one
 * call already, it reads the file once more afterwards, however often it was called.
 */
export function reloader(
  path: string,
  log: Log,
  use: (file: ConfigFile) => Promise<Reloaded>,
): () => Promise<void> {
  let isWanted = false;
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    while (isWanted) {
      isWanted = false;
      await reloadOnce(path, log, use);
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
  path: string,
  log: Log,
  use: (file: ConfigFile) => Promise<Reloaded>,
): Promise<void> {
  log.info({}, `SIGHUP: reading ${path} again`);
  try {
    const file = await readAgentFile(path);
    for (const warning of file.warnings) log.warn({}, printableLine(warning));
    sayReloaded(log, path, await use(file));
  } catch (error) {
    for (const problem of problemsOf(error)) log.error({}, printableLine(problem));
    log.error({}, `${path} is not used: the agent goes on with the configuration that it has`);
  }
}

function problemsOf(error: unknown): string[] {
  if (error instanceof CliError) {
    const { problems } = Object(error.details) as { problems?: string[] };
    if (problems) return problems;
  }
  return [error instanceof Error ? error.message : String(error)];
}

function sayReloaded(log: Log, path: string, reloaded: Reloaded): void {
  const { needsRestart, needsRegistration, ...used } = reloaded;
  const said = Object.entries(words)
    .map(([what, word]) => [word, used[what as keyof typeof used].join(", ")])
    .filter(([, names]) => names !== "")
    .map(([word, names]) => `${word} ${names}`);
  const what = said.length === 0 ? "nothing has changed" : said.join("; ");
  log.info(used, `${path} is in use: ${what}`);
  if (needsRestart.length > 0) {
    const fields = needsRestart.join(", ");
    log.warn({ needsRestart }, `${fields}: the new value is used after a restart of the agent`);
  }
  if (needsRegistration.length > 0) {
    const fields = needsRegistration.join(", ");
    log.warn({ needsRegistration }, `${fields}: the server is told when the agent registers anew`);
  }
}

const words = {
  added: "added services",
  removed: "removed services",
  changed: "changed services",
  applied: "changed",
};
