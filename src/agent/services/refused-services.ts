import { AppError } from "../../domain/errors.ts";
import type { RejectedService } from "../../domain/fleet/service-claims.ts";
import type { Emit } from "../events/events.ts";

export type RefusedServices = ReturnType<typeof createRefusedServices>;

export function createRefusedServices(ownCode: string, emit: Emit) {
  let refused = new Map<string, RejectedService>();

  /** Emits each change once. */
  function note(accepted: readonly string[], rejected: readonly RejectedService[]): void {
    const before = refused;
    refused = new Map(rejected.map((one) => [one.code, one]));
    for (const one of rejected) {
      if (!isSame(before.get(one.code), one)) emitRefused(one);
    }
    for (const code of accepted) {
      if (before.has(code)) emitAccepted(code);
    }
  }

  /** Throws CAPSULE_SOURCE_FORBIDDEN for a refused service, as the server would. */
  function requireTaken(code: string): void {
    if (!refused.has(code)) return;
    throw new AppError(
      "CAPSULE_SOURCE_FORBIDDEN",
      `Cannot publish events of ${code}: the server refuses this service from this agent.`,
    );
  }

  function emitRefused({ code, reason, agentCode }: RejectedService): void {
    const why =
      reason === "SERVICE_CODE_TAKEN"
        ? `it belongs to the agent ${agentCode}. If it was moved to that agent, remove it from this ` +
          "agent's configuration. Otherwise, change the code of one of the two services, or move the " +
          `service with \`platformctl services move ${code} --to ${ownCode}\`.`
        : "this agent already has the maximum number of services (PLATFORM_AGENT_MAX_SERVICES on the server).";
    emit("error", `The server refuses the service ${code}: ${why}`, {
      type: "service.refused",
      serviceCode: code,
      reason,
      agentCode,
    });
  }

  function emitAccepted(code: string): void {
    const message = `The service ${code} now belongs to this agent.`;
    emit("info", message, { type: "service.accepted", serviceCode: code });
  }

  return { note, requireTaken };
}

function isSame(before: RejectedService | undefined, now: RejectedService): boolean {
  return before?.reason === now.reason && before.agentCode === now.agentCode;
}
