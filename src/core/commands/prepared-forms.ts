// What prepares have returned: the forms of executions, and the states that they can depend on.
// (docs/decisions/0007-two-phase-actions.md)

import type { Command } from "../../domain/commands/commands.ts";
import { AppError, validationFailed } from "../../domain/errors.ts";
import type { ActionEntry } from "../../domain/fleet/services.ts";
import { planSeconds, stateFingerprintMaxLength } from "../../domain/limits.ts";
import { isJsonObject, type JsonObject } from "../../domain/payload/json.ts";
import { defaultsOf } from "../../domain/payload/json-schema.ts";
import type { Reader } from "../../store/database.ts";
import { findResult } from "../../store/tables/commands/command-results.ts";
import { findCommand } from "../../store/tables/commands/commands.ts";
import type { ActionTarget } from "../presence/action-targets.ts";

type PreparedForm = ReturnType<typeof preparedOf>;

/** Returns the form that the agent sent, completed from the catalog. */
export function preparedOf(output: unknown, action: ActionEntry) {
  const sent = isJsonObject(output) ? output : {};
  const inputSchema = isJsonObject(sent.inputSchema) ? sent.inputSchema : action.inputSchema;
  const { initialPayload } = sent;
  return {
    inputSchema,
    initialPayload: isJsonObject(initialPayload) ? initialPayload : defaultsOf(inputSchema),
    currentState: sent.currentState ?? null,
    stateFingerprint: fingerprintIn(sent),
  };
}

function fingerprintIn({ stateFingerprint }: JsonObject): string | null {
  if (typeof stateFingerprint !== "string" || stateFingerprint === "") return null;
  return stateFingerprint.length > stateFingerprintMaxLength ? null : stateFingerprint;
}

/** Returns the schema that the agent sent, or null. */
export async function preparedSchemaOf(db: Reader, prepareCommandId: string) {
  const output = (await findResult(db, prepareCommandId, "outcome"))?.output;
  if (!isJsonObject(output) || !isJsonObject(output.inputSchema)) return null;
  return output.inputSchema;
}

/** The condition under which an agent runs a command. */
export interface Condition {
  /** Whether the state must be the one that the prepare command returned. */
  ifUnchanged?: boolean | undefined;
  /**
   * The state that a retry takes over from the original command; null if that command has no
   * condition.
   */
  expectedState?: string | null;
  /** The command that is retried. Only its agent can compare the state. */
  stateFrom?: StateSource;
}

type StateSource = Pick<Command, "id" | "agentId" | "agentCode">;

/** The schema of an execution's payload, and the state that its agent compares. */
export interface ExecutionTerms {
  schema: JsonObject;
  expectedState: string | null;
}

/**
 * A payload must match the schema of the named prepare, or the catalog's schema if none is named.
 */
export async function termsOf(
  db: Reader,
  target: ActionTarget,
  prepareCommandId: string | null,
  { ifUnchanged = false, expectedState = null, stateFrom }: Condition,
  now: number,
): Promise<ExecutionTerms> {
  if (ifUnchanged) {
    const { form } = await formWithState(db, target, prepareCommandId, now);
    return { schema: form.inputSchema, expectedState: form.stateFingerprint };
  }
  if (expectedState !== null) {
    requireFeature(target);
    if (stateFrom) {
      const { id, agentCode } = stateFrom;
      const what = `${id} depends on a state that ${agentCode} reported`;
      requireSameAgent(stateFrom, target, what, { commandId: id });
    }
  }
  if (prepareCommandId === null) return { schema: target.action.inputSchema, expectedState };
  const prepare = await findCommand(db, prepareCommandId);
  const problem = problemOfPrepare(prepare, prepareCommandId, target);
  if (problem !== null) throw unusable("COMMAND_NOT_FOUND", { prepareCommandId }, problem);
  const schema = (await preparedSchemaOf(db, prepareCommandId)) ?? target.action.inputSchema;
  return { schema, expectedState };
}

/** Returns null if there was no prepare command or if it was deleted. */
export async function keptPrepare(db: Reader, id: string | null): Promise<string | null> {
  return id !== null && (await findCommand(db, id)) ? id : null;
}

/**
 * Returns the form of a prepare command whose state an execution can depend on, and until when it
 * can. Throws PLAN_NOT_SUPPORTED, STATE_NOT_REPORTED, PREPARE_UNUSABLE, PLAN_EXPIRED and
 * VALIDATION_FAILED.
 */
export async function formWithState(
  db: Reader,
  target: ActionTarget,
  prepareCommandId: string | null,
  now: number,
) {
  const { action } = target;
  requireFeature(target);
  if (!action.prepare) throw noState(`${action.name} has no prepare phase, so it reports no state`);
  if (prepareCommandId === null) {
    const message = "is required with ifUnchanged";
    throw validationFailed([{ path: "prepareCommandId", message }]);
  }
  const prepare = await findCommand(db, prepareCommandId);
  const problem = problemOfPrepare(prepare, prepareCommandId, target);
  if (problem !== null) throw unusable("PREPARE_UNUSABLE", { prepareCommandId }, problem);
  const found = prepare as Command;
  const what = `${found.agentCode} prepared ${prepareCommandId}`;
  requireSameAgent(found, target, what, { prepareCommandId });
  const expiresAt = (found.completedAt ?? found.createdAt) + planSeconds * 1000;
  if (expiresAt <= now) {
    const message = `The prepare command ${prepareCommandId} ended more than an hour ago. Prepare the action again.`;
    throw new AppError("PLAN_EXPIRED", message, { details: { prepareCommandId } });
  }
  const output = (await findResult(db, prepareCommandId, "outcome"))?.output;
  const form = preparedOf(output, action);
  const { stateFingerprint } = form;
  if (stateFingerprint === null)
    throw noState(`the prepare command ${prepareCommandId} reported no state`);
  return { form: { ...form, stateFingerprint }, expiresAt };
}

export function canPlan({ service }: ActionTarget, form: PreparedForm): boolean {
  return service.agentFeatures.includes("plan") && form.stateFingerprint !== null;
}

function requireFeature({ service }: ActionTarget): void {
  const { agentId, agentCode, agentFeatures } = service;
  if (agentFeatures.includes("plan")) return;
  throw new AppError(
    "PLAN_NOT_SUPPORTED",
    `The agent ${agentCode} cannot compare the state before it runs an action. Upgrade its program, ` +
      "or run the action without this condition.",
    { details: { agentId, agentCode } },
  );
}

/** Throws if the agent that reported the state is no longer the one that would compare it. */
function requireSameAgent(
  { agentId }: StateSource,
  { service }: ActionTarget,
  what: string,
  details: object,
): void {
  if (agentId === service.agentId) return;
  const message = `${what}, but the service ${service.code} belongs to ${service.agentCode} now`;
  throw unusable("PREPARE_UNUSABLE", details, { reason: "OTHER_AGENT", message });
}

function noState(why: string): AppError {
  const message = `There is no state to compare: ${why}. Run the action without this condition.`;
  return new AppError("STATE_NOT_REPORTED", message);
}

interface PrepareProblem {
  reason: string;
  message: string;
}

function problemOfPrepare(
  prepare: Command | null,
  id: string,
  { action, service }: ActionTarget,
): PrepareProblem | null {
  if (!prepare) return { reason: "UNKNOWN", message: `There is no command ${id}` };
  const { type, status, errorCode } = prepare;
  if (type !== "ACTION_PREPARE") {
    return { reason: "NOT_A_PREPARE", message: `${id} is an execution, not a prepare command` };
  }
  if (prepare.serviceId !== service.id || prepare.action !== action.name) {
    const message =
      `${id} prepared ${prepare.action} on ${prepare.serviceCode}, not ${action.name} on ` +
      service.code;
    return { reason: "OTHER_ACTION", message };
  }
  if (status === "SUCCEEDED") return null;
  if (status === "FAILED") {
    return { reason: status, message: `The prepare command ${id} failed with ${errorCode}` };
  }
  if (status === "CANCELLED") {
    return { reason: status, message: `The prepare command ${id} was cancelled` };
  }
  return { reason: "UNFINISHED", message: `The prepare command ${id} has not ended yet` };
}

function unusable(
  code: "COMMAND_NOT_FOUND" | "PREPARE_UNUSABLE",
  details: object,
  { reason, message }: PrepareProblem,
): AppError {
  const advice = reason === "UNFINISHED" ? "Wait for it" : "Prepare the action again";
  return new AppError(code, `${message}. ${advice}.`, { details: { ...details, reason } });
}
