// Helpers of the agent tests.

import { createServer, connect as openSocket, type Socket } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type {
  ActionOutput,
  Agent,
  AgentEvent,
  AgentOptions,
  Service,
} from "../../src/agent/index.ts";
import { createAgent } from "../../src/agent/index.ts";
import { temporaryFolder } from "../helpers/app.ts";
import { type ListeningApp, listenTestApp } from "../helpers/http/http.ts";
import { listen } from "../helpers/http/listen.ts";
import { atEnd } from "../helpers/lifetime.ts";
import { agentLibrary } from "../helpers/process/installed.ts";
import { until as poll, startCommand } from "../helpers/process/process.ts";

export const fast = {
  refusedRetrySeconds: 0.05,
  backoffMinSeconds: 0.01,
  backoffMaxSeconds: 0.05,
};

/** Timing for an agent that stops while the server is unreachable. */
export const cutOff = { ...fast, flushSeconds: 0.05 };

export const noOutput: ActionOutput = {
  write: () => undefined,
  stderr: { write: () => undefined },
  hide: () => undefined,
};

export interface TestedAgent {
  agent: Agent;
  events: AgentEvent[];
  stateDir: string;
  /** Waits for the first event of this type, which may have happened already. */
  event<T extends AgentEvent["type"]>(
    type: T,
    matches?: (event: Extract<AgentEvent, { type: T }>) => boolean,
  ): Promise<Extract<AgentEvent, { type: T }>>;
}

/** Creates an agent without starting it. The agent stops when the test ends. */
export function makeAgent(
  options: Partial<AgentOptions> & { server: string; services: Service[] },
): TestedAgent {
  const events: AgentEvent[] = [];
  const stateDir = options.stateDir ?? join(temporaryFolder(), "state");
  const { services, ...others } = options;
  const agent = createAgent({
    agent: { code: "edge-1", mode: "embedded" },
    timing: fast,
    ...others,
    stateDir,
    onEvent: (event) => {
      events.push(event);
      options.onEvent?.(event);
    },
  });
  for (const service of services) agent.service(service);
  onTestFinished(() => agent.stop({ graceSeconds: 0 }));
  return {
    agent,
    events,
    stateDir,
    async event(type, matches = () => true) {
      type Wanted = Extract<AgentEvent, { type: typeof type }>;
      const find = () =>
        events.find((event) => event.type === type && matches(event as Wanted)) as
          | Wanted
          | undefined;
      try {
        return await until(find, type);
      } catch (error) {
        const seen = events.map((event) => `${event.type}: ${event.message}`).join("\n");
        throw new Error(`${(error as Error).message}; events were:\n${seen}`);
      }
    },
  };
}

/** Creates a registration token, which also replaces an agent with the same code. */
export async function registrationToken(server: ListeningApp): Promise<string> {
  const body = { replace: true };
  const { token } = await server.as("operator").call("registration-tokens.create", { body });
  return token;
}

export async function startAgent(
  server: ListeningApp,
  services: Service[],
  options: Partial<AgentOptions> = {},
): Promise<TestedAgent> {
  const tested = makeAgent({
    server: server.url,
    registrationToken: () => registrationToken(server),
    ...options,
    services,
  });
  await tested.agent.start();
  return tested;
}

/** The agent needs no registration token, because it already has its agent token. */
export async function startAgain(options: Parameters<typeof makeAgent>[0]): Promise<TestedAgent> {
  const tested = makeAgent(options);
  await tested.agent.start();
  return tested;
}

export async function paramsOf(server: ListeningApp, actionName = "work") {
  const { data } = await server.as("operator").page("services.list", {});
  return { serviceId: data[0]!.id, actionName };
}

export function revokeToken(server: ListeningApp, { agent }: Pick<TestedAgent, "agent">) {
  const params = { agentId: agent.agentId ?? "" };
  return server.as("operator").call("agents.revoke-token", { params });
}

export async function startPair(
  services: Service[],
  options: Partial<AgentOptions> = {},
  env: Record<string, string> = {},
) {
  const server = await listenTestApp(env);
  const tested = await startAgent(server, services, options);
  return { server, tested, ...tested };
}

/** Starts an agent that calls its server through a wire. */
export async function startWired(
  services: Service[],
  options: Partial<AgentOptions> = {},
  env: Record<string, string> = {},
) {
  const { server, wire } = await openWire(env);
  const tested = await startAgent(server, services, { server: wire.url, ...options });
  return { server, wire, tested, ...tested };
}

export function serviceWith(
  action: Partial<NonNullable<Service["actions"]>[number]>,
  code = "collector",
): Service[] {
  return [
    {
      code,
      name: `The ${code}`,
      version: "1.0.0",
      health: "UP",
      actions: [{ name: "work", execute: () => null, ...action }],
    },
  ];
}

/** Runs the action `work` and returns the command's id. */
export async function execute(
  server: ListeningApp,
  payload: Record<string, number> = {},
  serviceCode = "collector",
  queue = false,
): Promise<string> {
  const operator = server.as("operator");
  const { data } = await operator.page("services.list", { query: { q: serviceCode } });
  const { id: serviceId } = data.find(({ code }) => code === serviceCode)!;
  const params = { serviceId, actionName: "work" };
  while (true) {
    try {
      const { command } = await operator.call("actions.execute", {
        params,
        query: { queue },
        body: { payload },
      });
      return command!.id;
    } catch (error) {
      // A busy machine may exceed the server's time limit for checking a payload.
      if (!(error as Error).message.includes("takes too long")) throw error;
    }
  }
}

export function commandOf(server: ListeningApp, commandId: string) {
  return server.as("operator").call("commands.get", { params: { commandId } });
}

export function ended(server: ListeningApp, commandId: string) {
  return server.as("operator").call("commands.get", { params: { commandId }, query: { wait: 10 } });
}

/** Throws if `ask` returns only null, undefined or false for `ms`. */
export async function until<T>(
  ask: () => T | Promise<T>,
  what: string,
  ms = 60_000,
): Promise<NonNullable<T>> {
  const look = async () => {
    const answer = await ask();
    return answer !== null && answer !== undefined && answer !== false && { answer };
  };
  return (await poll(what, look, ms)).answer;
}

export function startAgentProgram(
  server: string,
  stateDir: string,
  token: string,
  enter: readonly string[] = [],
) {
  const file = join(import.meta.dirname, "agent-program.ts");
  const words = [...enter, process.execPath, file, server, stateDir, token];
  const program = startCommand(words, { env: agentLibrary });
  const lines = () => program.stdout().trimEnd().split("\n");
  const says = (line: string) => until(() => lines().includes(line), `"${line}" of the program`);
  return { ...program, says };
}

export interface Wire {
  url: string;
  /** Breaks every connection while it is false. */
  set up(up: boolean);
  /** Breaks the connection instead of passing on a response for which it returns true. */
  loseAnswer: ((text: string) => boolean) | null;
  /** Receives everything that is sent to the server. */
  onSent: ((text: string) => void) | null;
  /** Breaks a connection that has sent more than this number of bytes. */
  breaksOver: number;
  /** Delays a response until the returned promise resolves. */
  holdAnswer: ((text: string) => Promise<void> | undefined) | null;
}

export async function openWire(env: Record<string, string> = {}) {
  const server = await listenTestApp(env);
  return { server, wire: await wireTo(server) };
}

/** Starts a relay to the server. Its URL stays the same while it is cut. */
export async function wireTo(server: { port: number }): Promise<Wire> {
  const sockets = new Set<Socket>();
  let isUp = true;
  const listener = createServer((near) => {
    if (!isUp) {
      near.destroy();
      return;
    }
    const far = openSocket(server.port, "127.0.0.1");
    const breakBoth = () => {
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", breakBoth);
      socket.on("close", () => {
        sockets.delete(socket);
        breakBoth();
      });
    }
    near.on("data", (data) => {
      wire.onSent?.(data.toString());
      if (far.bytesWritten > wire.breaksOver) breakBoth();
      else far.write(data);
    });
    far.on("data", (data) => {
      if (wire.loseAnswer?.(data.toString())) breakBoth();
      else void Promise.resolve(wire.holdAnswer?.(data.toString())).then(() => near.write(data));
    });
  });
  const wire: Wire = {
    url: `http://127.0.0.1:${await listen(listener)}`,
    onSent: null,
    loseAnswer: null,
    holdAnswer: null,
    breaksOver: Number.POSITIVE_INFINITY,
    set up(up: boolean) {
      isUp = up;
      if (!up) for (const socket of sockets) socket.destroy();
    },
  };
  atEnd(() => {
    wire.up = false;
  });
  return wire;
}
