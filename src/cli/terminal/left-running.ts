import { CliError, exit } from "../exit.ts";

/**
 * The error if Ctrl-C ends only the wait. `effect` completes the message "this does not …", for
 * example `stop the rollout`. The values of `next` are commands, without `platformctl`, that the
 * user can run now, and its keys say what they do.
 */
export function leftRunning(
  effect: string,
  next: Record<string, string>,
  details: Record<string, string>,
): CliError {
  const width = 1 + Math.max(...Object.keys(next).map((what) => what.length));
  const lines = Object.entries(next).map(
    ([what, command]) => `\n  ${`${what}:`.padEnd(width)} platformctl ${command}`,
  );
  return new CliError(
    exit.interrupted,
    `interrupted, but this does not ${effect}.${lines.join("")}`,
    { code: "INTERRUPTED", details },
  );
}
