// Sends heartbeats on one connection until its standard input ends, and then prints how long each took, as JSON. A
// separate process, so that the work of the attacker does not delay it. Arguments: the server's URL, the agent's token,
// the pause between heartbeats in ms.

import { Agent, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

const [, , url = "", token = "", pauseMs = "20"] = process.argv;
/** In milliseconds. */
const took: number[] = [];
/** Statuses other than 200, and the error codes of failed connections. */
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
