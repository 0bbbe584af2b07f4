import { messageOf } from "../../connection/errors.ts";
import type { ConfigFile } from "../config/config-file.ts";
import { agentChecks } from "./agent-checks.ts";
import type { Check, CheckResult } from "./check.ts";
import { serviceChecks } from "./service-checks.ts";

const atOnce = 16;

export interface CheckRow extends CheckResult, Omit<Check, "run"> {
  tookMs: number;
}

/** The rows are in the order of the configuration. Rejects only with the signal's reason. */
export async function runChecks(
  file: ConfigFile,
  signal: AbortSignal,
  onProgress: (done: number, all: number) => void,
): Promise<CheckRow[]> {
  const { config, origin } = file;
  const checks = [
    ...agentChecks(file),
    ...config.services.flatMap((one) => serviceChecks(one, origin)),
  ];
  const rows: CheckRow[] = [];
  let done = 0;
  // The workers share this iterator, so each check runs once.
  const waiting = checks.entries();
  const work = async () => {
    for (const [at, check] of waiting) {
      rows[at] = await rowOf(check, signal);
      onProgress(++done, checks.length);
    }
  };
  onProgress(0, checks.length);
  await Promise.all(Array.from({ length: atOnce }, work));
  return rows;
}

async function rowOf({ service, what, run }: Check, signal: AbortSignal): Promise<CheckRow> {
  const startedAt = performance.now();
  const found = await run(signal).catch((error: unknown): CheckResult => {
    signal.throwIfAborted();
    return { state: "FAILURE", result: messageOf(error) };
  });
  return { service, what, ...found, tookMs: Math.round(performance.now() - startedAt) };
}
