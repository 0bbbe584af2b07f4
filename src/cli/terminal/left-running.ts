import { CliError, exit } from "../exit.ts";

/**
 * The error if Ctrl-C only ends the wait. `effect` is what Ctrl-C does not do, and `next` has the
 * commands that the user can run now, by what they do.
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
