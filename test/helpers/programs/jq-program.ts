// The program that own-program.ts puts on the PATH of scripts.

import { readFileSync } from "node:fs";
import { runJq } from "./jq-like.ts";

const { status, stdout, stderr } = await runJq(process.argv.slice(2), () =>
  readFileSync(0, "utf8"),
);
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = status;
