// A service whose names, labels, codes, messages and errors are as long as allowed, in every state
// that a page shows differently.

import { clientOf } from "../../scripts/screenshots/fill.ts";
import { type Client, createClient } from "../../src/client/client.ts";
import { httpTransport } from "../../src/client/transport-http.ts";
import { type InProcessServer, serveInProcess } from "../helpers/in-process-server.ts";
import { atEnd } from "../helpers/lifetime.ts";
import { operatorOf } from "../helpers/process/operator.ts";
import { addUser, owner, type Person, signInAs } from "../helpers/session.ts";

/** Repeats the text up to this length. */
function upTo(length: number, text: string): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length);
}

/** A code, a sentence and a name that look real, but are longer. `n` makes them different. */
const codeOf = (n: number) =>
  upTo(120, `order-management.eu-central-1:reverse_proxy_configuration-${n}.`).replace(/\W$/, "x");
const sentenceOf = (n: number, length = 400) =>
  upTo(
    length,
    `Connection ${n} to https://orders-database.eu-central-1.internal.example.com:5432/orders?sslmode=verify-full was refused: Zertifikatsüberprüfungsfehler, /var/lib/platform/certificates/intermediate_authority.pem has expired; `,
  );
const nameOf = (n: number) =>
  upTo(
    190,
    `Bestellabwicklungsdienst ${n} für Großhandelskunden in Mitteleuropa, 订单管理服务, `,
  ).trim();
const errorCode = upTo(100, "THE_CONFIGURATION_OF_THE_REVERSE_PROXY_COULD_NOT_BE_RELOADED_");
const actionOf = (what: string) =>
  `${what}-${upTo(80, "reload.configuration-of_the_reverse-proxy.")}`;
export const actions = { load: actionOf("load"), guarded: actionOf("guarded") };

const labels = Object.fromEntries(
  Array.from({ length: 14 }, (_, n) => [
    `${n === 0 ? "site" : `topology.example.com/availability-zone-${n}`}`,
    n === 0 ? "berlin" : upTo(20 + 10 * n, "eu-central-1a_rack.17-"),
  ]),
);

const json = {
  [upTo(90, "previousConfigurationOfTheReverseProxy.")]: sentenceOf(1),
  rows: [1, 2, 3].map((n) => ({ shard: codeOf(n), changed: n, message: sentenceOf(n) })),
  path: `/${upTo(200, "var/lib/platform/certificates/")}`,
};

const inputSchema = {
  type: "object",
  required: ["mode", "text"],
  properties: {
    mode: { type: "string", title: nameOf(1), enum: [codeOf(1), nameOf(2)], default: codeOf(1) },
    text: { type: "string", title: nameOf(3), description: sentenceOf(3), default: sentenceOf(1) },
    [upTo(100, "maximumNumberOfConcurrentConnections")]: { type: "integer", default: 500 },
    languages: {
      ...{ type: "array", title: nameOf(4), uniqueItems: true, default: [codeOf(1)] },
      items: { type: "string", enum: [codeOf(1), codeOf(2), nameOf(5)] },
    },
    notify: { type: "boolean", title: nameOf(6), default: true },
    hosts: { type: "array", title: "Hosts", items: { type: "string" }, default: [codeOf(4)] },
    deep: { type: "object", title: nameOf(7), properties: { password: { type: "string" } } },
  },
};

const reported = [actions.load, actions.guarded].map((name, n) => ({
  ...{ name, label: nameOf(n), description: sentenceOf(n), inputSchema, prepare: n === 1 },
  ...{
    dangerLevel: n === 1 ? ("HIGH" as const) : ("LOW" as const),
    category: codeOf(n).slice(0, 90),
  },
}));

const services = ["UP", "DOWN", "DEGRADED", "DOWN", "CUSTOM_STATUS_OF_THE_ORDER_MANAGEMENT"].map(
  (status, n) => ({
    ...{ code: codeOf(n), name: nameOf(n), version: upTo(100, "1.0.0-rc.1+20260101."), labels },
    ...{ description: sentenceOf(n), actions: reported, manifest: json },
    health: { status, message: sentenceOf(n), details: json },
    configs: [
      {
        key: upTo(150, "http.reverse_proxy.upstream-"),
        type: "string",
        valuePreview: sentenceOf(n),
      },
      { key: "http.port", label: nameOf(n), type: "integer", valuePreview: 8080, editable: true },
      {
        key: "db.password",
        type: "string",
        sensitive: true,
        source: codeOf(2),
        secretRef: codeOf(3),
      },
      { key: "servers", type: "object", valuePreview: json, defaultValue: json },
    ],
  }),
);

const ben: Person = {
  username: upTo(90, "benedikt.von-hohenstein+operations@example.com_"),
  displayName: upTo(95, "Benedikt Freiherr von Hohenstein-Wittgenstein "),
  password: "only for a while, but long",
  role: "operator",
};

export interface HostileWorld {
  server: InProcessServer;
  operator: Client;
}

export async function openHostileWorld(): Promise<HostileWorld> {
  const server = await serveInProcess({
    PLATFORM_CAPSULE_BUS_ENABLED: "true",
    PLATFORM_SERVICE_STALE_THRESHOLD_SECONDS: "86400",
  });
  const operator = await operatorOf(server);
  await addUser(server, ben);
  const [asOwner, asBen] = [await clientAs(server, owner), await clientAs(server, ben)];
  await registerAgents(server, operator);
  await addRequests(operator, asOwner, asBen);
  await addRollouts(operator);
  await addSchedules(operator, asBen);
  await addBus(operator);
  await addOthers(operator, asOwner);
  return { server, operator };
}

async function clientAs(server: InProcessServer, person: Person): Promise<Client> {
  const { cookie, "x-csrf-token": csrfToken } = await signInAs(server, person);
  const client = clientOf(server.url, { cookie, csrfToken });
  atEnd(() => client.close());
  return client;
}

/** Two agents; the first works, the second leaves its commands waiting. */
async function registerAgents(server: InProcessServer, operator: Client): Promise<void> {
  const waiting = {
    ...{ code: "a-service-that-waits", name: nameOf(9), version: "1", actions: reported },
    health: { status: "UP" },
  };
  for (const n of [1, 2]) {
    const body = { name: nameOf(n) };
    const { token } = await operator.call("registration-tokens.create", { body });
    const stranger = agentOf(server, token);
    const { agentToken } = await stranger.call("agent.register", {
      body: {
        agent: {
          ...{ code: codeOf(n), name: nameOf(n), mode: "sidecar", labels },
          version: upTo(100, "0.1.0-rc.1+20260101."),
        },
        services: n === 1 ? services : [waiting],
      },
    });
    if (n === 1) keepWorking(agentOf(server, agentToken));
  }
}

function agentOf({ url }: InProcessServer, bearer: string): Client {
  const client = createClient(httpTransport({ url, bearer, userAgent: upTo(100, "agent/1.0 ") }));
  atEnd(() => client.close());
  return client;
}

/** Ends the commands that arrive. Those on the first service succeed, and the others fail. */
function keepWorking(agent: Client): void {
  const isOver = { now: false };
  const work = async () => {
    while (!isOver.now) {
      const { commands } = await agent.call("agent.poll", { query: { wait: 1 } });
      for (const { id, type, serviceCode } of commands) {
        const params = { commandId: id };
        const chunks = (["stdout", "stderr"] as const).map((stream, n) => ({
          ...{
            stream,
            offset: n * 500,
            text: `${upTo(499, sentenceOf(1).replaceAll("ü", "u"))}\n`,
          },
        }));
        const succeeds = type === "ACTION_PREPARE" || serviceCode === codeOf(0);
        if (type !== "ACTION_PREPARE")
          await agent.call("agent.output", { params, body: { chunks } });
        await agent.call("agent.result", { params, body: resultOf(type, succeeds) as never });
      }
    }
  };
  const working = work().catch((error) => {
    if (!isOver.now) throw error;
  });
  atEnd(async () => {
    isOver.now = true;
    await working;
  });
}

function resultOf(type: string, succeeds: boolean): object {
  if (type === "ACTION_PREPARE") {
    return { success: true, output: { inputSchema, initialPayload: {}, currentState: json } };
  }
  if (succeeds) return { success: true, message: sentenceOf(2), output: json };
  const error = { code: errorCode, message: sentenceOf(2), details: json };
  return { success: false, error };
}

const payload = { mode: codeOf(1), text: sentenceOf(1) };
const reason = sentenceOf(4, 490);

async function addRequests(operator: Client, asOwner: Client, asBen: Client): Promise<void> {
  const all = await operator.call("services.list", { query: { pageSize: 100 } });
  const run = (client: Client, code: string, actionName: string, more: object = {}) =>
    client.call("actions.execute", {
      params: { serviceId: all.find((each) => each.code === code)?.id ?? "", actionName },
      query: { queue: true },
      body: { payload, confirmation: true, reason, ...more },
    });
  for (const n of [0, 1]) await run(operator, codeOf(n), actions.load);
  await run(operator, "a-service-that-waits", actions.load);
  for (const [order, approvers] of [
    [10, { role: "operator" }],
    [20, { users: [ben.username, owner.username] }],
  ] as const) {
    await operator.call("approval-policies.create", {
      body: {
        ...{ name: nameOf(order), description: sentenceOf(order), order },
        ...{ action: actions.guarded, selector: selector(), approvers: approvers as never },
      },
    });
  }
  await run(asBen, codeOf(0), actions.guarded);
  await run(asOwner, codeOf(1), actions.guarded);
  const [first] = await operator.call("approvals.list", { query: { state: "AWAITING_APPROVAL" } });
  const params = { approvalId: first?.id ?? "" };
  const decider = first?.requester.name === ben.username ? asOwner : asBen;
  await decider.call("approvals.reject", { params, body: { reason } });
  await run(asBen, codeOf(0), actions.guarded);
  await run(asOwner, codeOf(1), actions.guarded, { breakGlass: reason });
}

const selector = () =>
  Object.entries(labels)
    .slice(0, 6)
    .map(([key, value]) => `${key}=${value}`)
    .join(",");

async function addRollouts(operator: Client): Promise<void> {
  const body = {
    ...{ name: nameOf(1), action: actions.load, payload, reason, confirmation: true },
    ...{ waves: ["1", "25%"], maxFailures: "1" },
  };
  await operator.call("rollouts.create", { body: { ...body, selector: selector() } });
  await operator.call("rollouts.create", {
    body: { ...body, services: ["a-service-that-waits", codeOf(0)], name: nameOf(2) },
  });
}

async function addSchedules(operator: Client, asBen: Client): Promise<void> {
  const timing = {
    cron: "0,7,14,21,28,35,42,49,56 3 * * mon-fri",
    timezone: "America/Argentina/ComodRivadavia",
  };
  const rollout = {
    ...{ kind: "rollout" as const, name: nameOf(3), action: actions.guarded, selector: selector() },
    ...{ payload, reason, waves: ["1", "25%"], confirmation: true },
  };
  const first = await operator.call("schedules.create", {
    body: {
      ...{ name: nameOf(1), description: sentenceOf(1), everySeconds: 86_399 },
      target: { kind: "action", service: codeOf(0), action: actions.load, payload, reason },
    },
  });
  await operator.call("schedules.run", { params: { scheduleId: first.id }, body: {} });
  await asBen.call("schedules.create", {
    body: { name: nameOf(2), description: sentenceOf(2), ...timing, target: rollout },
  });
  await operator.call("schedules.pause-all", { body: { reason } });
}

async function addBus(operator: Client): Promise<void> {
  const type = upTo(180, "catalog.book_edition.changed-again.").replace(/\W$/, "x");
  for (const [n, state] of (["ENABLED", "DRY_RUN"] as const).entries()) {
    await operator.call("bus-routes.create", {
      body: {
        ...{
          name: nameOf(n),
          description: sentenceOf(n),
          state,
          match: { type, source: codeOf(1) },
        },
        target: { serviceCode: codeOf(0), action: actions.load },
        payload: { mode: { const: codeOf(1) }, text: `/data/${upTo(90, "descriptionOfTheBook")}` },
      },
    });
  }
  for (const source of [codeOf(1), codeOf(2)]) {
    const event = { type, source, subject: upTo(190, "book/4411/"), data: json };
    await operator.call("bus-events.publish", { body: event as never });
  }
}

async function addOthers(operator: Client, asOwner: Client): Promise<void> {
  await operator.call("api-keys.create", { body: { name: nameOf(1), role: "operator" } });
  await operator.call("api-keys.create", { body: { name: codeOf(1), role: "viewer" } });
  for (const shared of [false, true]) {
    const query = { selector: selector(), q: codeOf(1), sort: "code" };
    const body = { name: nameOf(shared ? 1 : 2), noun: "services" as const, query, shared };
    await asOwner.call("saved-views.create", { body });
  }
  await asOwner.call("attention.acknowledge", { body: { serviceIds: [codeOf(1)], note: reason } });
  await asOwner.call("attention.silence", {
    body: { serviceIds: [codeOf(2)], note: reason, seconds: 86_400 },
  });
  await operator.call("settings.update", {
    body: {
      workspaceName: upTo(95, "Großhandelsgesellschaft Nordrhein-Westfalen "),
      operatorLabels: Object.keys(labels).slice(1, 4),
    },
  });
}
