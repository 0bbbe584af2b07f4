// Limits failed registrations per address and token. The limit applies before the body is
// validated, so that callers without a token cannot cause that work.
// (docs/decisions/0009-registration.md)

import {
  flawOfRegistrationToken,
  isWellFormedToken,
  tokenKindOf,
} from "../../domain/access/credentials.ts";
import { AppError } from "../../domain/errors.ts";
import {
  currentTokenStatus,
  type RegistrationToken,
  type RegistrationTokenStatus,
} from "../../domain/fleet/registration-tokens.ts";
import type { Tx } from "../../store/database.ts";
import { findRegistrationTokenByHash } from "../../store/tables/fleet/registration-tokens.ts";
import { hashToken } from "../access/credentials.ts";
import { audit } from "../audit/trail.ts";
import { type Core, type Ctx, networkOf } from "../context.ts";
import { tooMany } from "../limits/rate-window.ts";

export type TokenRefusal = Exclude<RegistrationTokenStatus, "ACTIVE"> | "UNKNOWN";

/** Throws RATE_LIMITED after too many failures from this address or with this token. */
export function requireFewFailures(core: Core, ip: string | null, token: string | null): void {
  requireRoom(core, networkOf({ ip }), "from this address");
  if (token === null) return;
  try {
    requireRoom(core, tokenKey(token), "with this registration token");
  } catch (error) {
    // Repeated attempts count towards the address's limit as well.
    noteFailedRegistration(core, ip);
    throw error;
  }
}

export function noteFailedRegistration(core: Core, ip: string | null): void {
  core.registrationFailures.note(networkOf({ ip }));
}

/** Whether an error counts as a failed registration. */
export function isGuess(error: unknown): boolean {
  if (!(error instanceof AppError)) return false;
  return /^(REGISTRATION_TOKEN_.*|AGENT_CODE_TAKEN|UNAUTHORIZED)$/.test(error.code);
}

/** Counts an invalid registration with a usable token. The token stays usable. */
export function noteInvalidRegistration(core: Core, token: string): void {
  core.registrationFailures.note(tokenKey(token));
}

/** With `orAgents`, an agent's own token is accepted as well. */
export async function requireUsableToken(
  ctx: Ctx,
  token: string | null,
  { orAgents }: { orAgents: boolean },
): Promise<void> {
  const { core, ip } = ctx;
  requireFewFailures(core, ip, token);
  try {
    if (orAgents && token !== null && tokenKindOf(token) === "agent") {
      await core.credentials.agent(token);
      return;
    }
    requireWellFormed(token);
  } catch (error) {
    if (isGuess(error)) noteFailedRegistration(core, ip);
    throw error;
  }
  const found = await findRegistrationTokenByHash(core.db.read, hashToken(token));
  // Checked again, so that concurrent guesses are limited like sequential ones.
  requireFewFailures(core, ip, token);
  const refusal = whyUnusable(found, core.now());
  if (refusal === null) return;
  noteFailedRegistration(core, ip);
  await core.db.write((tx) => auditRejected(ctx, tx, found, { reason: refusal }));
  throw tokenRefused(refusal);
}

/** Throws REGISTRATION_TOKEN_INVALID. */
export function requireWellFormed(token: string | null): asserts token is string {
  if (token !== null && isWellFormedToken("registration", token)) return;
  throw new AppError(
    "REGISTRATION_TOKEN_INVALID",
    token === null
      ? "A registration token is required: in `registrationToken` or as a bearer token."
      : `The registration token ${flawOfRegistrationToken(token)}.`,
  );
}

/** Returns null if the token can be used. */
export function whyUnusable(token: RegistrationToken | null, now: number): TokenRefusal | null {
  if (token === null) return "UNKNOWN";
  const status = currentTokenStatus(token, now);
  return status === "ACTIVE" ? null : status;
}

export function auditRejected(
  ctx: Ctx,
  tx: Tx,
  token: RegistrationToken | null,
  metadata: { reason: string; agentCode?: string },
): Promise<void> {
  return audit(ctx, tx, {
    action: "registration_token.rejected",
    targetId: token?.id ?? null,
    result: "DENIED",
    metadata,
  });
}

const refusals: Record<TokenRefusal, string> = {
  USED: "The registration token has been used: each token registers one agent, once.",
  REVOKED: "The registration token was revoked.",
  EXPIRED: "The registration token has expired.",
  UNKNOWN: "The registration token is not known to this server.",
};

export function tokenRefused(reason: TokenRefusal): AppError {
  const code = reason === "UNKNOWN" ? "INVALID" : reason;
  return new AppError(`REGISTRATION_TOKEN_${code}`, refusals[reason]);
}

function requireRoom(core: Core, key: string, where: string): void {
  const waitMs = core.registrationFailures.waitMs(key);
  if (waitMs <= 0) return;
  core.limitWatch.note("failedRegistrations", { key });
  throw tooMany(`failed registrations ${where}`, waitMs);
}

/** The key contains only the token's hash, because keys are logged. */
function tokenKey(token: string): string {
  return `token:${hashToken(token)}`;
}
