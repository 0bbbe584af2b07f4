// Whom a service belongs to: to the agent that reports it, for as long as that agent is alive. What
// other agents report under its code is refused meanwhile, and written down as a claim.
// (docs/decisions/0009-registration.md)

import { maxClaimsShown } from "../../domain/limits.ts";
import type { JsonObject } from "../../domain/payload/json.ts";
import type { AgentPrincipal } from "../../domain/principals.ts";
import type { RefusedService, RejectedService } from "../../domain/service-claims.ts";
import type { Service } from "../../domain/services.ts";
import { isoTime } from "../../lib/iso-time.ts";
import type { Reader, Tx } from "../../store/database.ts";
import {
  countAgentServices,
  deleteServiceClaim,
  findServiceOwner,
  insertServiceClaim,
  listAgentClaims,
  listClaimedServiceIds,
  listServiceClaims,
  type ServiceOwner,
} from "../../store/tables/service-claims.ts";
import { isAlive } from "../agent-calls/liveness.ts";
import { auditRepeated, noteAllRepeated } from "../audit/repeated-events.ts";
import type { Core, Ctx } from "../context.ts";

/** Judges the services of one report, one after the other. */
export class ClaimJudge {
  readonly #core: Core;
  readonly #db: Reader;
  /** Null: an agent that is not there yet. */
  readonly #agentId: string | null;
  #owned: number | null = null;

  constructor(core: Core, db: Reader, agentId: string | null) {
    this.#core = core;
    this.#db = db;
    this.#agentId = agentId;
  }

  /** Null when the agent has the service, or may have it; it then counts as one of the agent's. */
  async judge(code: string, owner: ServiceOwner | null): Promise<RejectedService | null> {
    if (owner !== null && owner.agentId === this.#agentId) return null;
    if (owner !== null && isAlive(this.#core, owner.agentId, owner)) {
      return { code, reason: "SERVICE_CODE_TAKEN", agentCode: owner.agentCode };
    }
    this.#owned ??= this.#agentId === null ? 0 : await countAgentServices(this.#db, this.#agentId);
    if (this.#owned >= this.#core.settings.maxServicesPerAgent) {
      return { code, reason: "SERVICE_LIMIT_REACHED", agentCode: null };
    }
    this.#owned++;
    return null;
  }
}

export function ownerOf(service: Service): ServiceOwner {
  return {
    serviceId: service.id,
    agentId: service.agentId,
    agentCode: service.agentCode,
    status: service.agentStatus,
    hasActiveToken: service.agentHasActiveToken,
    lastHeartbeatAt: service.agentLastHeartbeatAt,
  };
}

/** Whether a report that was not taken whole would be refused the same services again. */
export async function isStillRefused(
  core: Core,
  refused: readonly RefusedService[],
): Promise<boolean> {
  for (const { rejected } of refused) {
    const { code, reason, agentCode } = rejected;
    // Whatever changes the number of an agent's services also forgets its report.
    if (reason === "SERVICE_LIMIT_REACHED") continue;
    const owner = await findServiceOwner(core.db.read, code);
    // Another owner (the agent itself, too), or none: what was said is not true any more.
    if (owner === null || owner.agentCode !== agentCode) return false;
    if (!isAlive(core, owner.agentId, owner)) return false;
  }
  return true;
}

/** Writes down what was refused in an agent's newest report, and forgets what is not any more. */
export async function storeRefusals(
  ctx: Ctx,
  tx: Tx,
  { agentId }: AgentPrincipal,
  refused: readonly RefusedService[],
): Promise<void> {
  const before = new Set(await listClaimedServiceIds(tx, agentId));
  for (const { serviceId } of takenOf(refused)) {
    if (!before.delete(serviceId)) await insertServiceClaim(tx, serviceId, agentId);
  }
  for (const serviceId of before) await deleteServiceClaim(tx, serviceId, agentId);
  for (const entry of refusalsOf(agentId, refused)) await auditRepeated(ctx, tx, entry);
}

/** Tells the trail of what the agent has reported in vain once more; mostly it is only counted. */
export async function noteRefusals(
  ctx: Ctx,
  { agentId }: AgentPrincipal,
  refused: readonly RefusedService[],
): Promise<void> {
  await noteAllRepeated(ctx, refusalsOf(agentId, refused));
}

/** One for each service that is taken, and one for all that are too many. */
function refusalsOf(agentId: string, refused: readonly RefusedService[]) {
  const refusals = takenOf(refused).map(({ serviceId, rejected }) => {
    const message = `${rejected.agentCode} has the service ${rejected.code}`;
    return refusal("service", serviceId, message, { ...rejected });
  });
  const [first] = refused.filter(({ rejected }) => rejected.reason === "SERVICE_LIMIT_REACHED");
  if (!first) return refusals;
  const message = `no room for ${first.rejected.code}: the agent has as many services as it may`;
  return [...refusals, refusal("agent", agentId, message, { ...first.rejected })];
}

function takenOf(refused: readonly RefusedService[]) {
  return refused.flatMap(({ serviceId, rejected }) => {
    const isTaken = serviceId !== null && rejected.reason === "SERVICE_CODE_TAKEN";
    return isTaken ? [{ serviceId, rejected }] : [];
  });
}

function refusal(
  targetType: "agent" | "service",
  targetId: string,
  message: string,
  metadata: JsonObject,
) {
  const action = "service.claim.refused";
  return { action, targetType, targetId, result: "DENIED", message, metadata } as const;
}

/** Agents that are there and report the service without having it, longest first; at most 100. */
export async function claimsOfService(core: Core, serviceId: string) {
  const claims = await listServiceClaims(core.db.read, serviceId, maxClaimsShown);
  claims.sort((a, b) => a.since - b.since);
  return claims.map(({ agentId, agentCode, since }) => {
    return { agentId, agentCode, since: isoTime(since) };
  });
}

/** Services that the agent reports without having them. */
export async function claimsOfAgent(core: Core, agentId: string) {
  const claims = await listAgentClaims(core.db.read, agentId);
  return claims.map(({ serviceId, serviceCode, ownerId, ownerCode, since }) => {
    const owner = { agentId: ownerId, agentCode: ownerCode };
    return { serviceId, serviceCode, ...owner, since: isoTime(since) };
  });
}
