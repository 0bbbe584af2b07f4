// Decides which agent owns a service: the agent that reports it, as long as that agent is alive.
// Reports by other agents are refused and stored as claims. (docs/decisions/0009-registration.md)

import type { AgentPrincipal } from "../../domain/access/principals.ts";
import { hasAllLabels, type Labels } from "../../domain/fleet/labels.ts";
import type { RefusedService, RejectedService } from "../../domain/fleet/service-claims.ts";
import type { Service } from "../../domain/fleet/services.ts";
import { maxClaimsShown } from "../../domain/limits.ts";
import type { JsonObject } from "../../domain/payload/json.ts";
import { isoTime } from "../../lib/iso-time.ts";
import type { Reader, Tx } from "../../store/database.ts";
import { findAgent } from "../../store/tables/fleet/agents.ts";
import {
  countAgentServices,
  deleteServiceClaim,
  findServiceOwner,
  insertServiceClaim,
  listAgentClaims,
  listClaimedServiceIds,
  listServiceClaims,
  type ServiceOwner,
} from "../../store/tables/fleet/service-claims.ts";
import { auditRepeated, noteAllRepeated } from "../audit/repeated-events.ts";
import type { Core, Ctx } from "../context.ts";
import { isAlive } from "../presence/action-targets.ts";

/**
 * Returns a function that checks the services of one report in sequence. It returns null if the
 * agent may own the service. `agentId` is null for a new agent. `labels` are those that will be
 * assigned to the agent, if they are not stored yet.
 */
export function claimJudge(
  core: Core,
  db: Reader,
  agentId: string | null,
  labels: Labels | null = null,
) {
  let owned: number | null = null;
  const mayInherit = inheritance(db, agentId, labels);
  return async (code: string, owner: ServiceOwner | null): Promise<RejectedService | null> => {
    if (owner !== null && owner.agentId === agentId) return null;
    if (owner !== null && (isAlive(core, owner.agentId, owner) || !(await mayInherit(owner)))) {
      return { code, reason: "SERVICE_CODE_TAKEN", agentCode: owner.agentCode };
    }
    owned ??= agentId === null ? 0 : await countAgentServices(db, agentId);
    if (owned >= core.settings.maxServicesPerAgent) {
      return { code, reason: "SERVICE_LIMIT_REACHED", agentCode: null };
    }
    owned++;
    return null;
  };
}

/**
 * Returns a function that reports whether the agent may take over a service that has lost its
 * owner: labels that are assigned to the service must be assigned to the agent, too.
 */
function inheritance(db: Reader, agentId: string | null, labels: Labels | null = null) {
  let ours = labels;
  return async ({ assignedLabels }: ServiceOwner): Promise<boolean> => {
    if (Object.keys(assignedLabels).length === 0) return true;
    ours ??= agentId === null ? {} : ((await findAgent(db, agentId))?.assignedLabels ?? {});
    return hasAllLabels(ours, assignedLabels);
  };
}

export function ownerOf(service: Service): ServiceOwner {
  return {
    serviceId: service.id,
    agentId: service.agentId,
    agentCode: service.agentCode,
    status: service.agentStatus,
    hasActiveToken: service.agentHasActiveToken,
    lastHeartbeatAt: service.agentLastHeartbeatAt,
    assignedLabels: service.assignedLabels,
  };
}

/** Returns whether all of these services would be refused again. */
export async function isStillRefused(
  core: Core,
  agentId: string,
  refused: readonly RefusedService[],
) {
  const mayInherit = inheritance(core.db.read, agentId);
  for (const { rejected } of refused) {
    const { code, reason, agentCode } = rejected;
    // Every change to the number of an agent's services already invalidates its cached report.
    if (reason === "SERVICE_LIMIT_REACHED") continue;
    const owner = await findServiceOwner(core.db.read, code);
    if (owner === null || owner.agentCode !== agentCode) return false;
    if (!isAlive(core, owner.agentId, owner) && (await mayInherit(owner))) return false;
  }
  return true;
}

/** Stores the refusals of an agent's newest report, and deletes the earlier ones. */
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

export async function noteRefusals(
  ctx: Ctx,
  { agentId }: AgentPrincipal,
  refused: readonly RefusedService[],
): Promise<void> {
  await noteAllRepeated(ctx, refusalsOf(agentId, refused));
}

/**
 * Returns an audit entry for each service that belongs to another agent, and one for all services
 * above the limit.
 */
function refusalsOf(agentId: string, refused: readonly RefusedService[]) {
  const refusals = takenOf(refused).map(({ serviceId, rejected }) => {
    const message = `the service ${rejected.code} belongs to the agent ${rejected.agentCode}`;
    return refusal("service", serviceId, message, { ...rejected });
  });
  const [first] = refused.filter(({ rejected }) => rejected.reason === "SERVICE_LIMIT_REACHED");
  if (!first) return refusals;
  const message = `no room for ${first.rejected.code}: the agent has reached its service limit`;
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

/**
 * Returns up to 100 live agents that report the service without owning it, sorted by the time of
 * their claims.
 */
export async function claimsOfService(core: Core, serviceId: string) {
  const claims = await listServiceClaims(core.db.read, serviceId, maxClaimsShown);
  claims.sort((a, b) => a.since - b.since);
  return claims.map(({ agentId, agentCode, since }) => {
    return { agentId, agentCode, since: isoTime(since) };
  });
}

/** Returns the services that the agent reports without owning them. */
export async function claimsOfAgent(core: Core, agentId: string) {
  const claims = await listAgentClaims(core.db.read, agentId);
  return claims.map(({ serviceId, serviceCode, ownerId, ownerCode, since }) => {
    const owner = { agentId: ownerId, agentCode: ownerCode };
    return { serviceId, serviceCode, ...owner, since: isoTime(since) };
  });
}
