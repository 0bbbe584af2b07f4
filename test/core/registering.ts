import type { BodyInput } from "../../src/api/contract/route.ts";
import type { Routes } from "../../src/api/index.ts";
import type { TestApp } from "../helpers/app.ts";

type Agent = Partial<BodyInput<Routes["agent.register"]>["agent"]>;

/** Creates registration tokens, and registers agents with them. */
export function registering({ as, asPrincipal }: TestApp) {
  return {
    invite: async (body = {}) =>
      (await as("operator").call("registration-tokens.create", { body })).token,
    register(registrationToken: string, agent: Agent = {}, more: object = {}) {
      const described = { code: "edge-1", mode: "sidecar", ...agent };
      const body = { registrationToken, agent: described, ...more };
      return asPrincipal({ kind: "anonymous" }).call("agent.register", { body });
    },
  };
}
