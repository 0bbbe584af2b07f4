// Kills the server under load: after a restart, everything that it had confirmed is there
// (docs/decisions/0006-command-delivery.md), and each token has registered one agent.

import { join } from "node:path";
import { expect, test } from "vitest";
import { hashToken } from "../../../src/core/access/credentials.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { serveInProcess } from "../../helpers/in-process-server.ts";
import { createKey } from "../../helpers/process/operator.ts";
import { callAs, type Server, send, startServer, until } from "../../helpers/process/process.ts";
import { rowsIn } from "../../helpers/process/rows.ts";
import { size } from "../../helpers/size.ts";

const rounds = size(1, 2);
const workers = 6;
/** In each round, the server is killed after this many registrations and results. */
const enough = { registrations: 20, results: 20 };

/** What the server has confirmed to clients in all rounds. */
class Ledger {
  /** The agents by code. */
  readonly registrations = new Map<string, { agentId: string; agentToken: string }>();
  /** The agents by registration token. */
  readonly uses = new Map<string, string>();
  readonly commands = new Set<string>();
  readonly results = new Map<string, string>();
  /** The number of deliveries by command. */
  readonly deliveries = new Map<string, number>();
  /** Unexpected responses. */
  readonly strange: unknown[] = [];
}

test("kill -9 under load loses nothing that was confirmed", async () => {
  const dataDir = join(temporaryFolder(), "data");
  const ledger = new Ledger();
  const file = join(dataDir, "platform.db");
  let key = "";
  for (let round = 1; round <= rounds; round++) {
    const server = await startServer({ dataDir });
    key ||= await createKey(server);
    const before = { registrations: ledger.registrations.size, results: ledger.results.size };
    const load = Array.from({ length: workers }, (_, worker) => [
      keepRegistering(server, key, ledger, `r${round}-w${worker}`),
      keepExecuting(server, key, ledger, `r${round}-s${worker}`),
    ]).flat();
    const isEnough = () =>
      ledger.registrations.size - before.registrations >= enough.registrations &&
      ledger.results.size - before.results >= enough.results;
    // The load ends before the server is killed only if it fails.
    const working = Promise.all(load);
    await Promise.race([until("enough has been confirmed", isEnough), working]);
    await server.kill();
    await working;

    checkFile(file, ledger);
    console.log(
      `round ${round}: ${ledger.registrations.size} registrations, ${ledger.commands.size} commands ` +
        `and ${ledger.results.size} results answered`,
    );
  }
  const { url } = await serveInProcess({ DATA_DIR: dataDir });
  await checkAnswered(url, key, ledger);
  checkFile(file, ledger);
  expect(ledger.strange).toEqual([]);
  expect([...ledger.deliveries.values()].filter((count) => count > 1)).toEqual([]);
});

/** Registers agents until the server is gone. */
async function keepRegistering(server: Server, key: string, ledger: Ledger, name: string) {
  await untilGone(async (turn) => {
    await register(server, await invite(server, key), `${name}-${turn}`, ledger);
  });
}

/** Runs an action and reports its result until the server is gone. */
async function keepExecuting(server: Server, key: string, ledger: Ledger, code: string) {
  await untilGone(async () => {
    const token = await invite(server, key);
    const services = [
      { code, name: code, version: "1", healthStatus: "UP", actions: [{ name: "go" }] },
    ];
    const agent = await register(server, token, code, ledger, services);
    const { data } = await ask(server, "GET", `/api/admin/capsule-services?q=${code}`, key);
    const path = `/api/admin/capsule-services/${data[0].id}/actions/go`;
    await untilGone(async (turn) => {
      const executed = await ask(server, "POST", path, key, { payload: { turn } });
      ledger.commands.add(executed.data.command.id);
      const polled = await ask(server, "GET", "/api/agents/commands?wait=5", agent.agentToken);
      for (const { id } of polled.data.commands) {
        ledger.deliveries.set(id, (ledger.deliveries.get(id) ?? 0) + 1);
        const output = `done ${turn}`;
        const result = { success: true, output };
        const resultPath = `/api/agents/commands/${id}/result`;
        await ask(server, "POST", resultPath, agent.agentToken, result);
        ledger.results.set(id, output);
      }
    });
    throw new Gone();
  });
}

async function invite(server: Server, key: string): Promise<string> {
  return (await ask(server, "POST", "/api/admin/registration-tokens", key, {})).data.token;
}

async function register(
  server: Server,
  registrationToken: string,
  code: string,
  ledger: Ledger,
  services: unknown[] = [],
) {
  const body = { registrationToken, agent: { code, mode: "sidecar" }, services };
  const answer = await sendOrGone(server, "POST", "/api/agents/register", { body });
  if (answer.status === 201) {
    ledger.registrations.set(code, answer.body.data);
    ledger.uses.set(hashToken(registrationToken), answer.body.data.agentId);
  } else {
    ledger.strange.push(answer.body);
  }
  return answer.body.data;
}

/** Checks that the server still knows every confirmed agent, command and result. */
async function checkAnswered(url: string, key: string, ledger: Ledger) {
  const missing: string[] = [];
  for (const [code, { agentToken }] of ledger.registrations) {
    const { status } = await callAs(url, agentToken)("POST", "/heartbeat", {});
    if (status !== 200) missing.push(`agent ${code}: ${status}`);
  }
  for (const id of ledger.commands) {
    const path = `/api/admin/commands/${id}`;
    const { status, body } = await send(url, "GET", path, { bearer: key });
    const output = ledger.results.get(id);
    if (status !== 200) missing.push(`command ${id}: ${status}`);
    else if (output !== undefined && body.data.result?.output !== output) {
      missing.push(`result of ${id}: ${body.data.status}`);
    }
  }
  expect(missing).toEqual([]);
}

const tokenUsers = "SELECT token_hash, used_by_agent_id FROM registration_tokens";

const tokensUsedTwice = `SELECT registration_token_id FROM agent_tokens
  GROUP BY registration_token_id HAVING COUNT(*) > 1`;

/** Checks that the file is sound, each token has one agent, and the audit trail has no gaps. */
function checkFile(file: string, { uses }: Ledger) {
  expect(rowsIn(file, "PRAGMA integrity_check")).toEqual([["ok"]]);
  expect(rowsIn(file, "PRAGMA foreign_key_check")).toEqual([]);
  expect(rowsIn(file, tokensUsedTwice)).toEqual([]);
  const users = new Map(rowsIn<[string, string | null]>(file, tokenUsers));
  expect([...uses].filter(([token, agentId]) => users.get(token) !== agentId)).toEqual([]);
  const sequence = rowsIn(file, "SELECT seq FROM audit_events ORDER BY seq").flat();
  expect(sequence).toEqual(sequence.map((_, index) => index + 1));
}

/** Thrown when the server no longer responds. */
class Gone extends Error {}

async function untilGone(work: (turn: number) => Promise<unknown>): Promise<void> {
  try {
    for (let turn = 0; ; turn++) await work(turn);
  } catch (error) {
    if (!(error instanceof Gone)) throw error;
  }
}

async function ask(server: Server, method: string, path: string, bearer: string, body?: unknown) {
  const answer = await sendOrGone(server, method, path, { bearer, body });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

async function sendOrGone(
  server: Server,
  method: string,
  path: string,
  options: { bearer?: string; body?: unknown },
) {
  return send(server.url, method, path, options).catch((error: unknown) => {
    throw new Gone("no answer", { cause: error });
  });
}
