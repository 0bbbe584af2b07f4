// Decides whether a registration token admits an agent with a certain code.

import { AppError, validationFailed } from "../../domain/errors.ts";
import { type Agent, codeLikeId, isCodeInScope, looksLikeId } from "../../domain/fleet/agents.ts";
import { hasAllLabels } from "../../domain/fleet/labels.ts";
import type { RegistrationToken } from "../../domain/fleet/registration-tokens.ts";
import type { Tx } from "../../store/database.ts";
import { findAgentByCode } from "../../store/tables/fleet/agents.ts";
import { findRegistrationTokenByHash } from "../../store/tables/fleet/registration-tokens.ts";
import { hasLabelledServices } from "../../store/tables/fleet/services.ts";
import { hashToken } from "../access/credentials.ts";
import type { Core, Ctx } from "../context.ts";
import { isAlive } from "../presence/action-targets.ts";
import {
  auditRejected,
  isGuess,
  noteFailedRegistration,
  requireFewFailures,
  type TokenRefusal,
  tokenRefused,
  whyUnusable,
} from "./registration-guard.ts";

export interface AcceptedRegistration {
  token: RegistrationToken;
  /** The agent that already has the code, or null. */
  before: Agent | null;
}

/** Counts failed guesses, and throws RATE_LIMITED after too many. */
export async function underRegistrationLimit<T>(ctx: Ctx, work: () => Promise<T>): Promise<T> {
  requireFewFailures(ctx.core, ctx.ip, null);
  try {
    return await work();
  } catch (error) {
    if (isGuess(error)) noteFailedRegistration(ctx.core, ctx.ip);
    throw error;
  }
}

/** Returns refusals instead of throwing them, because a throw would undo their audit rows. */
export async function judgeRegistration(ctx: Ctx, tx: Tx, plainToken: string, code: string) {
  const token = await findRegistrationTokenByHash(tx, hashToken(plainToken));
  const before = await findAgentByCode(tx, code);
  const judged = await judge(ctx.core, tx, token, before, code);
  if ("token" in judged) return judged;
  const { error, reason } = judged;
  // The agent code is meaningless if the token is unknown.
  await auditRejected(ctx, tx, token, { reason, ...(token && { agentCode: code }) });
  return error;
}

interface Refusal {
  /** The reason that the audit trail records. */
  reason: string;
  error: AppError;
}

async function judge(
  core: Core,
  tx: Tx,
  token: RegistrationToken | null,
  before: Agent | null,
  code: string,
): Promise<AcceptedRegistration | Refusal> {
  if (token === null) return refusedAs("UNKNOWN");
  const unusable = whyUnusable(token, tx.now);
  if (unusable !== null) return refusedAs(unusable);
  if (token.agentCode !== null && !isCodeInScope(code, token.agentCode)) {
    return notForThisAgent(token.agentCode, code);
  }
  if (before?.status === "DISABLED") {
    throw new AppError(
      "AGENT_DISABLED",
      `The agent ${before.code} is disabled: an operator must enable it before it can register.`,
    );
  }
  if (before === null && looksLikeId(code)) {
    throw validationFailed([{ path: "agent.code", message: codeLikeId }]);
  }
  const isTaken = before !== null && !token.replace && isAlive(core, before.id, before);
  if (isTaken) return codeTaken(code);
  return before && !(await mayInherit(tx, token, before)) ? needsLabels(code) : { token, before };
}

/**
 * Whoever registers with the code of an agent that has assigned labels gets the commands that are
 * meant for these labels. An owner must have agreed to that, so the token must have the same
 * labels. If the agent's services have assigned labels, an owner must have created the token.
 */
async function mayInherit(tx: Tx, token: RegistrationToken, before: Agent): Promise<boolean> {
  if (!hasAllLabels(token.labels, before.assignedLabels)) return false;
  return token.ownerMade || !(await hasLabelledServices(tx, before.id));
}

function needsLabels(code: string): Refusal {
  const error = new AppError(
    "REGISTRATION_TOKEN_NOT_FOR_THIS_AGENT",
    `The agent ${code} or its services have assigned labels. An owner must create a registration ` +
      "token for it, with the labels that are assigned to the agent. This token was not consumed.",
    { details: { agentCode: code } },
  );
  return { reason: "LACKS_LABELS", error };
}

function codeTaken(code: string): Refusal {
  const error = new AppError(
    "AGENT_CODE_TAKEN",
    `An agent with the code ${code} is registered and online, and this registration token may not ` +
      "replace it. The token was not consumed.",
    { details: { agentCode: code } },
  );
  return { reason: "AGENT_CODE_TAKEN", error };
}

function notForThisAgent(scope: string, code: string): Refusal {
  const error = new AppError(
    "REGISTRATION_TOKEN_NOT_FOR_THIS_AGENT",
    `The registration token is for ${scope}, not for an agent with the code ${code}. It was not ` +
      "consumed.",
    { details: { agentCode: scope } },
  );
  return { reason: "NOT_FOR_THIS_AGENT", error };
}

function refusedAs(reason: TokenRefusal): Refusal {
  return { reason, error: tokenRefused(reason) };
}
