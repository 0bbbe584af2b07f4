// npm run test:faults [-- --rounds N --agents N]: repeats every fault and the rolling upgrade of
// test/e2e/cluster under load.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { parseArgs } from "node:util";

/** More agents were never tried. The agents share one process with the load balancer. */
const mostAgents = 200;

const { rounds, agents } = parseArgs({
  options: {
    rounds: { type: "string", default: "30" },
    agents: { type: "string", default: "20" },
  },
}).values;
if (!/^[1-9]\d*$/.test(rounds)) throw new Error(`--rounds must be a whole number, not ${rounds}`);
if (!/^[1-9]\d*$/.test(agents) || Number(agents) > mostAgents) {
  throw new Error(`--agents must be a whole number up to ${mostAgents}, not ${agents}`);
}
const env = { ...process.env, FAULT_ROUNDS: rounds, FAULT_AGENTS: agents };
const files = ["faults", "upgrade"].map((name) => `test/e2e/cluster/${name}.test.ts`);
const words = ["run", "--no-file-parallelism", ...files];
const [status] = await once(spawn("vitest", words, { stdio: "inherit", env }), "exit");
process.exitCode = status ?? 1;
