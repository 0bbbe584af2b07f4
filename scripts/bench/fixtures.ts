// The data for the measured requests: agents with one service each, and running commands.

import Database from "better-sqlite3";
import { createRegistrationToken, type Subject } from "./subject.ts";

export interface Agent {
  id: string;
  token: string;
  serviceId: string;
  serviceCode: string;
}

/** Creating a token starts a process, so only a few are created at the same time. */
const registrationsAtOnce = 4;

export async function registerAgents(subject: Subject, count: number): Promise<Agent[]> {
  const agents: Agent[] = [];
  while (agents.length < count) {
    const size = Math.min(registrationsAtOnce, count - agents.length);
    const numbers = Array.from({ length: size }, (_, i) => agents.length + i + 1);
    agents.push(...(await Promise.all(numbers.map((number) => registerAgent(subject, number)))));
  }
  return agents;
}

async function registerAgent(subject: Subject, number: number): Promise<Agent> {
  const token = await createRegistrationToken(subject.databaseFile);
  return registerWith(token, subject.port, number);
}

/** Registers an agent, which reports its service. */
export async function registerWith(
  registrationToken: string,
  port: number,
  number: number,
): Promise<Agent> {
  const { agentId, agentToken } = await post(port, "/api/agents/register", null, {
    registrationToken,
    agent: { code: `bench-agent-${number}`, name: `Bench agent ${number}`, mode: "sidecar" },
  });
  const serviceCode = `bench-service-${number}`;
  const report = serviceReport(serviceCode);
  const { services } = await post(port, "/api/agents/services", agentToken, report);
  return { id: agentId, token: agentToken, serviceId: services[0].id, serviceCode };
}

/** The report of a small agent: one service with two actions. */
export function serviceReport(serviceCode: string) {
  const restart = {
    name: "restart",
    label: "Restart",
    description: "Stops the service and starts it again.",
    dangerLevel: "HIGH",
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

export async function post(port: number, path: string, token: string | null, body: unknown) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`POST ${path} failed with status ${response.status}:\n${text}`);
  return JSON.parse(text).data;
}
