// The bus is on, one agent publishes, and routes target a service of the same agent by default.

import type { BodyInput, ReplyData } from "../../../src/api/contract/route.ts";
import type { Routes } from "../../../src/api/index.ts";
import type { TestAgent } from "../../helpers/app.ts";
import { collector, openScene, type Scene } from "../scene.ts";

export type Sent = BodyInput<Routes["agent.publish"]>;
type NewRoute = BodyInput<Routes["bus-routes.create"]>;

export interface Bus extends Scene {
  /** Publishes as the agent; by default an event `log.full` of its service. */
  publish(event?: Partial<Sent>, agent?: TestAgent): Promise<ReplyData<Routes["agent.publish"]>>;
  /** Creates an ENABLED route from `log.full` to the action `rotate`, and returns its id. */
  route(rule?: Partial<NewRoute>): Promise<string>;
  /** Returns the event as a viewer sees it. */
  event(id: string): Promise<ReplyData<Routes["bus-events.get"]>>;
  countCommands(): Promise<number>;
}

export async function openBus(env: Record<string, string> = {}): Promise<Bus> {
  const scene = await openScene({ CAPSULE_BUS_ENABLED: "true", ...env });
  const viewer = scene.as("viewer");
  return {
    ...scene,
    publish: (event = {}, { agentId, client } = scene.agent) =>
      client.call("agent.publish", {
        params: { agentId },
        body: { type: "log.full", source: collector.code, ...event },
      }),
    async route(rule = {}) {
      const body = {
        name: "rotate what is full",
        state: "ENABLED" as const,
        match: { type: "log.full" },
        target: { serviceCode: collector.code, action: "rotate" },
        ...rule,
      };
      return (await scene.as("operator").call("bus-routes.create", { body })).id;
    },
    event: (eventId) => viewer.call("bus-events.get", { params: { eventId } }),
    async countCommands() {
      return (await viewer.page("commands.list")).pagination.total;
    },
  };
}
