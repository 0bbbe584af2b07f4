// What the tests of the agent share: an agent that calls fast and remembers its events, an operator's
// few moves, a wire that can be cut, and waiting for a condition with a deadline.

import { type AddressInfo, createServer, connect as openSocket, type Socket } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Agent, AgentEvent, AgentOptions, Service } from "../../src/agent/index.ts";
import { createAgent } from "../../src/agent/index.ts";
import { temporaryFolder } from "../helpers/app.ts";
import type { ListeningApp } from "../helpers/http/http.ts";

export const fast = {
  refusedRetrySeconds: 0.05,
  backoffMinSeconds: 0.01,
  backoffMaxSeconds: 0.05,
};

/** For an agent that is cut off when it ends: it does not try for long. */
export const cutOff = { ...fast, flushSeconds: 0.05 };

export interface TestedAgent {
  agent: Agent;
  events: AgentEvent[];
  stateDir: string;
  /** The first event of this type, now or soon; `from` skips those before it. */
  event<T extends AgentEvent["type"]>(
    type: T,
    matches?: (event: Extract<AgentEvent, { type: T }>) => boolean,
  ): Promise<Extract<AgentEvent, { type: T }>>;
}

/** An agent that is stopped when the test is over; it has not been started. */
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

/** A new registration token; also for an agent in the place of one that is there. */
export async function registrationToken(server: ListeningApp): Promise<string> {
  const body = { replace: true };
  const { token } = await server.as("operator").call("registration-tokens.create", { body });
  return token;
}

/** Makes, registers and starts an agent. */
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

/** A service with one action. */
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

/** Has the action `work` run and answers the command's id. */
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
      return command.id;
    } catch (error) {
      // On a busy machine the server may give up the check of a payload: not what is tested here.
      if (!(error as Error).message.includes("takes too long")) throw error;
    }
  }
}

export function commandOf(server: ListeningApp, commandId: string) {
  return server.as("operator").call("commands.get", { params: { commandId } });
}

/** The command when it has ended. */
export function ended(server: ListeningApp, commandId: string) {
  return server.as("operator").call("commands.get", { params: { commandId }, query: { wait: 10 } });
}

/** Asks again and again until the answer is neither null, undefined nor false; at most `ms`. */
export async function until<T>(
  ask: () => T | Promise<T>,
  what: string,
  ms = 8000,
): Promise<NonNullable<T>> {
  const deadline = performance.now() + ms;
  while (true) {
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    if (performance.now() > deadline) throw new Error(`waited ${ms} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export interface Wire {
  url: string;
  /** While false, every connection breaks. */
  set up(up: boolean);
  /** Breaks a connection before an answer that this is true of gets through. */
  loseAnswer: ((text: string) => boolean) | null;
  /** Sees what goes to the server. */
  onSent: ((text: string) => void) | null;
  /** Breaks a connection that has carried more bytes than this to the server. */
  breaksOver: number;
  /** Lets an answer through when this resolves. */
  holdAnswer: ((text: string) => Promise<void> | undefined) | null;
}

/** A wire to the server that can be cut: the agent's end keeps its address. */
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
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const wire: Wire = {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    onSent: null,
    loseAnswer: null,
    holdAnswer: null,
    breaksOver: Number.POSITIVE_INFINITY,
    set up(up: boolean) {
      isUp = up;
      if (!up) for (const socket of sockets) socket.destroy();
    },
  };
  onTestFinished(() => {
    wire.up = false;
    listener.close();
  });
  return wire;
}
