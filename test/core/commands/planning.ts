// A scene whose agent compares states, and whose action `rotate` has been prepared.

import type { JsonObject } from "../../../src/domain/payload/json.ts";
import type { TestAgent } from "../../helpers/app.ts";
import { collector, openScene, type Scene } from "../scene.ts";

const inputSchema = {
  properties: { file: { type: "string" }, key: { type: "string", writeOnly: true } },
};

export const planned = {
  ...collector,
  actions: [
    { name: "rotate", inputSchema, timeoutSeconds: 60 },
    { name: "other", inputSchema },
    { name: "drop", dangerLevel: "HIGH", inputSchema },
    { name: "direct", prepare: false },
  ],
};

export const state = { files: 3, password: "hunter2" };
export const fingerprint = "state-1";
export const preparedForm = {
  success: true,
  output: { currentState: state, stateFingerprint: fingerprint },
};

export async function openPlanning(env: Record<string, string> = {}): Promise<Scene> {
  const scene = await openScene(env, [planned]);
  await reportFeatures(scene, ["plan"]);
  return scene;
}

export async function reportFeatures(
  scene: Scene,
  features: string[] | undefined,
  { client }: Pick<TestAgent, "client"> = scene.agent,
): Promise<void> {
  const services = [planned] as never;
  await client.call("agent.report", { body: { services, ...(features && { features }) } });
}

export interface Wish {
  actionName?: string;
  payload?: JsonObject;
  confirmation?: boolean;
  prepareCommandId?: string;
  ifUnchanged?: boolean;
  queue?: boolean;
}

/** Runs `rotate` only if the state is unchanged. */
export async function executeUnchanged(scene: Scene, wish: Wish) {
  const { actionName = "rotate", queue = false, ...body } = wish;
  const params = { serviceId: scene.serviceId, actionName };
  const { command } = await scene
    .as("operator")
    .call("actions.execute", { params, query: { queue }, body: { ifUnchanged: true, ...body } });
  return command!;
}

/** Makes the agent report the usual service, and returns a plan for its action `rotate`. */
export async function planOf(scene: Scene) {
  const body = { features: ["plan"], services: [collector] };
  await scene.agent.client.call("agent.report", { body });
  const prepareCommandId = await scene.prepare(preparedForm);
  const params = { serviceId: scene.serviceId, actionName: "rotate" };
  return scene.as("operator").call("plans.create", { params, body: { prepareCommandId } });
}
