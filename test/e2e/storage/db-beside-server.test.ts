// Tests that changes by `platformctl … --db FILE` take effect in a server at once, and that the
// server serves clients meanwhile. `npm run test:long` checks that this takes at most 100 ms,
// measured from the time of the audit row, which is slightly before its commit.

import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { cli } from "../../cli/world.ts";
import { perFile } from "../../helpers/lifetime.ts";
import { createKey, operatorOf } from "../../helpers/process/operator.ts";
import {
  type RemoteAgent,
  registerAgent,
  send,
  startServer,
  until,
} from "../../helpers/process/process.ts";
import { notebook } from "../../helpers/process/watcher.ts";
import { isLong, size } from "../../helpers/size.ts";

const admin = "/api/admin";
const rounds = size(1, 5);

const opened = perFile(async () => {
  const server = await startServer();
  const key = await createKey(server);
  return {
    server,
    key,
    ask: (method: string, path: string, body?: unknown) =>
      send(server.url, method, admin + path, { bearer: key, body }),
    run: async (words: string[]) => {
      const ran = await cli([...words, "--db", server.file]);
      expect(ran).toMatchObject({ status: 0 });
      return ran.stdout.trim();
    },
  };
});

interface Stage {
  agent: RemoteAgent;
  code: string;
}

/** The server's response, and the time of its arrival in Unix milliseconds. */
type Outcome = Promise<{ brought: unknown; at: number }>;

interface Act {
  name: string;
  /** The action of the command's audit row. */
  action: string;
  /** Sends a call that the command must end. Returns the command and the outcome of the call. */
  hold: (stage: Stage) => Promise<{ words: string[]; outcome: Outcome }>;
  brings: unknown;
  /** The response to the agent's next call, if it is refused. */
  refuses?: { status: number };
}

const acts: Act[] = [
  {
    name: "a revoked token",
    action: "agent.token.revoked",
    hold: (stage) => pollBefore(stage, ["agents", "revoke-token", stage.code, "--yes"]),
    brings: { status: 401, code: "UNAUTHORIZED", commands: undefined },
    refuses: { status: 401 },
  },
  {
    name: "a disabled agent",
    action: "agent.disabled",
    hold: (stage) => pollBefore(stage, ["agents", "disable", stage.code]),
    brings: { status: 403, code: "AGENT_DISABLED", commands: undefined },
    refuses: { status: 403 },
  },
  {
    name: "a started action",
    action: "command.created",
    hold: (stage) => pollBefore(stage, greet(stage.code)),
    brings: { status: 200, code: undefined, commands: ["greet"] },
  },
  {
    name: "a cancelled command",
    action: "command.cancelled",
    async hold({ agent, code }) {
      const { ask, run } = opened();
      const id = await run([...greet(code), "-o", "name"]);
      await agent.call("GET", "/commands?wait=1");
      const outcome = ask("GET", `/commands/${id}?wait=60`).then(async ({ body }) => {
        const at = Date.now();
        const result = { success: true, output: {} };
        const late = await agent.call("POST", `/commands/${id}/result`, result);
        return { brought: [body.data.status, late.body.error.code], at };
      });
      return { words: ["commands", "cancel", id], outcome };
    },
    brings: ["CANCELLED", "COMMAND_ALREADY_COMPLETED"],
  },
  {
    name: "a new registration token, in the live stream",
    action: "registration_token.created",
    async hold({ code: name }) {
      const { server, key } = opened();
      const url = `${server.url.replace("http", "ws")}/api/admin/stream`;
      const socket = new WebSocket(url, { headers: { authorization: `Bearer ${key}` } });
      onTestFinished(() => socket.terminate());
      const told = notebook();
      socket.on("message", (data) => told.note(data as Buffer));
      await once(socket, "open");
      const event = told.until("audit", ({ metadata }) => metadata.name === name);
      const outcome = event.then(({ actorType }) => ({ brought: actorType, at: Date.now() }));
      return { words: ["tokens", "create", "--name", name], outcome };
    },
    brings: "LOCAL",
  },
];

// Without the change, a call would wait for a minute, longer than the test's time limit.
test.each(acts)("$name takes effect at once", async (act) => {
  const { server, ask, run } = opened();
  const took: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const code = `${act.action.replaceAll(".", "-")}-${round}`;
    const { token } = (await ask("POST", "/registration-tokens")).body.data;
    const actions = [{ name: "greet", inputSchema: { type: "object" } }];
    const agent = await registerAgent(server.url, token, code, [
      { code: `service-${code}`, name: code, version: "1.0.0", healthStatus: "UP", actions },
    ]);
    const { words, outcome } = await act.hold({ agent, code });
    await run(words);
    if (act.refuses) {
      expect(await agent.call("POST", "/heartbeat", {})).toMatchObject(act.refuses);
    }
    const { brought, at } = await outcome;
    expect(brought).toEqual(act.brings);
    const path = `/audit-events?action=${act.action}&pageSize=1`;
    const [row] = (await ask("GET", path)).body.data;
    expect(row.actorType).toBe("LOCAL");
    took.push(at - Date.parse(row.at));
  }
  if (!isLong) return;
  const least = Math.min(...took);
  const most = Math.max(...took);
  console.log(`${act.name}: ${least} to ${most} ms after it was written`);
  // A response cannot arrive before the change that causes it.
  expect(least).toBeGreaterThan(-5);
  // Other programs can delay some of the rounds.
  expect(least).toBeLessThanOrEqual(100);
  expect(most).toBeLessThanOrEqual(5000);
});

test("every client gets a response while another process makes many writes on the file", async () => {
  const { server, key } = opened();
  const client = await operatorOf(server);
  const refused: unknown[] = [];
  let served = 0;
  let ended = false;
  const request = async (path: string, body: unknown, bearer?: string) => {
    const answer = await send(server.url, "POST", path, { body, ...(bearer ? { bearer } : {}) });
    if (answer.status === 201) served++;
    else refused.push(answer.body.error);
    return answer.body.data;
  };
  const load = Array.from({ length: 8 }, async (_, worker) => {
    for (let turn = 0; !ended; turn++) {
      const invitation = await request(`${admin}/registration-tokens`, {}, key);
      if (!invitation) continue;
      const agent = { code: `load-${worker}-${turn}`, mode: "sidecar" };
      await request("/api/agents/register", { registrationToken: invitation.token, agent });
    }
  });
  await until("the load runs", () => served > 20);
  for (let turn = 0; turn < size(30, 100); turn++) {
    await client.call("registration-tokens.create", { body: { name: `file ${turn}` } });
  }
  ended = true;
  await Promise.all(load);
  expect(refused).toEqual([]);
});

function greet(code: string): string[] {
  return ["actions", "run", `service-${code}`, "greet", "--payload={}", "--detach"];
}

/** Starts the agent's long poll, and returns once it waits. */
async function pollBefore({ agent }: Stage, words: string[]) {
  const { ask } = opened();
  const heldPolls = async () => (await ask("GET", "/diagnostics")).body.data.queues.heldPolls;
  const before = await heldPolls();
  const outcome = agent.call("GET", "/commands?wait=60").then(({ status, body }) => {
    const commands = body.data?.commands.map(({ action }: { action: string }) => action);
    return { brought: { status, code: body.error?.code, commands }, at: Date.now() };
  });
  await until("the poll waits", async () => (await heldPolls()) > before);
  return { words, outcome };
}
