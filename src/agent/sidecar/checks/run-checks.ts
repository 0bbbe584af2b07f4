import { Slots } from "../../../lib/slots.ts";
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
  let done = 0;
  const run = async (check: Check) => {
    const row = await rowOf(check, signal);
    onProgress(++done, checks.length);
    return row;
  };
  onProgress(0, checks.length);
  const slots = new Slots(atOnce);
  return Promise.all(checks.map((check) => slots.run(() => run(check))));
}

async function rowOf({ service, what, run }: Check, signal: AbortSignal): Promise<CheckRow> {
  const startedAt = performance.now();
  const found = await run(signal).catch((error: unknown): CheckResult => {
    signal.throwIfAborted();
    return { state: "FAILURE", result: messageOf(error) };
  });
  return { service, what, ...found, tookMs: Math.round(performance.now() - startedAt) };
}
