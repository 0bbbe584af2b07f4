// Plants marked values wherever a secret can be given, and finds them again in any text.

import { expect } from "vitest";
import type { ReplyData } from "../../src/api/contract/route.ts";
import type { RouteName, Routes } from "../../src/api/index.ts";
import type { Client } from "../../src/client/client.ts";
import type { TestApp } from "../helpers/app.ts";
import { addUser, signIn, trySignIn } from "./access/people.ts";
import { apply, preview } from "./declarations/declaring.ts";
import { collector, type Scene, sceneIn } from "./scene.ts";

/** Returns a marked value. The label says where it is planted. */
type Plant = (label: string) => string;

const schema = {
  type: "object",
  properties: {
    pin: { type: "string", writeOnly: true },
    nested: { $ref: "#/$defs/hidden" },
    password: { type: "string", default: "" },
  },
  $defs: { hidden: { type: "object", properties: { value: { format: "password" } } } },
};

const action = (name: string, more: object = {}) => ({ name, inputSchema: schema, ...more });
export const web = {
  ...{ code: collector.code, name: "Web", version: "1", healthStatus: "UP" },
  actions: [
    action("load", { prepare: false }),
    action("guarded", { prepare: false }),
    action("form"),
  ],
};
const target = { kind: "action", service: collector.code, action: "load" } as const;
const event = { type: "log.full", source: collector.code };

/** The value in each payload that everybody may see. */
export const besideSecrets = "harmless";

/** A payload with secrets of every kind. */
const payloadOf = (plant: Plant, where: string) => ({
  password: plant(`${where} by name`),
  pin: plant(`${where} writeOnly`),
  nested: { value: plant(`${where} format`) },
  list: [{ apiKey: plant(`${where} in a list`) }],
  url: `postgres://app:${plant(`${where} in a URL`)}@db/x`,
  note: besideSecrets,
});

const inUrl = (secret: string) => `see https://me:${secret}@host/ for more`;

/** The result that an agent reports when the action `form` is prepared. */
export const preparedForm = (plant: Plant) => ({
  success: true,
  output: {
    inputSchema: { properties: { password: { type: "string", default: plant("default") } } },
    initialPayload: { password: plant("initial payload"), url: inUrl(plant("initial URL")) },
    currentState: { token: plant("current state") },
  },
});

type Planting = (scene: Scene, plant: Plant) => Promise<unknown>;

const plantings: Record<string, Planting> = {
  // A prepare command is answered at once, so it comes before commands that wait.
  "a plan": async (scene, plant) => {
    const services = [web] as never;
    await scene.agent.client.call("agent.report", { body: { services, features: ["plan"] } });
    const prepareCommandId = await scene.prepare(
      { success: true, output: { inputSchema: schema, stateFingerprint: "state-1" } },
      { actionName: "form" },
    );
    const params = { serviceId: scene.serviceId, actionName: "form" };
    const body = { payload: payloadOf(plant, "plan"), prepareCommandId };
    return scene.as("operator").call("plans.create", { params, body });
  },
  "what an agent prepares": (scene, plant) =>
    scene.prepare(preparedForm(plant), { actionName: "form" }),
  "a command": (scene, plant) =>
    scene.as("operator").call("actions.execute", {
      params: { serviceId: scene.serviceId, actionName: "load" },
      body: { payload: payloadOf(plant, "command"), reason: inUrl(plant("command's reason")) },
    }),
  "a request for approval": async (scene, plant) => {
    const params = { serviceId: scene.serviceId, actionName: "guarded" };
    const body = { payload: payloadOf(plant, "approval"), reason: inUrl(plant("its reason")) };
    return (await newUser(scene)).call("actions.execute", { params, body });
  },
  "a rollout": (scene, plant) =>
    scene.as("operator").call("rollouts.create", {
      body: {
        ...{
          action: "load",
          services: [collector.code],
          offline: "wait",
          reason: inUrl(plant("rollout's")),
        },
        payload: payloadOf(plant, "rollout"),
        payloadByService: { [collector.code]: payloadOf(plant, "rollout of one service") },
      },
    }),
  schedules: async ({ as }, plant) => {
    const create = (name: string, body: object) =>
      as("operator").call("schedules.create", {
        body: { name, cron: "0 3 * * *", ...body } as never,
      });
    await create("one", {
      target: {
        ...target,
        payload: payloadOf(plant, "schedule"),
        reason: inUrl(plant("schedule's")),
      },
    });
    const payloadByService = { [collector.code]: payloadOf(plant, "scheduled rollout's service") };
    const payload = payloadOf(plant, "scheduled rollout");
    const rollout = {
      kind: "rollout",
      action: "load",
      services: [collector.code],
      payload,
      payloadByService,
    };
    await create("many", { target: rollout });
  },
  "a changed schedule": async ({ as }, plant) => {
    const operator = as("operator");
    const body = { name: "changed", cron: "0 4 * * *", target: { ...target, payload: {} } };
    const { id } = await operator.call("schedules.create", { body: body as never });
    for (const version of [1, 2]) {
      const payload = payloadOf(plant, `schedule's version ${version + 1}`);
      await operator.call("schedules.update", {
        params: { scheduleId: id },
        body: { ...body, target: { ...target, payload }, version } as never,
      });
    }
  },
  "a bus route and its tests": async ({ as }, plant) => {
    const constants = (where: string) =>
      Object.fromEntries(
        Object.entries(payloadOf(plant, where)).map(([name, value]) => [name, { const: value }]),
      );
    const route = (name: string) => ({
      ...{ name, state: "DRY_RUN", match: { type: "log.full" } },
      ...{ target: { serviceCode: collector.code, action: "load" }, payload: constants(name) },
    });
    const operator = as("operator");
    const { id: routeId } = await operator.call("bus-routes.create", {
      body: route("route") as never,
    });
    await operator.call("bus-routes.update", {
      params: { routeId },
      body: { ...route("route again"), version: 1 } as never,
    });
    await operator.call("bus-events.publish", { body: event });
    await operator.call("bus-routes.test-draft", {
      body: { route: route("draft") as never, event },
    });
  },
  declarations: async ({ as }, plant) => {
    const schedule = (where: string) => ({
      ...{ kind: "Schedule", name: "declared", everySeconds: 3600 },
      target: { ...target, payload: payloadOf(plant, where) },
    });
    await preview(as("viewer"), [schedule("preview")]);
    await apply(as("operator"), [schedule("apply")]);
    await apply(as("operator"), [schedule("second apply")]);
  },
  "what an agent reports": (scene, plant) =>
    scene.report([
      {
        ...web,
        health: {
          status: "UP",
          message: inUrl(plant("health's message")),
          details: { token: plant("health's details"), deep: [{ dsn: plant("deep in it") }] },
        },
        manifest: { env: { DB_PASSWORD: plant("manifest") } },
        configs: [
          { key: "level", type: "string", sensitive: true, valuePreview: plant("sensitive") },
          { key: "db.password", type: "string", valuePreview: plant("config's name") },
          { key: "db", type: "string", valuePreview: inUrl(plant("config's URL")) },
          { key: "x", type: "object", defaultValue: { secret: plant("config's default") } },
        ],
        actions: web.actions,
      },
    ]),
  "results, output and errors": async (scene, plant) => {
    const run = async (report: (secret: string) => object) => {
      const secret = plant("repeated by the agent");
      await scene.as("operator").call("actions.execute", {
        params: { serviceId: scene.serviceId, actionName: "form" },
        body: { payload: { pin: secret } },
      });
      const { commands } = await scene.agent.client.call("agent.poll", { query: { wait: 0 } });
      for (const { id, payload } of commands) {
        const mine = payload.pin === secret;
        const chunks = [{ stream: "stdout", offset: 0, text: `the pin is ${secret}\n` }] as const;
        const params = { commandId: id };
        if (mine)
          await scene.agent.client.call("agent.output", { params, body: { chunks: [...chunks] } });
        await scene.result(id, (mine ? report(secret) : { success: true }) as never);
      }
    };
    await run((secret) => ({
      success: true,
      output: {
        ...{
          text: `login with ${secret}`,
          cookie: plant("result's name"),
          generatedKey: plant(oneTimeKey),
        },
        list: [inUrl(plant("result's URL"))],
      },
      message: `done with ${secret}`,
    }));
    await run((secret) => ({
      success: false,
      error: {
        code: "LOGIN_FAILED",
        message: `login failed for ${secret}, ${inUrl(plant("error's URL"))}`,
        details: { stderr: `bad pin ${secret}`, authorization: plant("error's details") },
      },
    }));
  },
  "an event": async ({ agent }, plant) =>
    agent.client.call("agent.publish", {
      params: { agentId: agent.agentId },
      body: { ...event, data: { password: plant("event"), url: inUrl(plant("event's URL")) } },
    }),
  "users and sessions": async (scene, plant) => {
    const owner = scene.as("owner");
    const password = `long ${plant("password")}`;
    const body = { username: "vera", role: "viewer", password } as const;
    const { id: userId } = await owner.call("users.create", { body });
    await signIn(scene, "vera", { password });
    await trySignIn(scene, "vera", { password: plant("wrong password") });
    await trySignIn(scene, "nobody", { password: plant("unknown user's password") });
    const again = `long ${plant("new password")}`;
    await owner.call("users.set-password", { params: { userId }, body: { password: again } });
  },
};

/** Creates a user, because only users can ask for approval. */
async function newUser(scene: Scene): Promise<Client> {
  const { id: userId } = await addUser(scene, "ann", "operator");
  const session = { username: "ann", role: "operator", sessionId: "ses_ann" } as const;
  return scene.asPrincipal({ kind: "user", userId, ...session });
}

/** The routes that list the ids for each path parameter. */
export const idLists: Record<string, RouteName> = {
  agentId: "agents.list",
  serviceId: "services.list",
  commandId: "commands.list",
  rolloutId: "rollouts.list",
  scheduleId: "schedules.list",
  routeId: "bus-routes.list",
  eventId: "bus-events.list",
  approvalId: "approvals.list",
  policyId: "approval-policies.list",
  viewId: "saved-views.list",
  tokenId: "registration-tokens.list",
  userId: "users.list",
  keyId: "api-keys.list",
};

/** Returns all existing ids, by path parameter. */
export async function everyId(scene: Scene): Promise<Map<string, string[]>> {
  const ids = new Map<string, string[]>();
  for (const [param, list] of Object.entries(idLists)) {
    const query = { pageSize: 200 };
    const items = (await scene.as("owner").call(list, { query } as never)) as { id: string }[];
    expect(items, list).toBeInstanceOf(Array);
    ids.set(
      param,
      items.map(({ id }) => id),
    );
  }
  return ids;
}

/** The label of the secret that is meant for the first operator who reads its command. */
export const oneTimeKey = "one-time key";

/** The secrets of a test, by their labels. */
export class Plants {
  readonly #labels = new Map<string, string>();
  readonly #tokens: string[] = [];

  get count(): number {
    return this.#labels.size + this.#tokens.length;
  }

  readonly plant: Plant = (label) => {
    const value = `plant${this.#labels.size}Zq9x`;
    this.#labels.set(value, label);
    return value;
  };

  /** Adds a secret whose text the server has chosen. */
  addToken(token: string): void {
    this.#tokens.push(token);
  }

  /** Returns the labels of the secrets in a text. */
  find(text: string): string[] {
    const plants = [...text.matchAll(/plant\d+Zq9x/g)];
    return [
      ...plants.map(([value]) => this.#labels.get(value) ?? "an unknown plant"),
      ...this.#tokens.filter((token) => text.includes(token)).map(() => "a token"),
    ];
  }
}

/** Opens an app that has secrets in its configuration, and registers an agent. */
export async function openPlanted<A extends TestApp>(
  open: (env: Record<string, string>) => A | Promise<A>,
) {
  const plants = new Plants();
  const { plant } = plants;
  const app = await open({
    CAPSULE_BUS_ENABLED: "true",
    SESSION_SECRET: `${plant("the session secret")}-and-thirty-two-characters`,
    ADMIN_PASSWORD: `long ${plant("admin")}`,
  });
  return { plants, scene: await sceneIn(app, [web]) };
}

/** Plants every secret. Some of the commands and requests wait until `endEverything`. */
export async function plantEverything(scene: Scene, plants: Plants): Promise<void> {
  const policy = { name: "guarded", action: "guarded", approvers: { role: "owner" } } as const;
  await scene.as("owner").call("approval-policies.create", { body: policy });
  const { token } = await scene.as("operator").call("registration-tokens.create", { body: {} });
  for (const each of [scene.agent.agentToken, await scene.apiKey("operator"), token]) {
    plants.addToken(each);
  }
  for (const planting of Object.values(plantings)) await planting(scene, plants.plant);
}

/** Ends what still waits, including `received`. Fails unless the agent gets the secrets. */
export async function endEverything(
  scene: Scene,
  plants: Plants,
  received: readonly ReceivedCommand[] = [],
): Promise<void> {
  const query = { wait: 0 };
  const { commands } = await scene.agent.client.call("agent.poll", { query });
  for (const { id, payload } of [...received, ...commands]) {
    expect(plants.find(JSON.stringify(payload)).length).toBeGreaterThan(0);
    await scene.result(id);
  }
}

export type ReceivedCommand = ReplyData<Routes["agent.poll"]>["commands"][number];
