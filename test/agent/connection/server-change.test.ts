// The configured URL differs from the one where the agent registered. The agent gives its token
// only to the same server, and never to another server or a relay.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { expect, test } from "vitest";
import type { AgentOptions } from "../../../src/agent/index.ts";
import { createHttpServer } from "../../../src/http/server.ts";
import { type ListeningApp, listenTestApp } from "../../helpers/http/http.ts";
import { listen, serveHttp } from "../../helpers/http/listen.ts";
import { startProxy } from "../../helpers/http/proxy.ts";
import {
  makeAgent,
  registrationToken,
  serviceWith,
  startAgain,
  startAgent,
  wireTo,
} from "../harness.ts";

const named = "http://agents.example";

/** Returns the state folder of a stopped agent, with the token that the server issued. */
async function registered(server: ListeningApp) {
  const { agent, stateDir } = await startAgent(server, serviceWith({}));
  const { agentId } = agent;
  await agent.stop();
  const identity = () => JSON.parse(readFileSync(join(stateDir, "token.json"), "utf8"));
  return { agentId, stateDir, token: identity().agentToken as string, identity };
}

test.each<
  [string, Record<string, string>, (server: ListeningApp) => Promise<Pick<AgentOptions, "server">>]
>([
  [
    "if the same server moves to another port",
    {},
    async ({ app }) => {
      const other = createHttpServer(app.httpOptions);
      return { server: `http://127.0.0.1:${await listen(other.server)}` };
    },
  ],
  ["behind a proxy that sets the server's PUBLIC_URL", { PUBLIC_URL: named }, behindProxy],
])("an agent keeps its identity %s", async (_, env, moveTo) => {
  const server = await listenTestApp(env);
  const options = await moveTo(server);
  const { agentId, stateDir, token, identity } = await registered(server);
  const moved = await startAgain({ ...options, stateDir, services: serviceWith({}) });
  expect(moved.agent.agentId).toBe(agentId);
  await moved.event("server.moved");
  expect(identity()).toMatchObject({ server: options.server, agentToken: token });
});

async function behindProxy({ port }: ListeningApp) {
  const proxy = await startProxy(port);
  return { server: named, proxy: proxy.url };
}

/** A foreign server that relays calls to the server that issued the token. */
async function startRelay(server: ListeningApp, changed: (body: object) => object) {
  const seen: string[] = [];
  const url = await serveHttp(async (request, response) => {
    const text = await textOf(request);
    seen.push(JSON.stringify(request.headers), text);
    const body = JSON.stringify(changed(JSON.parse(text)));
    const answer = await server.request("POST", request.url ?? "", { body: JSON.parse(body) });
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(JSON.stringify(answer.body));
  });
  return { url, port: Number(new URL(url).port), seen };
}

test("a relay gets no token, whether it forwards the check unchanged or with a URL of the server", async () => {
  const server = await listenTestApp({ PUBLIC_URL: named });
  const { stateDir, token } = await registered(server);
  for (const [change, told] of [
    [{}, "If PLATFORM_ALLOWED_HOSTS is set, or the server listens on a loopback"],
    [{ server: server.url }, "does not know it"],
    [{ server: named }, "does not know it"],
  ] as const) {
    const relay = await startRelay(server, (body) => ({ ...body, ...change }));
    const lost = makeAgent({ server: relay.url, stateDir, services: [] });
    await expect(lost.agent.start()).rejects.toMatchObject({
      code: "REGISTRATION_TOKEN_MISSING",
      message: expect.stringContaining(told),
    });
    await lost.agent.stop();
    expect(relay.seen.join()).toContain("nonce");
    expect(relay.seen.join()).not.toContain(token);
  }
});

test("a refused registration also says why the previous token is not used", async () => {
  const server = await listenTestApp();
  const spent = await registrationToken(server);
  const { agent, stateDir } = await startAgent(server, [], { registrationToken: spent });
  await agent.stop();
  const wire = await wireTo(server);
  const moved = { server: wire.url, registrationToken: spent, stateDir, services: [] };
  const reason =
    /does not accept that URL as its own.* The server refused the registration: .*used/;
  await expect(makeAgent(moved).agent.start()).rejects.toThrow(reason);
});
