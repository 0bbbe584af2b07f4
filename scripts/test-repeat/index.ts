// npm run test:repeat -- N [--load] [PATTERN…]: runs all tests, or the files that match the
// patterns, N times, and prints what failed in any run. Exits with 1 if anything failed.

import { join } from "node:path";
import { parseArgs } from "node:util";
import { startLoad } from "./load.ts";
import { minutesOf, runOnce, type TestRun } from "./run.ts";

const usage = "usage: npm run test:repeat -- N [--load] [PATTERN…]";

const { values, positionals } = parseArgs({
  options: { load: { type: "boolean", default: false } },
  allowPositionals: true,
});
const [times = "", ...patterns] = positionals;
if (!/^[1-9]\d*$/.test(times)) {
  console.error(`N must be a whole number from 1, not "${times}"; ${usage}`);
  process.exit(2);
}

const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stopping.abort());

const cwd = process.cwd();
const runs: TestRun[] = [];
const load = values.load ? startLoad(join(cwd, "node_modules")) : null;
try {
  while (runs.length < Number(times) && !stopping.signal.aborted) {
    const run = await runOnce(cwd, patterns, stopping.signal);
    if (stopping.signal.aborted) break;
    runs.push(run);
    console.log(`run ${runs.length} of ${times}: ${lineOf(run)}`);
    for (const { name } of run.failures) console.log(`  not green: ${name}`);
  }
} finally {
  await load?.end();
}
report();
if (stopping.signal.aborted) process.exitCode = 130;

function lineOf({ passed, failed, skipped, wallMs, cpuSeconds, failures }: TestRun): string {
  const others = failures.length - failed;
  return [
    `${passed} passed, ${failed} failed, ${skipped} skipped`,
    ...(others > 0 ? [`${others} other ${others === 1 ? "problem" : "problems"}`] : []),
    `${minutesOf(wallMs / 1000)} wall time`,
    `${minutesOf(cpuSeconds)} CPU time`,
  ].join(", ");
}

/** Prints each failure once, with its first output. */
function report(): void {
  const found = Map.groupBy(
    runs.flatMap((run) => run.failures),
    ({ name }) => name,
  );
  for (const [name, failures] of found) {
    console.log(`\n${name}: in ${failures.length} of ${runs.length} runs`);
    console.log(failures[0]?.output.trim().replaceAll(/^/gm, "  "));
  }
  if (found.size > 0) process.exitCode = 1;
  else if (runs.length > 0) console.log(`Green: ${runs.length} of ${runs.length} runs.`);
}
