// Starts a long poll, so that a test can see what ends the wait and when.

import { type Answer, type RemoteAgent, type Server, send, until } from "../process/process.ts";

/**
 * Waits until the server has received the poll. `at` is the response's time by performance.now().
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
    .call("GET", "/commands?wait=60")
    .then((answer) => ({ answer, at: performance.now() }));
  await until("the poll waits", async () => (await lastSign()) > before);
  return { ended };
}
