// Checks an agent's credential and service codes before it registers. No token is consumed.

import { tokenKindOf } from "../../domain/access/credentials.ts";
import type { AgentPrincipal } from "../../domain/access/principals.ts";
import { AppError } from "../../domain/errors.ts";
import type { Labels } from "../../domain/fleet/labels.ts";
import type { RejectedService } from "../../domain/fleet/service-claims.ts";
import { findServiceOwner } from "../../store/tables/fleet/service-claims.ts";
import type { Ctx } from "../context.ts";
import { claimJudge } from "../fleet/service-claims.ts";
import { requireWellFormed } from "./registration-guard.ts";
import { judgeRegistration, underRegistrationLimit } from "./registration-rules.ts";

interface WantedCheck {
  /** A registration token, the agent's own token, or null. */
  token: string | null;
  agentCode: string;
  /** The codes of the services that the agent wants to report. */
  services: string[];
}

export function checkRegistration(ctx: Ctx, wanted: WantedCheck) {
  return underRegistrationLimit(ctx, async () => {
    const { token, services } = wanted;
    if (token !== null && tokenKindOf(token) === "agent") {
      const rejected = await rejectedOf(ctx, await agentIdOf(ctx, wanted), services);
      return { credential: "AGENT_TOKEN" as const, rejected };
    }
    const { before, token: admitted } = await requireAdmitted(ctx, wanted);
    const rejected = await rejectedOf(ctx, before?.id ?? null, services, admitted.labels);
    return { credential: "REGISTRATION_TOKEN" as const, rejected };
  });
}

async function agentIdOf({ core }: Ctx, { token, agentCode }: WantedCheck): Promise<string> {
  const agent: AgentPrincipal = await core.credentials.agent(token ?? "");
  if (agent.agentCode === agentCode) return agent.agentId;
  throw new AppError(
    "FORBIDDEN",
    `This token belongs to the agent ${agent.agentCode}, not to ${agentCode}.`,
  );
}

async function requireAdmitted(ctx: Ctx, { token, agentCode }: WantedCheck) {
  requireWellFormed(token);
  const judged = await ctx.core.db.write((tx) => judgeRegistration(ctx, tx, token, agentCode));
  if (judged instanceof AppError) throw judged;
  return judged;
}

async function rejectedOf(
  { core }: Ctx,
  agentId: string | null,
  codes: string[],
  labels: Labels | null = null,
) {
  const { read } = core.db;
  const judge = claimJudge(core, read, agentId, labels);
  const rejected: RejectedService[] = [];
  for (const code of codes) {
    const refusal = await judge(code, await findServiceOwner(read, code));
    if (refusal !== null) rejected.push(refusal);
  }
  return rejected;
}
