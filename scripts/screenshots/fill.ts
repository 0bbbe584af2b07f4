// Fills a server with example data through the API.

import { type Client, createClient } from "../../src/client/client.ts";
import { httpTransport } from "../../src/client/transport-http.ts";
import { actions, fleet, type Sample } from "./fleet.ts";
import { findNightIds } from "./night.ts";
import type { Ids } from "./pages.ts";

export interface Session {
  cookie: string;
  csrfToken: string;
}

const userAgent = "screenshots";

export async function signIn(url: string, username: string, password: string): Promise<Session> {
  const answer = await fetch(`${url}/api/admin/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username, password }),
  });
  if (!answer.ok) throw new Error(`The login failed with status ${answer.status}.`);
  const [cookie = ""] = (answer.headers.getSetCookie()[0] ?? "").split(";");
  const { data } = (await answer.json()) as { data: { csrfToken: string } };
  return { cookie, csrfToken: data.csrfToken };
}

export function clientOf(url: string, session: Session): Client {
  return createClient(httpTransport({ url, session, userAgent }));
}

/** Returns the tokens of the agents that are online. */
export async function registerFleet(url: string, operator: Client): Promise<string[]> {
  const living: string[] = [];
  for (const sample of fleet) {
    const { token } = await operator.call("registration-tokens.create", {
      body: { name: sample.name },
    });
    const agentToken = await register(url, token, sample);
    if (sample.silentMinutes === undefined) living.push(agentToken);
  }
  return living;
}

async function register(url: string, registrationToken: string, sample: Sample): Promise<string> {
  const stranger = createClient(httpTransport({ url, bearer: registrationToken, userAgent }));
  const { agentToken } = await stranger.call("agent.register", {
    body: {
      agent: {
        code: sample.code,
        name: sample.name,
        mode: "sidecar",
        version: "0.1.0",
        labels: {
          site: /gdansk|db-2/.test(sample.code) ? "gdansk" : "berlin",
          team: teamOf(sample),
        },
      },
      services: sample.services.map(([code, name, healthStatus = "UP", message]) => ({
        code,
        name,
        version: "2.14.0",
        health: { status: healthStatus, ...(message ? { message } : {}) },
        configs: [
          { key: "http.port", type: "integer", valuePreview: 8080 },
          { key: "log.level", type: "string", valuePreview: "info", editable: true },
          { key: "db.password", type: "string", sensitive: true },
        ],
        actions: code.startsWith("search")
          ? [actions.reindex, actions.clearCache, actions.restart]
          : [actions.clearCache, actions.restart],
      })),
    },
  });
  await stranger.close();
  return agentToken;
}

function teamOf({ code }: Sample): string {
  if (/office|build|backup|analytics/.test(code)) return "platform";
  return /warehouse|stockholm/.test(code) ? "logistics" : "shop";
}

export async function keepWorking(url: string, agentToken: string, signal: AbortSignal) {
  const agent = createClient(httpTransport({ url, bearer: agentToken, userAgent }));
  while (!signal.aborted) {
    const polled = await agent
      .call("agent.poll", { query: { wait: 20 } }, { signal, timeoutMs: 40_000 })
      .catch(() => null);
    for (const command of polled?.commands ?? []) {
      await agent
        .call("agent.result", { params: { commandId: command.id }, body: resultOf(command) })
        .catch(() => undefined);
    }
    if (!polled) break;
  }
  await agent.close();
}

interface Command {
  type: string;
  payload: object;
  action: string;
  serviceCode: string;
}

/** Services that fail to clear their cache. */
const stubborn = ["invoices", "bounces", "suggestions"];

function resultOf({ type, payload, action, serviceCode }: Command) {
  if (type === "ACTION_PREPARE") {
    const languages = { languages: ["de", "en"] };
    return {
      success: true,
      output: {
        initialPayload: action === "reindex" ? languages : {},
        currentState: { books: 184_220, indexedAt: "03:10", waitingChanges: 312 },
      },
    };
  }
  if (action === "restart") {
    const error = { code: "PORT_IN_USE", message: "port 8080 is in use by process 4711" };
    return { success: false, error };
  }
  if (action === "clear-cache" && stubborn.includes(serviceCode)) {
    const error = { code: "CACHE_LOCKED", message: "another process has locked the cache" };
    return { success: false, error };
  }
  return {
    success: true,
    message: "done",
    output: {
      took: "4.2 s",
      ...payload,
      shards: [
        { shard: "de", books: 98_112, changed: 204 },
        { shard: "en", books: 61_430, changed: 96 },
        { shard: "pl", books: 24_678, changed: 12 },
      ],
    },
  };
}

/** Returns the ids in the URLs of detail pages. */
export async function findIds(operator: Client): Promise<Ids> {
  const page = { query: { pageSize: 100 } };
  const services = await operator.call("services.list", { query: { q: "search-index" } });
  const service = services.find(({ code }) => code === "search-index");
  const [command] = await operator.call("commands.list", { query: { action: "reindex" } });
  const [route] = await operator.call("bus-routes.list", page);
  const [event] = await operator.call("bus-events.list", page);
  const [rollout] = await operator.call("rollouts.list", {
    query: { state: ["FAILED", "SUCCEEDED", "RUNNING"] },
  });
  if (!service || !command || !route || !event || !rollout)
    throw new Error("the fleet is incomplete");
  return {
    agentId: service.agentId,
    serviceId: service.id,
    commandId: command.id,
    rolloutId: rollout.id,
    routeId: route.id,
    eventId: event.id,
    ...(await findNightIds(operator)),
  };
}

export async function addLife(operator: Client): Promise<void> {
  for (const [username, role] of [
    ["ben", "operator"],
    ["carla", "viewer"],
    ["night-shift", "operator"],
  ] as const) {
    const password = "a-picture-of-a-password";
    await operator.call("users.create", { body: { username, role, password } });
  }
  await operator.call("api-keys.create", { body: { name: "Deployments", role: "operator" } });
  await operator.call("api-keys.create", { body: { name: "Status page", role: "viewer" } });
  await operator.call("registration-tokens.create", { body: { name: "Bookshop Malmö" } });
  const services = await operator.call("services.list", { query: { pageSize: 100 } });
  const idOf = (code: string) => services.find((service) => service.code === code)?.id ?? "";
  const run = (code: string, actionName: string, payload = {}) =>
    operator.call("actions.execute", {
      params: { serviceId: idOf(code), actionName },
      query: { queue: true },
      body: { payload, confirmation: true, reason: "after the release of 2.14.0" },
    });
  await run("search-index", "reindex", { mode: "changed", languages: ["de", "en", "pl"] });
  await run("shop-api-2", "restart", { graceSeconds: 30 });
  await run("shop-web-1", "clear-cache");
  await run("session-cache", "clear-cache");
  await run("print-server", "restart", { graceSeconds: 0 });
  await run("till-1-stockholm", "clear-cache");
  await addRollout(operator);
  await addBus(operator);
}

/** A rollout that stops in its last wave, because some services fail. */
async function addRollout(operator: Client): Promise<void> {
  await operator.call("rollouts.create", {
    body: {
      name: "New prices in the shop",
      action: "clear-cache",
      selector: "team=shop",
      waves: ["1", "25%"],
      maxParallel: 3,
      maxFailures: "1",
      reason: "prices of 24 November",
    },
  });
}

async function addBus(operator: Client): Promise<void> {
  await operator.call("bus-routes.create", {
    body: {
      name: "Reindex when the catalog changes",
      description: "New and changed books can be found a minute later.",
      state: "ENABLED",
      match: { type: "catalog.*", source: "catalog-db" },
      target: { serviceCode: "search-index", action: "reindex" },
      payload: { mode: { const: "changed" }, languages: "/data/languages" },
    },
  });
  await operator.call("bus-routes.create", {
    body: {
      name: "Clear the shop's cache after a price change",
      state: "DRY_RUN",
      match: { type: "price.changed" },
      target: { serviceCode: "shop-web-1", action: "clear-cache" },
    },
  });
  const events = [
    { type: "catalog.book.added", source: "catalog-db", subject: "book/4411" },
    { type: "price.changed", source: "catalog-db", subject: "book/1203" },
    { type: "order.placed", source: "order-intake", subject: "order/20391" },
    { type: "catalog.book.changed", source: "catalog-db", subject: "book/17" },
  ];
  for (const event of events) {
    await operator.call("bus-events.publish", {
      body: { ...event, data: { languages: ["de"], by: "editor-3" } } as never,
    });
  }
}
