// Labels that owners assign to agents and services, which win over those that agents report.
// (docs/decisions/0025-approvals.md, "Labels")

import { AppError, validationFailed } from "../../domain/errors.ts";
import {
  changedLabels,
  hasAllLabels,
  type LabelChanges,
  type Labels,
  labelText,
} from "../../domain/labels.ts";
import { maxLabels } from "../../domain/limits.ts";
import { mayActAs, roleOf } from "../../domain/principals.ts";
import type { Tx } from "../../store/database.ts";
import { setAssignedAgentLabels } from "../../store/tables/agents.ts";
import { setAssignedServiceLabels } from "../../store/tables/services.ts";
import { refreshRequirements } from "../approvals/carrying-out.ts";
import { audit } from "../audit/trail.ts";
import type { Ctx } from "../context.ts";
import { noteChange } from "../memory/changes.ts";
import { getAgent, requireAgent } from "./agents.ts";
import { getService, requireService } from "./services.ts";

export async function changeAgentLabels(ctx: Ctx, id: string, changes: LabelChanges) {
  const isChanged = await ctx.core.db.write(async (tx) => {
    const agent = await requireAgent(tx, id);
    const { code, assignedLabels: before } = agent;
    const after = assignable(before, changes);
    const metadata = { code, changes: differences(before, after) };
    if (Object.keys(metadata.changes).length === 0) return false;
    await setAssignedAgentLabels(tx, agent, after);
    await audit(ctx, tx, { action: "agent.labels.changed", targetId: id, metadata });
    noteChange(ctx.core, tx, "report", id);
    return true;
  });
  if (isChanged) await refreshRequirements(ctx);
  return getAgent(ctx, id);
}

export async function changeServiceLabels(ctx: Ctx, id: string, changes: LabelChanges) {
  const isChanged = await ctx.core.db.write(async (tx) => {
    const service = await requireService(tx, id);
    const { code, assignedLabels: before } = service;
    const after = assignable(before, changes);
    const metadata = { code, changes: differences(before, after) };
    if (Object.keys(metadata.changes).length === 0) return false;
    await setAssignedServiceLabels(tx, service, after);
    await audit(ctx, tx, { action: "service.labels.changed", targetId: id, metadata });
    noteChange(ctx.core, tx, "service", id);
    noteChange(ctx.core, tx, "report", service.agentId);
    return true;
  });
  if (isChanged) await refreshRequirements(ctx);
  return getService(ctx, id);
}

/** Throws VALIDATION_FAILED for too many labels. */
function assignable(before: Labels, changes: LabelChanges): Labels {
  const after = changedLabels(before, changes);
  if (Object.keys(after).length <= maxLabels) return after;
  throw validationFailed([{ path: "labels", message: `there can be at most ${maxLabels} labels` }]);
}

function differences(before: Labels, after: Labels) {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...keys].filter((key) => before[key] !== after[key]);
  return Object.fromEntries(
    changed.map((key) => [key, { from: before[key] ?? null, to: after[key] ?? null }]),
  );
}

interface Labelled {
  code: string;
  assignedLabels: Labels;
}

/**
 * Throws FORBIDDEN if the service would pass to an agent that lacks its labels, because that agent
 * would then be sent what is meant for these labels. Owners may do that.
 */
export function requireMayMove(ctx: Ctx, service: Labelled, agent: Labelled): void {
  if (hasAllLabels(agent.assignedLabels, service.assignedLabels) || isOwner(ctx)) return;
  throw ownersOnly(
    `${service.code} has assigned labels (${labelText(service.assignedLabels)}) that the agent ` +
      `${agent.code} does not have. Only an owner can move it there.`,
  );
}

/** Throws FORBIDDEN if the labels would be lost: the service can come back without them. */
export function requireMayDelete(ctx: Ctx, { code, assignedLabels }: Labelled): void {
  if (Object.keys(assignedLabels).length === 0 || isOwner(ctx)) return;
  const labels = labelText(assignedLabels);
  throw ownersOnly(`${code} has assigned labels (${labels}). Only an owner can delete it.`);
}

/** Throws FORBIDDEN if the caller may not create something that assigns these labels. */
export function requireMayAssign(ctx: Ctx, labels: Labels): void {
  if (Object.keys(labels).length === 0 || isOwner(ctx)) return;
  throw ownersOnly("Only an owner can assign labels.");
}

export function isOwner({ principal }: Ctx): boolean {
  return mayActAs(roleOf(principal), "owner");
}

function ownersOnly(message: string): AppError {
  return new AppError("FORBIDDEN", message, { details: { needed: "owner" } });
}

/** Writes the audit row of labels that a registration token has assigned. */
export function auditTokenLabels(
  ctx: Ctx,
  tx: Tx,
  agent: Labelled & { id: string },
  before: Labels,
): Promise<void> {
  const metadata = { code: agent.code, changes: differences(before, agent.assignedLabels) };
  return audit(ctx, tx, { action: "agent.labels.changed", targetId: agent.id, metadata });
}
