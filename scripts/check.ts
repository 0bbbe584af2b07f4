// npm run check: runs all checks at the same time. `npm test` also runs the tests beside them,
// because the tests leave a tenth of the processors' time idle.

import { exec, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

const checks = ["style", "types", "layers", "tests", "words", "texts", "generated"];

/** A command to run beside the checks. The checks' output is printed when the command has ended. */
const [program, ...args] = process.argv.slice(2);

async function passes(): Promise<boolean> {
  if (program === undefined) return true;
  const [status] = await once(spawn(program, args, { stdio: "inherit" }), "exit");
  return status === 0;
}

const beside = passes();

const root = join(import.meta.dirname, "..");
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const bin = join(root, "node_modules/.bin");

// The TypeScript compiler ends before garbage collection would pay off.
const go = { GOGC: "off", GOMEMLIMIT: "2GiB" };
const env = { ...go, ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };

/** Runs a script of package.json without npm, which takes a fifth of a second of CPU to start. */
async function check(name: string): Promise<boolean> {
  const options = { cwd: root, maxBuffer: 2 ** 26, env };
  const ended = await promisify(exec)(scripts[`check:${name}`], options).then(
    (said) => ({ ...said, isFine: true }),
    (error) => ({ stdout: "", stderr: String(error), ...error, isFine: false }),
  );
  await beside;
  process.stdout.write(ended.stdout);
  process.stderr.write(ended.stderr);
  if (!ended.isFine) console.error(`failed: npm run check:${name}`);
  return ended.isFine;
}

const results = await Promise.all([beside, ...checks.map(check)]);
if (results.includes(false)) process.exitCode = 1;
