// A waiting long poll, with which a test can see what ends the wait and when.

import { type Answer, type RemoteAgent, type Server, send, until } from "../process/process.ts";

/**
 * Sends a long poll and waits until the server has received it. `at` is the time of its response,
 * by performance.now(). `key` is an API key with the viewer role.
 */
export async function holdPoll(
  server: Server,
  agent: RemoteAgent,
  key: string,
): Promise<{ ended: Promise<{ answer: Answer; at: number }> }> {
  const lastSign = async () => {
    const answer = await send(server.url, "GET", `/api/admin/agents/${agent.agentId}`, {
      bearer: key,
    });
    return Date.parse(answer.body.data.lastHeartbeatAt);
  };
  const before = await lastSign();
  await until("the clock has advanced", () => Date.now() > before);
  const ended = agent
    .call("GET", "/commands?wait=30")
    .then((answer) => ({ answer, at: performance.now() }));
  await until("the poll waits", async () => (await lastSign()) > before);
  return { ended };
}
