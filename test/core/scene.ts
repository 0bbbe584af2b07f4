// Opens an agent, its service, an action and an operator, with short names for their calls.

import BetterSqlite3 from "better-sqlite3";
import { test as base, onTestFinished } from "vitest";
import type { QueryInput, ReplyData } from "../../src/api/contract/route.ts";
import type { Routes } from "../../src/api/index.ts";
import type { CommandDetail } from "../../src/core/commands/views.ts";
import { openTestApp, type ServiceInput, type TestAgent, type TestApp } from "../helpers/app.ts";

export const collector = {
  code: "log-collector",
  name: "Log collector",
  version: "1.0.0",
  healthStatus: "UP",
  actions: [
    { name: "rotate", timeoutSeconds: 60 },
    { name: "form", timeoutSeconds: 20 },
  ],
} satisfies ServiceInput;

export interface Reported {
  success: boolean;
  output?: unknown;
  error?: { code?: string; message?: string; details?: unknown };
  message?: string;
}

export interface Polling {
  wait?: number;
  limit?: number;
  /** Command ids, joined by commas. */
  held?: string;
  instance?: string;
}

type AgentDetail = ReplyData<Routes["agents.get"]>;
type AgentId = Pick<TestAgent, "agentId">;
type ServiceDetail = ReplyData<Routes["services.get"]>;

export interface Scene extends TestApp {
  agent: TestAgent;
  serviceId: string;
  /** Executes `rotate`, and returns the command's id. */
  execute(body?: object, query?: { queue?: boolean }): Promise<string>;
  /** Creates this many commands in a few transactions, and returns their ids. */
  executeMany(count: number): Promise<string[]>;
  /** Returns the ids of the commands that the agent gets. */
  poll(query?: Polling, agent?: TestAgent): Promise<string[]>;
  result(commandId: string, body?: Reported, agent?: TestAgent): Promise<unknown>;
  /** Prepares `rotate` or the target, reports this result for it, and returns the command's id. */
  prepare(report: Reported, target?: { serviceId?: string; actionName?: string }): Promise<string>;
  cancel(commandId: string): Promise<CommandDetail>;
  get(commandId: string): Promise<CommandDetail>;
  report(services: ServiceInput[], agent?: TestAgent): Promise<ReplyData<Routes["agent.report"]>>;
  /** Assigns the scene's service, or the service with this code, to an agent. */
  move(to: TestAgent, code?: string): Promise<ServiceDetail>;
  service(): Promise<ServiceDetail>;
  beat(body?: object, agent?: TestAgent): Promise<ReplyData<Routes["agent.heartbeat"]>>;
  /** Disables or enables the agent, or revokes its token. */
  change(how: "disable" | "enable" | "revoke-token", agent?: AgentId): Promise<AgentDetail>;
  agentNow(agent?: AgentId): Promise<AgentDetail>;
  /** Returns a function that reports whether there was a write since its last call. */
  watchWrites(): () => boolean;
  /** Counts the rows of a table. `table` may include a WHERE clause. */
  count(table: string): Promise<number>;
  /** Returns the audit rows that match, newest first. */
  trail(
    query?: QueryInput<Routes["audit-events.list"]>,
  ): Promise<ReplyData<Routes["audit-events.list"]>>;
  /** Returns the audited actions of a target, oldest first. */
  auditOf(targetId: string): Promise<string[]>;
}

export async function openScene(
  env: Record<string, string> = {},
  services?: ServiceInput[],
): Promise<Scene> {
  return sceneIn(openTestApp(env), services);
}

export async function sceneIn<A extends TestApp>(
  app: A,
  services: ServiceInput[] = [collector],
): Promise<A & Scene> {
  const operator = app.as("operator");
  const agent = await app.registerAgent("edge-1", services);
  const listed = await operator.call("services.list");
  const serviceId = listed.find(({ code }) => code === collector.code)!.id;

  const trail: Scene["trail"] = (query = {}) => operator.call("audit-events.list", { query });
  const execute: Scene["execute"] = async (body = {}, query = {}) => {
    const params = { serviceId, actionName: "rotate" };
    const { command } = await operator.call("actions.execute", { params, query, body });
    return command!.id;
  };
  return {
    ...app,
    agent,
    serviceId,
    execute,
    executeMany: (count) => Promise.all(Array.from({ length: count }, () => execute())),
    async poll(query = { wait: 0 }, { client } = agent) {
      const { commands } = await client.call("agent.poll", { query });
      return commands.map(({ id }) => id);
    },
    result: (commandId, body = { success: true }, { client } = agent) =>
      client.call("agent.result", { params: { commandId }, body: body as never }),
    async prepare(report, target = {}) {
      const params = { serviceId, actionName: "rotate", ...target };
      const ended = operator.call("actions.prepare", { params }).catch(() => undefined);
      const { commands } = await agent.client.call("agent.poll", { query: { wait: 20 } });
      const commandId = commands[0]!.id;
      await agent.client.call("agent.result", { params: { commandId }, body: report as never });
      await ended;
      return commandId;
    },
    cancel: (commandId) => operator.call("commands.cancel", { params: { commandId } }),
    get: (commandId) => operator.call("commands.get", { params: { commandId } }),
    report: (services, { client } = agent) =>
      client.call("agent.report", { body: { services: services as never } }),
    async move({ agentId }, code = collector.code) {
      const { data: found } = await operator.page("services.list", { query: { q: code } });
      const params = { serviceId: found.find((one) => one.code === code)!.id };
      return operator.call("services.move", { params, body: { agentId } });
    },
    beat: (body = {}, { client } = agent) => client.call("agent.heartbeat", { body }),
    change: (how, { agentId } = agent) => operator.call(`agents.${how}`, { params: { agentId } }),
    agentNow: ({ agentId } = agent) => operator.call("agents.get", { params: { agentId } }),
    service: () => app.as("viewer").call("services.get", { params: { serviceId } }),
    watchWrites() {
      const version = versionOf(app);
      let seen = version();
      return () => {
        const before = seen;
        seen = version();
        return seen !== before;
      };
    },
    async count(table) {
      return (await app.database.read.get<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`))!.n;
    },
    trail,
    async auditOf(targetId) {
      return (await trail({ targetId, pageSize: 200 })).map(({ action }) => action).reverse();
    },
  };
}

/** A test that opens `app` or `scene` if its function uses them. */
export const test = base.extend("app", () => openTestApp()).extend("scene", () => openScene());

/** Returns a function whose result changes with each write. */
function versionOf({ database, file }: TestApp): () => unknown {
  if (database.engine === "postgresql") return () => database.storage().commits;
  const other = new BetterSqlite3(file, { readonly: true });
  onTestFinished(() => void other.close());
  const version = other.prepare("PRAGMA data_version").pluck();
  return () => version.get();
}
