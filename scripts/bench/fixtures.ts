// The data for the measured requests: agents with one service each, and running commands.

import Database from "better-sqlite3";
import { type Client, createClient } from "../../src/client/client.ts";
import { httpTransport } from "../../src/client/transport-http.ts";
import { Slots } from "../../src/lib/slots.ts";

export interface Agent {
  id: string;
  token: string;
  serviceId: string;
  serviceCode: string;
}

export function clientOf(port: number, bearer: string): Client {
  const url = `http://127.0.0.1:${port}`;
  return createClient(httpTransport({ url, bearer, userAgent: "bench" }));
}

const registrationsAtOnce = 32;

/** Registers agents, and lets each of them report its service. */
export async function registerAgents(
  port: number,
  operatorKey: string,
  count: number,
): Promise<Agent[]> {
  await using operator = clientOf(port, operatorKey);
  const slots = new Slots(registrationsAtOnce);
  const numbers = Array.from({ length: count }, (_, i) => i + 1);
  return await Promise.all(numbers.map((number) => slots.run(() => registerAgent(number))));

  async function registerAgent(number: number): Promise<Agent> {
    const { token } = await operator.call("registration-tokens.create", { body: {} });
    await using newcomer = clientOf(port, token);
    const { agentId, agentToken } = await newcomer.call("agent.register", {
      body: { agent: { code: `bench-agent-${number}`, mode: "sidecar" } },
    });
    const serviceCode = `bench-service-${number}`;
    await using agent = clientOf(port, agentToken);
    const { services } = await agent.call("agent.report", { body: serviceReport(serviceCode) });
    return { id: agentId, token: agentToken, serviceId: services[0]?.id ?? "", serviceCode };
  }
}

/** The report of a small agent: one service with two actions. */
export function serviceReport(serviceCode: string) {
  const restart = {
    name: "restart",
    label: "Restart",
    description: "Stops the service and starts it again.",
    dangerLevel: "HIGH" as const,
    requiresConfirmation: true,
    timeoutSeconds: 120,
    inputSchema: {
      type: "object",
      properties: { graceSeconds: { type: "integer", minimum: 0, maximum: 600, default: 30 } },
    },
  };
  const clearCache = {
    name: runAction,
    label: "Clear cache",
    description: "Empties one of the service's caches.",
    inputSchema: {
      type: "object",
      properties: { cache: { type: "string", enum: ["pages", "sessions"], default: "pages" } },
      required: ["cache"],
    },
  };
  return {
    services: [
      {
        code: serviceCode,
        name: "Bench service",
        version: "1.4.2",
        healthStatus: "UP",
        configs: [{ key: "http.port", type: "integer", valuePreview: 8080, editable: false }],
        actions: [restart, clearCache],
      },
    ],
  };
}

const runAction = "clear-cache";
export const executionRequest = { payload: { cache: "pages" } };

export function executionPath(serviceId: string): string {
  return `/api/admin/capsule-services/${serviceId}/actions/${runAction}`;
}

/** How long an agent's poll is held. */
export const heldSeconds = 30;

export function pollPath(seconds: number): string {
  return `/api/agents/commands?wait=${seconds}`;
}

const commandIdStart = "cmd_01BENCH";
const commandIdLength = "cmd_".length + 26;

/** Ids sort by their numbers, as real ids sort by time. */
export function commandId(number: number): string {
  return commandIdStart + String(number).padStart(commandIdLength - commandIdStart.length, "0");
}

/** Inserts commands with the numbers from `first` to below `end`, for the agents in turn. */
export function insertRunningCommands(
  databaseFile: string,
  agents: Agent[],
  { first, end }: { first: number; end: number },
): void {
  const database = new Database(databaseFile, { timeout: 10_000 });
  try {
    const insert = database.prepare(`
      INSERT INTO commands (id, type, status, agent_id, service_id, service_code, action, payload,
        withheld, agent_code, source_kind, timeout_seconds, created_at, expires_at, started_at,
        deliveries)
      VALUES (?, 'ACTION_EXECUTE', 'RUNNING', ?, ?, ?, 'clear-cache', '{"cache":"pages"}',
        '[]', (SELECT code FROM agents WHERE id = :agent), 'operator', 86400, :now, :now + 86400000, :now, 1)`);
    const now = Date.now();
    database.transaction(() => {
      for (let number = first; number < end; number++) {
        const agent = agents[(number - first) % agents.length] as Agent;
        insert.run(commandId(number), agent.id, agent.serviceId, agent.serviceCode, {
          now,
          agent: agent.id,
        });
      }
    })();
    database.pragma("wal_checkpoint(TRUNCATE)");
  } finally {
    database.close();
  }
}
