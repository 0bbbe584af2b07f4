// A long poll, for tests of what ends it and when.

import { type Answer, type RemoteAgent, type Server, send, until } from "../process/process.ts";

/**
 * Sends a poll and waits until the server holds it. `at` is the time of its response by performance.now(). `key` is a
 * viewer's.
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
  await until("the clock has moved on", () => Date.now() > before);
  const ended = agent
    .call("GET", "/commands?wait=30")
    .then((answer) => ({ answer, at: performance.now() }));
  await until("the poll is held", async () => (await lastSign()) > before);
  return { ended };
}
