// Sends heartbeats until standard input ends, and prints their statistics as JSON. Runs as its own
// process, so that the attack does not delay it. Arguments: URL, token, pause in ms.

import { Agent, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

const [, , url = "", token = "", pauseMs = "20"] = process.argv;
/** The durations of successful heartbeats, in milliseconds. */
const took: number[] = [];
/** The number of each status other than 200, and of each connection error code. */
const failures: Record<string, number> = {};
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let ended = false;
process.stdin.resume().on("end", () => {
  ended = true;
});

function beat(): Promise<string> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const path = `${url}/api/agents/heartbeat`;
    const sent = request(path, { method: "POST", agent, headers }, (answer) => {
      answer.resume().on("end", () => resolve(String(answer.statusCode)));
    });
    sent.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    sent.end("{}");
  });
}

process.stdout.write("ready\n");
while (!ended) {
  const before = performance.now();
  const outcome = await beat();
  if (outcome === "200") took.push(performance.now() - before);
  else failures[outcome] = (failures[outcome] ?? 0) + 1;
  await pause(Number(pauseMs));
}
agent.destroy();
process.stdout.write(`${JSON.stringify({ took, failures })}\n`);
