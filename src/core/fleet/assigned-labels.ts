// Labels that owners assign to agents and services. They take precedence over the labels that
// agents report.
// (docs/decisions/0025-approvals.md, "Labels")

import { mayActAs, roleOf } from "../../domain/access/principals.ts";
import { AppError, validationFailed } from "../../domain/errors.ts";
import type { Agent } from "../../domain/fleet/agents.ts";
import {
  changedLabels,
  hasAllLabels,
  type LabelChanges,
  type Labels,
  labelText,
} from "../../domain/fleet/labels.ts";
import { maxLabels } from "../../domain/limits.ts";
import type { Tx } from "../../store/database.ts";
import { agentLabelIndex, serviceLabelIndex } from "../../store/label-index.ts";
import { hasLabelledServices } from "../../store/tables/fleet/services.ts";
import { refreshRequirements } from "../approvals/requirements.ts";
import { audit, changedFields, changesOf } from "../audit/trail.ts";
import { noteChange } from "../changes/changes.ts";
import type { Ctx } from "../context.ts";
import { getAgent, requireAgent } from "./agents.ts";
import { getService, requireService } from "./services.ts";

export async function changeAgentLabels(ctx: Ctx, id: string, changes: LabelChanges) {
  const isChanged = await ctx.core.db.write(async (tx) => {
    const agent = await requireAgent(tx, id);
    return changeLabels(ctx, tx, "agent", agent, changes, async (labels) => {
      await agentLabelIndex.assign(tx, agent, labels);
      noteChange(ctx.core, tx, "report", id);
    });
  });
  if (isChanged) await refreshRequirements(ctx);
  return getAgent(ctx, id);
}

export async function changeServiceLabels(ctx: Ctx, id: string, changes: LabelChanges) {
  const isChanged = await ctx.core.db.write(async (tx) => {
    const service = await requireService(tx, id);
    return changeLabels(ctx, tx, "service", service, changes, async (labels) => {
      await serviceLabelIndex.assign(tx, service, labels);
      noteChange(ctx.core, tx, "service", id);
      noteChange(ctx.core, tx, "report", service.agentId);
    });
  });
  if (isChanged) await refreshRequirements(ctx);
  return getService(ctx, id);
}

interface Labelled {
  id: string;
  code: string;
  assignedLabels: Labels;
}

/**
 * Stores and audits the new labels, unless nothing changes. Returns whether anything has changed.
 * Throws VALIDATION_FAILED for too many labels.
 */
async function changeLabels(
  ctx: Ctx,
  tx: Tx,
  kind: "agent" | "service",
  labelled: Labelled,
  changes: LabelChanges,
  store: (labels: Labels) => Promise<void>,
): Promise<boolean> {
  const before = labelled.assignedLabels;
  const after = changedLabels(before, changes);
  if (Object.keys(after).length > maxLabels) {
    const message = `there can be at most ${maxLabels} labels`;
    throw validationFailed([{ path: "labels", message }]);
  }
  if (changedKeys(before, after).length === 0) return false;
  await store(after);
  await auditLabels(ctx, tx, kind, labelled, after);
  return true;
}

function changedKeys(before: Labels, after: Labels): string[] {
  return changedFields(Object.keys({ ...before, ...after }), before, after);
}

/**
 * Throws FORBIDDEN if the service would pass to an agent that lacks its labels, because that agent
 * would then get the commands that are meant for these labels. Only owners may move it there.
 */
export function requireMayMove(ctx: Ctx, service: Labelled, agent: Labelled): void {
  if (hasAllLabels(agent.assignedLabels, service.assignedLabels) || isOwner(ctx)) return;
  throw ownersOnly(
    `${service.code} has assigned labels (${labelText(service.assignedLabels)}) that the agent ` +
      `${agent.code} does not have. Only an owner can move it there.`,
  );
}

/**
 * Throws FORBIDDEN if the agent or service has assigned labels and the caller is not an owner.
 * After the deletion, it could come back without them.
 */
export function requireMayDelete(ctx: Ctx, { code, assignedLabels }: Labelled): void {
  if (Object.keys(assignedLabels).length === 0 || isOwner(ctx)) return;
  const labels = labelText(assignedLabels);
  throw ownersOnly(`${code} has assigned labels (${labels}). Only an owner can delete it.`);
}

/** Like `requireMayDelete`, for an agent and all its services. */
export async function requireMayDeleteAgent(ctx: Ctx, tx: Tx, agent: Agent): Promise<void> {
  requireMayDelete(ctx, agent);
  if (isOwner(ctx) || !(await hasLabelledServices(tx, agent.id))) return;
  const what = `Services of the agent ${agent.code} have assigned labels.`;
  throw ownersOnly(`${what} Only an owner can delete the agent.`);
}

/** Throws FORBIDDEN if the caller may not assign these labels. */
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

/** Writes the audit row about labels that replace the assigned labels of an agent or a service. */
export function auditLabels(
  ctx: Ctx,
  tx: Tx,
  kind: "agent" | "service",
  { id, code, assignedLabels: before }: Labelled,
  after: Labels,
): Promise<void> {
  const changes = changesOf(changedKeys(before, after), before, after);
  const metadata = { code, changes };
  return audit(ctx, tx, { action: `${kind}.labels.changed`, targetId: id, metadata });
}
