// Sidecars with many services, whose action calls this process. This process counts the executions,
// so a test knows of each one, whatever happens to the server.

import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { type Client, createClient } from "../../../src/client/client.ts";
import { httpTransport } from "../../../src/client/transport-http.ts";
import { serveHttp } from "../../helpers/http/listen.ts";
import { atEnd } from "../../helpers/lifetime.ts";
import { frequentNews, until } from "../../helpers/process/process.ts";
import { agentFile, startSidecar } from "../../helpers/process/sidecar.ts";

export const services = 60;
const sidecars = 2;
const action = "deploy";
/** The sizes of the waves of `createRollout`. */
const waveSizes = [5, services / 2 - 5, services / 2];

export const settings = {
  ...frequentNews,
  // The server may be away for some time.
  PLATFORM_AGENT_OFFLINE_THRESHOLD_SECONDS: "60",
};

/** The program behind all services. */
export class Machine {
  url = "";
  /** The services in the order in which their executions began. */
  readonly executions: string[] = [];

  static async start({ takesMs = 0 } = {}): Promise<Machine> {
    const machine = new Machine();
    machine.url = await serveHttp(async (request, response) => {
      machine.executions.push(request.url?.slice(1) ?? "");
      await sleep(takesMs);
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ deployed: true }));
    });
    return machine;
  }
}

export function clientOf(url: string, bearer: string): Client {
  const client = createClient(httpTransport({ url, bearer, userAgent: "rollout-test" }));
  atEnd(() => client.close());
  return client;
}

/** Starts the sidecars, and waits until the server knows all their services. */
export async function startFleet(url: string, operator: Client, machine: Machine): Promise<void> {
  const codes = Array.from({ length: services }, (_, n) => `web-${n + 1}`);
  for (let n = 0; n < sidecars; n++) {
    const own = codes.filter((_, at) => at % sidecars === n);
    const file = await agentFile({ url }, operator, {
      ...{ code: `edge-${n + 1}`, concurrency: 64 },
      services: own.map((code) => ({
        ...{ code, version: "1", labels: { tier: "web" } },
        actions: [{ name: action, execute: { http: { url: `${machine.url}/${code}` } } }],
      })),
    });
    startSidecar(file);
  }
  await until("all services are reported", async () => {
    const query = { selector: "tier=web", pageSize: 1 };
    return (await operator.page("services.list", { query })).pagination.total === services;
  });
}

/** Creates a rollout on all services, and returns its id. */
export async function createRollout(operator: Client, maxParallel: number): Promise<string> {
  const body = { action, selector: "tier=web", waves: ["5", "50%"], maxParallel };
  return (await operator.call("rollouts.create", { body })).id;
}

/** Runs a statement on the database without the servers. Counts may be text. */
export type Rows = (sql: string) => unknown[][] | Promise<unknown[][]>;

/**
 * Checks that the only rollout succeeded, that each service ran once, and that no more services
 * than allowed ran at once.
 */
export async function checkSucceeded(
  rows: Rows,
  machine: Machine,
  maxParallel: number,
): Promise<void> {
  const ran = new Set(machine.executions);
  expect([ran.size, machine.executions.length]).toEqual([services, services]);
  expect(await rows("SELECT state FROM rollouts")).toEqual([["SUCCEEDED"]]);
  const states = `SELECT wave, state, COUNT(*) FROM rollout_targets GROUP BY wave, state
    ORDER BY wave`;
  const byWave = waveSizes.map((size, wave) => `${wave} SUCCEEDED ${size}`);
  expect((await rows(states)).map((row) => row.join(" "))).toEqual(byWave);
  // This also counts commands that no agent received.
  const commands = "SELECT COUNT(*), COUNT(DISTINCT service_id) FROM commands";
  expect((await rows(commands)).flat().map(Number)).toEqual([services, services]);
  const ofRollout = `SELECT action FROM audit_events WHERE target_type = 'rollout' ORDER BY seq`;
  expect((await rows(ofRollout)).flat()).toEqual(["rollout.created", "rollout.succeeded"]);
  const open = await openCounts(rows);
  expect(Math.max(...open)).toBeLessThanOrEqual(maxParallel);
  expect(open.at(-1)).toBe(0);
}

/**
 * Returns how many commands were open after each audit row about the beginning or end of a command.
 */
async function openCounts(rows: Rows): Promise<number[]> {
  const changes = await rows(`SELECT action FROM audit_events
    WHERE action IN ('command.created', 'command.completed', 'command.failed') ORDER BY seq`);
  let open = 0;
  return changes.flat().map((action) => (open += action === "command.created" ? 1 : -1));
}
