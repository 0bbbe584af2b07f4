// npm run check: runs all checks at the same time. `npm test` also runs the tests beside them,
// because the tests leave a tenth of the processors' time idle.

import { exec, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";

const checks = ["style", "types", "layers", "words", "generated"];

/** A command that runs beside the checks, whose output follows its own. */
const [program, ...args] = process.argv.slice(2);

async function passes(): Promise<boolean> {
  if (program === undefined) return true;
  const [status] = await once(spawn(program, args, { stdio: "inherit" }), "exit");
  return status === 0;
}

const beside = passes();

// The TypeScript compiler ends before collecting its garbage is worthwhile.
const env = { GOGC: "off", GOMEMLIMIT: "2GiB", ...process.env };

async function check(name: string): Promise<boolean> {
  const command = `npm run -s check:${name}`;
  const maxBuffer = 2 ** 26;
  const ended = await promisify(exec)(command, { maxBuffer, env }).then(
    (said) => ({ ...said, isFine: true }),
    (error) => ({ stdout: "", stderr: String(error), ...error, isFine: false }),
  );
  await beside;
  process.stdout.write(ended.stdout);
  process.stderr.write(ended.stderr);
  if (!ended.isFine) console.error(`failed: ${command}`);
  return ended.isFine;
}

const results = await Promise.all([beside, ...checks.map(check)]);
if (results.includes(false)) process.exitCode = 1;
