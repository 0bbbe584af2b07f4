// An agent joins: one registration token, one agent, one transaction.
// (`service.md` "Authentication" 1, "States and transitions"; `decisions.md` 2)

import type { Agent } from "../domain/agents.ts";
import { isWellFormedToken, mintToken } from "../domain/credentials.ts";
import { AppError } from "../domain/errors.ts";
import type { Json } from "../domain/json.ts";
import { pollWaitSeconds } from "../domain/limits.ts";
import type { AgentPrincipal } from "../domain/principals.ts";
import { redact } from "../domain/redaction.ts";
import {
  currentTokenStatus,
  type RegistrationToken,
  type RegistrationTokenStatus,
} from "../domain/registration-tokens.ts";
import type { ReportedService } from "../domain/services.ts";
import { clientNetwork } from "../lib/addresses.ts";
import { insertAgentToken, revokeAgentTokens } from "../store/agent-tokens.ts";
import { findAgentByCode, saveAgent } from "../store/agents.ts";
import type { Tx } from "../store/database.ts";
import {
  consumeRegistrationToken,
  findRegistrationTokenByHash,
} from "../store/registration-tokens.ts";
import { audit } from "./audit-trail.ts";
import type { Ctx } from "./context.ts";
import { hashToken } from "./credentials.ts";
import { agentKey } from "./doorbell.ts";
import { storeReport } from "./reports.ts";

export interface Registration {
  /** Plain text of the registration token; null when the caller sent none. */
  registrationToken: string | null;
  agent: {
    code: string;
    name?: string | undefined;
    mode: string;
    runtime?: Json | undefined;
    version?: string | undefined;
    labels?: Record<string, string> | undefined;
  };
  services: ReportedService[];
}

/**
 * Registers an agent and answers its token, which is never shown again. The same code again keeps
 * the agent's id and ends its older tokens. Throws REGISTRATION_TOKEN_INVALID, _EXPIRED, _REVOKED,
 * _USED, AGENT_DISABLED (the registration token is then not used up), and RATE_LIMITED for an
 * address that has failed too often.
 */
export async function registerAgent(ctx: Ctx, registration: Registration) {
  const { core } = ctx;
  const address = clientNetwork(ctx.ip ?? "here");
  core.registrationFailures.require(address, "failed registrations from this address");
  try {
    return await register(ctx, registration);
  } catch (error) {
    if (isGuess(error)) core.registrationFailures.note(address);
    throw error;
  }
}

/** A wrong token, not a server that cannot write. */
function isGuess(error: unknown): boolean {
  return error instanceof AppError && error.code.startsWith("REGISTRATION_TOKEN_");
}

async function register(ctx: Ctx, registration: Registration) {
  const { core } = ctx;
  const token = registration.registrationToken;
  if (token === null || !isWellFormedToken("registration", token)) {
    throw new AppError(
      "REGISTRATION_TOKEN_INVALID",
      token === null
        ? "A registration token is needed: in `registrationToken` or as a bearer token."
        : "The registration token is mistyped or cut: its checksum is wrong.",
    );
  }
  const tokenHash = hashToken(token);
  const agentToken = mintToken("agent", core.fillRandom);
  const refusal = { reason: null as RegistrationTokenStatus | "UNKNOWN" | null };

  const agentId = await core.db.write(async (tx) => {
    const found = await findRegistrationTokenByHash(tx, tokenHash);
    const status = found === null ? "UNKNOWN" : currentTokenStatus(found, tx.now);
    if (found === null || status !== "ACTIVE") {
      refusal.reason = status;
      await auditRejected(ctx, tx, found, status);
      return null;
    }
    return enroll(ctx, tx, registration, found, hashToken(agentToken));
  });

  if (agentId === null) throw tokenRefused(refusal.reason);
  return {
    agentId,
    agentToken,
    heartbeatIntervalSeconds: core.settings.heartbeatIntervalSeconds,
    reportIntervalSeconds: core.settings.reportIntervalSeconds,
    pollWaitSeconds: pollWaitSeconds.default,
  };
}

async function enroll(
  ctx: Ctx,
  tx: Tx,
  registration: Registration,
  token: RegistrationToken,
  agentTokenHash: string,
): Promise<string> {
  const { core } = ctx;
  const before = await findAgentByCode(tx, registration.agent.code);
  if (before?.status === "DISABLED") {
    throw new AppError(
      "AGENT_DISABLED",
      `The agent ${before.code} is disabled: an operator must enable it before it can register.`,
    );
  }
  const agent = describe(registration, before, core.newId, tx.now);
  await saveAgent(tx, agent);
  if (before) await revokeAgentTokens(tx, agent.id, "ROTATED");
  const tokenId = core.newId("atk");
  await insertAgentToken(tx, {
    id: tokenId,
    agentId: agent.id,
    hash: agentTokenHash,
    registrationTokenId: token.id,
  });
  await consumeRegistrationToken(tx, token.id, agent.id);

  const principal: AgentPrincipal = {
    kind: "agent",
    agentId: agent.id,
    agentCode: agent.code,
    tokenId,
  };
  const asAgent: Ctx = { ...ctx, principal };
  await audit(asAgent, tx, {
    action: "registration_token.consumed",
    targetType: "registration_token",
    targetId: token.id,
    metadata: { agentId: agent.id },
  });
  await audit(asAgent, tx, {
    action: before ? "agent.token.rotated" : "agent.registered",
    targetType: "agent",
    targetId: agent.id,
    metadata: { code: agent.code, mode: agent.mode, registrationTokenId: token.id },
  });
  await storeReport(asAgent, tx, agent.id, registration.services);
  tx.afterCommit(() => {
    if (before) core.credentials.forget();
    core.reportCache.forgetAgent(agent.id);
    core.doorbell.ring(agentKey(agent.id));
  });
  return agent.id;
}

function describe(
  registration: Registration,
  before: Agent | null,
  newId: (prefix: string) => string,
  now: number,
): Omit<Agent, "hasActiveToken"> {
  const { code, name, mode, runtime, version, labels } = registration.agent;
  return {
    id: before?.id ?? newId("agt"),
    code,
    name: redact(name ?? null),
    mode,
    runtime: redact(runtime ?? null),
    version: redact(version ?? null),
    labels: redact(labels ?? {}),
    status: "ONLINE",
    registeredAt: before?.registeredAt ?? now,
    updatedAt: now,
    lastHeartbeatAt: now,
    disabledAt: null,
    stoppedAt: null,
  };
}

async function auditRejected(
  ctx: Ctx,
  tx: Tx,
  token: RegistrationToken | null,
  reason: string,
): Promise<void> {
  await audit(ctx, tx, {
    action: "registration_token.rejected",
    targetType: "registration_token",
    targetId: token?.id ?? null,
    result: "DENIED",
    metadata: { reason },
  });
}

function tokenRefused(reason: RegistrationTokenStatus | "UNKNOWN" | null): AppError {
  switch (reason) {
    case "USED":
      return new AppError(
        "REGISTRATION_TOKEN_USED",
        "The registration token has been used: each one registers one agent, once.",
      );
    case "REVOKED":
      return new AppError("REGISTRATION_TOKEN_REVOKED", "The registration token was revoked.");
    case "EXPIRED":
      return new AppError("REGISTRATION_TOKEN_EXPIRED", "The registration token has expired.");
    default:
      return new AppError(
        "REGISTRATION_TOKEN_INVALID",
        "The registration token is not known here.",
      );
  }
}
