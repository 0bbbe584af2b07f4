// `platformctl agents wait` and `services wait`.

import { agentStatuses } from "../../domain/agents.ts";
import { effectiveStatuses } from "../../domain/services.ts";
import type { Invocation } from "../command.ts";
import { resolveAgent, resolveService } from "../names/resolve.ts";
import type { OutputOptions } from "../output/output.ts";
import { isMissingError, waitForStatus } from "../waiting.ts";
import { printAgent } from "./agents.ts";
import { printService } from "./services.ts";

export async function waitForAgent(invocation: Invocation): Promise<number> {
  const { io, args, options, client } = invocation;
  const api = await client();
  const look = resolvedOnce(
    () => resolveAgent(api, args[0] ?? ""),
    (agentId) => api.call("agents.get", { params: { agentId } }),
  );
  return waitForStatus(invocation, {
    noun: "agent",
    statuses: agentStatuses,
    look,
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
  const look = resolvedOnce(
    () => resolveService(api, args[0] ?? ""),
    (serviceId) => api.call("services.get", { params: { serviceId } }),
  );
  return waitForStatus(invocation, {
    noun: "service",
    statuses: effectiveStatuses,
    look,
    // Health may come with a heartbeat, between two reports.
    newsOf: ({ lastReportedAt, healthChangedAt }) => `${lastReportedAt} ${healthChangedAt}`,
    lasting: ["STALE", "OFFLINE"],
    print: (service) => printService(io, options as OutputOptions, service),
  });
}

/** Gets the same one each time, until it is gone: then the name may mean another. */
function resolvedOnce<T>(
  resolve: () => Promise<string>,
  get: (id: string) => Promise<T>,
): () => Promise<T> {
  let id: string | null = null;
  return async () => {
    id ??= await resolve();
    try {
      return await get(id);
    } catch (error) {
      if (isMissingError(error)) id = null;
      throw error;
    }
  };
}
