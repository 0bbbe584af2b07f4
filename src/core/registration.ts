// An agent joins: one registration token, one agent, one transaction.
// (`service.md` "Authentication" 1, "States and transitions"; `decisions.md` 2)

import type { Agent } from "../domain/agents.ts";
import { mintToken } from "../domain/credentials.ts";
import { AppError } from "../domain/errors.ts";
import type { Json } from "../domain/json.ts";
import { pollWaitSeconds } from "../domain/limits.ts";
import type { AgentPrincipal } from "../domain/principals.ts";
import { redact } from "../domain/redaction.ts";
import type { RegistrationToken } from "../domain/registration-tokens.ts";
import type { ReportedService } from "../domain/services.ts";
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
import {
  auditRejected,
  noteFailedRegistration,
  refusalOf,
  type TokenRefusal,
  tokenRefused,
} from "./registration-guard.ts";
import { storeReport } from "./reports.ts";

export interface Registration {
  /** Plain text of the registration token, which registration-guard.ts has found usable. */
  registrationToken: string;
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
 * the agent's id and ends its older tokens. Throws REGISTRATION_TOKEN_INVALID, _EXPIRED, _REVOKED or
 * _USED when the token has changed since it was looked at, and AGENT_DISABLED (the registration token is
 * then not used up).
 */
export async function registerAgent(ctx: Ctx, registration: Registration) {
  const { core } = ctx;
  const tokenHash = hashToken(registration.registrationToken);
  const agentToken = mintToken("agent", core.fillRandom);
  const refusal = { reason: null as TokenRefusal | null };

  const agentId = await core.db.write(async (tx) => {
    const found = await findRegistrationTokenByHash(tx, tokenHash);
    // It was usable a moment ago, but another registration may have been faster.
    refusal.reason = refusalOf(found, tx.now);
    if (found === null || refusal.reason !== null) {
      await auditRejected(ctx, tx, found, refusal.reason ?? "UNKNOWN");
      return null;
    }
    return enroll(ctx, tx, registration, found, hashToken(agentToken));
  });

  if (agentId === null) {
    noteFailedRegistration(core, ctx.ip);
    throw tokenRefused(refusal.reason ?? "UNKNOWN");
  }
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
): Agent {
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
  };
}
