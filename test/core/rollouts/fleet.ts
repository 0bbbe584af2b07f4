// A fleet for rollouts: agents with one service each, whose commands the test ends.

import type { BodyInput, ReplyData } from "../../../src/api/contract/route.ts";
import type { Routes } from "../../../src/api/index.ts";
import { advanceRollout } from "../../../src/core/rollouts/advance.ts";
import { openTestApp, type ServiceInput, type TestAgent } from "../../helpers/app.ts";

export type Request = BodyInput<Routes["rollouts.create"]>;
export type Detail = ReplyData<Routes["rollouts.get"]>;
export type Target = ReplyData<Routes["rollouts.targets"]>[number];

export const restart = { name: "restart", prepare: false } as const;

export async function openFleet(size: number, actions: ServiceInput["actions"] = [restart]) {
  const app = openTestApp();
  const agents = new Map<string, TestAgent>();
  const serviceOf = (code: string, healthStatus = "UP"): ServiceInput => ({
    ...{ code, name: `The ${code}`, version: "1", healthStatus, labels: { tier: "web" } },
    ...(actions ? { actions } : {}),
  });
  for (let n = 0; n < size; n++) {
    const code = `web-${n}`;
    agents.set(code, await app.registerAgent(`agent-${n}`, [serviceOf(code)]));
  }
  const operator = app.as("operator");
  const agentOf = (code: string) => agents.get(code) as TestAgent;
  const get = (rolloutId: string) => operator.call("rollouts.get", { params: { rolloutId } });
  const advance = async (rolloutId: string) => {
    while (await advanceRollout(app.app.core, rolloutId));
    return get(rolloutId);
  };
  const targets = (rolloutId: string, query = {}): Promise<Target[]> =>
    operator.call("rollouts.targets", {
      params: { rolloutId },
      query: { pageSize: 200, ...query },
    });
  const fleet = {
    ...app,
    operator,
    agentOf,
    serviceOf,
    get,
    advance,
    targets,
    /** Creates a rollout of `restart` on all services, and runs its first step. */
    async start(request: Partial<Request> = {}) {
      const body = { action: "restart", selector: "tier=web", ...request };
      const { id } = await operator.call("rollouts.create", { body });
      await advance(id);
      return id;
    },
    /** Makes the agents get their open commands. */
    async pollAll(): Promise<void> {
      for (const { client } of agents.values()) {
        await client.call("agent.poll", { query: { wait: 0 } });
      }
    },
    /**
     * Ends the open commands, with a failure on the services in `failing`. `outputOf` returns more
     * fields for the results of the other services.
     */
    async endCommands(
      rolloutId: string,
      failing: readonly string[] = [],
      outputOf: (code: string) => object = () => ({}),
    ): Promise<void> {
      for (const { serviceCode, commandId } of await targets(rolloutId, { state: "RUNNING" })) {
        const { client } = agentOf(serviceCode);
        await client.call("agent.poll", { query: { wait: 0 } });
        const body = failing.includes(serviceCode)
          ? { success: false, error: { code: "BROKEN", message: `${serviceCode} is broken` } }
          : { success: true, ...outputOf(serviceCode) };
        await client.call("agent.result", { params: { commandId: commandId ?? "" }, body });
      }
    },
    /** Ends the open commands, and continues. */
    async endOpen(
      rolloutId: string,
      ...how: [failing?: readonly string[], outputOf?: (code: string) => object]
    ): Promise<Detail> {
      await fleet.endCommands(rolloutId, ...how);
      return advance(rolloutId);
    },
    /** Makes every agent report its service with this health. */
    async reportAll(healthStatus = "UP"): Promise<void> {
      for (const [code, { client }] of agents) {
        const body = { services: [serviceOf(code, healthStatus)] };
        await client.call("agent.report", { body: body as never });
      }
    },
    act: (rolloutId: string, how: "pause" | "resume" | "cancel", query = {}) =>
      operator.call(`rollouts.${how}` as "rollouts.cancel", { params: { rolloutId }, query }),
  };
  return fleet;
}
