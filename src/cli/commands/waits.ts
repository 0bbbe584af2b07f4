// `platformctl agents wait` and `services wait`.

import { agentStatuses } from "../../domain/agents.ts";
import { effectiveStatuses } from "../../domain/services.ts";
import type { Invocation } from "../command.ts";
import type { OutputOptions } from "../output.ts";
import { resolveAgent, resolveService } from "../resolve.ts";
import { waitForStatus } from "../waiting.ts";
import { printAgent } from "./agents.ts";
import { printService } from "./services.ts";

export async function waitForAgent(invocation: Invocation): Promise<number> {
  const { io, args, options, client } = invocation;
  const api = await client();
  return waitForStatus(invocation, {
    noun: "agent",
    statuses: agentStatuses,
    async look() {
      const agentId = await resolveAgent(api, args[0] ?? "");
      return api.call("agents.get", { params: { agentId } });
    },
    // An older server calls it ONLINE until it has been silent for long enough.
    stateOf: ({ status, token }) => (status === "ONLINE" && token === null ? "OFFLINE" : status),
    newsOf: ({ lastHeartbeatAt }) => String(lastHeartbeatAt),
    lasting: ["OFFLINE", "DISABLED"],
    print: (agent) => printAgent(io, options as OutputOptions, agent),
  });
}

export async function waitForService(invocation: Invocation): Promise<number> {
  const { io, args, options, client } = invocation;
  const api = await client();
  return waitForStatus(invocation, {
    noun: "service",
    statuses: effectiveStatuses,
    async look() {
      const serviceId = await resolveService(api, args[0] ?? "");
      return api.call("services.get", { params: { serviceId } });
    },
    // Health may come with a heartbeat, between two reports.
    newsOf: ({ lastReportedAt, healthChangedAt }) => `${lastReportedAt} ${healthChangedAt}`,
    lasting: ["STALE", "OFFLINE"],
    print: (service) => printService(io, options as OutputOptions, service),
  });
}
