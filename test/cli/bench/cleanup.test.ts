// Tests what `platform bench --clean` deletes, in every state that a killed run can leave.

import { expect, test } from "vitest";
import { cleanUp, findLeftovers } from "../../../src/cli/commands/bench/cleanup.ts";
import {
  actionNames,
  agentCode,
  benchLabel,
  reportedService,
  tokenName,
} from "../../../src/cli/commands/bench/load/names.ts";
import { openTestApp, type TestApp } from "../../helpers/app.ts";

const label = { [benchLabel.key]: benchLabel.value };
const options = { run: null, requestsPerSecond: null };

test("everything of a bench is deleted, whatever its state, and nothing else", async () => {
  const app = await openTestApp();
  const { call } = app.as("owner");
  await register(app, "aaaaaaaa", 1);
  const offline = await register(app, "aaaaaaaa", 2);
  await offline.call("agent.offline");
  const working = await register(app, "bbbbbbbb", 1);
  await openCommand(app, agentCode("bbbbbbbb", 1));
  await working.call("agent.poll", { query: { wait: 0 } });
  const waiting = await register(app, "bbbbbbbb", 2);
  await openCommand(app, agentCode("bbbbbbbb", 2));
  await waiting.call("agent.offline");
  await call("registration-tokens.create", {
    body: { name: tokenName("bbbbbbbb"), agentCode: agentCode("bbbbbbbb", 3) },
  });

  // Each of these objects has only some of the marks of a bench.
  await registerAs(app, "edge-1", "platform bench aaaaaaaa", label);
  await registerAs(app, agentCode("aaaaaaaa", 9), "night shift", {});
  await call("registration-tokens.create", {
    body: { name: tokenName("aaaaaaaa"), agentCode: "edge-*" },
  });

  const progress: [number, number][] = [];
  const onProgress = (done: number, all: number) => void progress.push([done, all]);
  expect(await cleanUp(app.as("operator"), { ...options, onProgress })).toEqual({
    agents: 4,
    registrationTokens: 5,
  });
  expect(progress).toHaveLength(9);
  expect(progress.at(-1)).toEqual([9, 9]);
  const agents = await call("agents.list");
  expect(agents.map(({ code }) => code).sort()).toEqual([agentCode("aaaaaaaa", 9), "edge-1"]);
  const tokens = await call("registration-tokens.list");
  expect(tokens.map(({ agentCode }) => agentCode)).toEqual([
    "edge-*",
    agentCode("aaaaaaaa", 9),
    "edge-1",
  ]);
  const commands = await call("commands.list", { query: { status: ["CANCELLED"] } });
  expect(commands).toHaveLength(2);
});

test("the end of a run deletes only that run", async () => {
  const app = await openTestApp();
  await register(app, "aaaaaaaa", 1);
  await register(app, "bbbbbbbb", 1);
  const client = app.as("operator");
  const limited = { run: "aaaaaaaa", requestsPerSecond: 1000, onProgress: () => undefined };
  expect(await cleanUp(client, limited)).toEqual({ agents: 1, registrationTokens: 1 });
  const { agents, tokens } = await findLeftovers(client, null);
  expect(agents.map(({ code }) => code)).toEqual([agentCode("bbbbbbbb", 1)]);
  expect(tokens).toHaveLength(1);
});

function register(app: TestApp, run: string, number: number) {
  return registerAs(app, agentCode(run, number), tokenName(run), label);
}

/** Registers an agent with a service of the same code. */
async function registerAs(app: TestApp, code: string, name: string, labels: object) {
  const { token: registrationToken } = await app
    .as("operator")
    .call("registration-tokens.create", { body: { name, agentCode: code } });
  const { agentToken } = await app.asPrincipal({ kind: "anonymous" }).call("agent.register", {
    body: {
      registrationToken,
      agent: { code, mode: "bench", labels: labels as typeof label },
      services: [{ code, ...reportedService }],
    },
  });
  const principal = await app.app.core.credentials.agent(agentToken);
  if (!principal) throw new Error(`${code} has no token`);
  return app.asPrincipal(principal);
}

async function openCommand(app: TestApp, code: string): Promise<void> {
  const { call } = app.as("operator");
  const services = await call("services.list", { query: { q: code } });
  await call("actions.execute", {
    params: { serviceId: services[0]?.id ?? "", actionName: actionNames.plain },
    body: {},
  });
}
