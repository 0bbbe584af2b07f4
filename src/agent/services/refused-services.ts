// Services that the server does not take from this agent, because another one has them or because they
// are too many: told once for each change.

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

  /** What the newest report came to: codes of the services that were taken, and what was not. */
  note(taken: readonly string[], rejected: readonly RejectedService[]): void {
    const before = this.#refused;
    this.#refused = new Map(rejected.map((one) => [one.code, one]));
    for (const one of rejected) {
      if (!isSame(before.get(one.code), one)) this.#tellRefused(one);
    }
    for (const code of taken) {
      if (before.has(code)) this.#tellTaken(code);
    }
  }

  /** Throws CAPSULE_SOURCE_FORBIDDEN, as the server would. */
  requireTaken(code: string): void {
    const refused = this.#refused.get(code);
    if (refused === undefined) return;
    throw new AppError(
      "CAPSULE_SOURCE_FORBIDDEN",
      `Nothing is published in the name of ${code}: the server refuses the service from this agent.`,
    );
  }

  #tellRefused({ code, reason, agentCode }: RejectedService): void {
    const why =
      reason === "SERVICE_CODE_TAKEN"
        ? `the agent ${agentCode} has it and is online. Give the service a code of its own here or ` +
          `there, or stop that agent, or move the service with \`platformctl services move ${code} ` +
          `--to ${this.#agentCode}\`.`
        : "this agent has as many services as the server allows (PLATFORM_AGENT_MAX_SERVICES there).";
    this.#emit("error", `The service ${code} is refused: ${why}`, {
      type: "service.refused",
      serviceCode: code,
      reason,
      agentCode,
    });
  }

  #tellTaken(code: string): void {
    const message = `The service ${code} now belongs to this agent.`;
    this.#emit("info", message, { type: "service.accepted", serviceCode: code });
  }
}

function isSame(before: RejectedService | undefined, now: RejectedService): boolean {
  return before?.reason === now.reason && before.agentCode === now.agentCode;
}
