// Registers agents. (docs/decisions/0009-registration.md)

import type { agentEndpoints } from "../../api/agent-endpoints.ts";
import { mintToken } from "../../domain/access/credentials.ts";
import type { AgentPrincipal } from "../../domain/access/principals.ts";
import { AppError } from "../../domain/errors.ts";
import { type Agent, knownFeatures } from "../../domain/fleet/agents.ts";
import type { Labels } from "../../domain/fleet/labels.ts";
import type { RefusedService } from "../../domain/fleet/service-claims.ts";
import type { ReportedService } from "../../domain/fleet/services.ts";
import { pollWaitSeconds } from "../../domain/limits.ts";
import { redact } from "../../domain/secrets/redaction.ts";
import { jsonEqual } from "../../lib/json/json-equal.ts";
import type { Tx } from "../../store/database.ts";
import { insertAgentToken, revokeAgentTokens } from "../../store/tables/access/agent-tokens.ts";
import { saveAgent } from "../../store/tables/fleet/agents.ts";
import { consumeRegistrationToken } from "../../store/tables/fleet/registration-tokens.ts";
import { hashToken } from "../access/credentials.ts";
import { refreshRequirements } from "../approvals/requirements.ts";
import { audit } from "../audit/trail.ts";
import { noteChange } from "../changes/changes.ts";
import { stopRedelivery } from "../commands/agent-instances.ts";
import type { Ctx } from "../context.ts";
import { auditLabels } from "../fleet/assigned-labels.ts";
import type { Body } from "../handlers.ts";
import { requireWellFormed } from "./registration-guard.ts";
import {
  type AcceptedRegistration,
  judgeRegistration,
  underRegistrationLimit,
} from "./registration-rules.ts";
import { rejectedOf, storeReport } from "./reports.ts";

interface Registration {
  registrationToken: string | null;
  agent: Body<typeof agentEndpoints, "agent.register">["agent"];
  services: ReportedService[];
}

/**
 * Registering a known code keeps the agent's id and revokes its older tokens. While that agent is
 * alive, this requires a token with `replace`. A refusal does not consume the registration token.
 */
export function registerAgent(ctx: Ctx, registration: Registration) {
  return underRegistrationLimit(ctx, () => register(ctx, registration));
}

async function register(ctx: Ctx, registration: Registration) {
  const { core } = ctx;
  const { registrationToken: plainToken } = registration;
  requireWellFormed(plainToken);
  const agentToken = mintToken("agent", core.fillRandom);
  const outcome = await core.db.write(async (tx) => {
    const judged = await judgeRegistration(ctx, tx, plainToken, registration.agent.code);
    if (judged instanceof AppError) return judged;
    return enroll(ctx, tx, registration, judged, hashToken(agentToken));
  });
  if (outcome instanceof AppError) throw outcome;
  if (outcome.isRelabelled) await refreshRequirements(ctx);
  return {
    agentId: outcome.agentId,
    agentToken,
    heartbeatIntervalSeconds: core.settings.agentHeartbeatIntervalSeconds,
    reportIntervalSeconds: core.settings.agentReportIntervalSeconds,
    pollWaitSeconds: pollWaitSeconds.default,
    ...rejectedOf(outcome.refused),
  };
}

async function enroll(
  ctx: Ctx,
  tx: Tx,
  registration: Registration,
  { token, before }: AcceptedRegistration,
  agentTokenHash: string,
): Promise<{ agentId: string; isRelabelled: boolean; refused: RefusedService[] }> {
  const { core } = ctx;
  const agent = describe(ctx, tx, registration, before, token.labels);
  await saveAgent(tx, agent);
  if (before) {
    await revokeAgentTokens(tx, agent.id, "ROTATED");
    await stopRedelivery(tx, agent.id);
  }
  const tokenId = core.newId("atk");
  const agentToken = { id: tokenId, agentId: agent.id, hash: agentTokenHash };
  await insertAgentToken(tx, { ...agentToken, registrationTokenId: token.id });
  await consumeRegistrationToken(tx, token.id, agent.id);

  const { id: agentId, code: agentCode } = agent;
  const principal: AgentPrincipal = { kind: "agent", agentId, agentCode, tokenId };
  const asAgent: Ctx = { ...ctx, principal };
  await audit(asAgent, tx, {
    action: "registration_token.consumed",
    targetId: token.id,
    metadata: { name: token.name, agentId, agentCode },
  });
  await audit(asAgent, tx, {
    action: before ? "agent.token.rotated" : "agent.registered",
    targetId: agent.id,
    metadata: { code: agent.code, mode: agent.mode, registrationTokenId: token.id },
  });
  const labelled = { ...agent, assignedLabels: before?.assignedLabels ?? {} };
  const isChanged = !jsonEqual(labelled.assignedLabels, agent.assignedLabels);
  if (isChanged) await auditLabels(asAgent, tx, "agent", labelled, agent.assignedLabels);
  const { refused } = await storeReport(asAgent, tx, principal, registration.services);
  noteChange(core, tx, before ? "agent" : "report", agentId);
  return { agentId, isRelabelled: before !== null && isChanged, refused };
}

function describe(
  { core }: Ctx,
  { now }: Tx,
  { agent }: Registration,
  before: Agent | null,
  assignedLabels: Labels,
) {
  const { code, name, mode, runtime, version, labels, features = [] } = agent;
  return {
    id: before?.id ?? core.newId("agt"),
    code,
    name: redact(name ?? null),
    mode,
    runtime: redact(runtime ?? null),
    version: redact(version ?? null),
    labels: redact(labels ?? {}),
    assignedLabels,
    features: knownFeatures(features),
    status: "ONLINE" as const,
    registeredAt: before?.registeredAt ?? now,
    updatedAt: now,
    lastHeartbeatAt: now,
    disabledAt: null,
    stoppedAt: null,
  };
}
