import { AppError } from "../../domain/errors.ts";
import type { RejectedService } from "../../domain/service-claims.ts";
import type { Emit } from "../events/events.ts";

export class RefusedServices {
  readonly #agentCode: string;
  readonly #emit: Emit;
  #refused = new Map<string, RejectedService>();

  constructor(agentCode: string, emit: Emit) {
    this.#agentCode = agentCode;
    this.#emit = emit;
  }

  /** Emits each change once. */
  note(accepted: readonly string[], rejected: readonly RejectedService[]): void {
    const before = this.#refused;
    this.#refused = new Map(rejected.map((one) => [one.code, one]));
    for (const one of rejected) {
      if (!isSame(before.get(one.code), one)) this.#emitRefused(one);
    }
    for (const code of accepted) {
      if (before.has(code)) this.#emitAccepted(code);
    }
  }

  /** Throws CAPSULE_SOURCE_FORBIDDEN, as the server does. */
  requireTaken(code: string): void {
    const refused = this.#refused.get(code);
    if (refused === undefined) return;
    throw new AppError(
      "CAPSULE_SOURCE_FORBIDDEN",
      `Cannot publish events of ${code}: the server refuses this service from this agent.`,
    );
  }

  #emitRefused({ code, reason, agentCode }: RejectedService): void {
    const why =
      reason === "SERVICE_CODE_TAKEN"
        ? `it belongs to the agent ${agentCode}, which is online. Change the code of one of the two ` +
          `services, stop that agent, or move the service with \`platformctl services move ${code} ` +
          `--to ${this.#agentCode}\`.`
        : "this agent already has the maximum number of services (PLATFORM_AGENT_MAX_SERVICES on the server).";
    this.#emit("error", `The server refuses the service ${code}: ${why}`, {
      type: "service.refused",
      serviceCode: code,
      reason,
      agentCode,
    });
  }

  #emitAccepted(code: string): void {
    const message = `The service ${code} now belongs to this agent.`;
    this.#emit("info", message, { type: "service.accepted", serviceCode: code });
  }
}

function isSame(before: RejectedService | undefined, now: RejectedService): boolean {
  return before?.reason === now.reason && before.agentCode === now.agentCode;
}
