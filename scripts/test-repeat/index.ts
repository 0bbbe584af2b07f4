// npm run test:repeat -- N [--load] [--slow-browser] [PATTERN…]: runs all tests, or the files that
// match the patterns, N times. Prints the details of each problem once, and at the end how many
// runs had it. Exits with 1 if there was any.

import { join } from "node:path";
import { parseArgs } from "node:util";
import { startLoad } from "./load.ts";
import { runOnce } from "./run.ts";

const usage = "usage: npm run test:repeat -- N [--load] [--slow-browser] [PATTERN…]";

const { values, positionals } = parseArgs({
  options: {
    load: { type: "boolean", default: false },
    "slow-browser": { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const [times = "", ...patterns] = positionals;
if (!/^[1-9]\d*$/.test(times)) {
  console.error(`N must be a whole number from 1, not "${times}"; ${usage}`);
  process.exit(2);
}

// test/helpers/browser/browser.ts then slows all pages down.
if (values["slow-browser"]) process.env.SLOW_BROWSER = "1";

const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stopping.abort());

const cwd = process.cwd();
/** In how many runs each problem was. */
const counts = new Map<string, number>();
let done = 0;
const load = values.load ? startLoad(join(cwd, "node_modules")) : null;
try {
  while (done < Number(times)) {
    const { tests, wallMs, cpuSeconds, problems, output } = await runOnce(
      cwd,
      patterns,
      stopping.signal,
    );
    if (stopping.signal.aborted) break;
    done++;
    const took = `${Math.round(wallMs / 1000)} s, ${Math.round(cpuSeconds)} s of CPU time`;
    console.log(`run ${done} of ${times}: ${tests}, ${took}`);
    for (const problem of problems) console.log(`  not green: ${problem}`);
    if (problems.some((problem) => !counts.has(problem))) console.log(`\n${output}`);
    for (const problem of problems) counts.set(problem, (counts.get(problem) ?? 0) + 1);
  }
} finally {
  await load?.end();
}
for (const [problem, count] of counts) console.log(`${problem}: in ${count} of ${done} runs`);
if (counts.size > 0) process.exitCode = 1;
else if (done > 0) console.log(`Green: ${done} of ${done} runs.`);
if (stopping.signal.aborted) process.exitCode = 130;
