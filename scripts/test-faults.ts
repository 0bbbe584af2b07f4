// npm run test:faults [-- --rounds N]: repeats every fault of test/e2e/cluster under load.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { parseArgs } from "node:util";

const { rounds } = parseArgs({ options: { rounds: { type: "string", default: "30" } } }).values;
if (!/^[1-9]\d*$/.test(rounds)) throw new Error(`--rounds must be a whole number, not ${rounds}`);
const env = { ...process.env, FAULT_ROUNDS: rounds };
const words = ["run", "test/e2e/cluster/faults.test.ts"];
const [status] = await once(spawn("vitest", words, { stdio: "inherit", env }), "exit");
process.exitCode = status ?? 1;
