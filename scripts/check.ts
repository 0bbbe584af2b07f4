// npm run check: runs all checks at the same time, and prints each one's output when it finishes.

import { exec } from "node:child_process";
import { promisify } from "node:util";

const checks = ["style", "types", "layers", "words", "generated"];

async function check(name: string): Promise<boolean> {
  const command = `npm run -s check:${name}`;
  const maxBuffer = 2 ** 26;
  const ended = await promisify(exec)(command, { maxBuffer }).then(
    (said) => ({ ...said, isFine: true }),
    (error) => ({ stdout: "", stderr: String(error), ...error, isFine: false }),
  );
  process.stdout.write(ended.stdout);
  process.stderr.write(ended.stderr);
  if (!ended.isFine) console.error(`failed: ${command}`);
  return ended.isFine;
}

const results = await Promise.all(checks.map(check));
if (results.includes(false)) process.exitCode = 1;
