// Decides who may make a call, before its body is read.

import type { RouteRules } from "../api/contract/route.ts";
import {
  noteFailedRegistration,
  noteInvalidRegistration,
  requireFewFailures,
  requireUsableToken,
} from "../core/agent-calls/registration-guard.ts";
import { noteRepeated } from "../core/audit/repeated-events.ts";
import type { Core, Ctx } from "../core/context.ts";
import { isMetricsKey, mayActAs, type Principal, roleOf } from "../domain/access/principals.ts";
import { AppError } from "../domain/errors.ts";
import { isJsonObject } from "../domain/payload/json.ts";

interface Admitted {
  route: string;
  params: Record<string, unknown>;
  /** The bearer token of a call with the access `registration`; null for other calls. */
  bearer: string | null;
}

/** Throws unless the caller may make the call. */
export async function admit(ctx: Ctx, call: Admitted, spec: RouteRules): Promise<void> {
  const { core, principal, ip } = ctx;
  const refusal = refusalFor(spec, call.params, principal);
  if (refusal) {
    await noteDenied(ctx, call.route, spec);
    throw refusal;
  }
  if (spec.bus && !core.settings.busEnabled) throw busDisabled();
  if (spec.access === "registration") requireFewFailures(core, ip, call.bearer);
}

function refusalFor(
  spec: RouteRules,
  params: Record<string, unknown>,
  principal: Principal,
): AppError | null {
  switch (spec.access) {
    case "public":
    case "registration":
      return null;
    case "agent":
      if (principal.kind !== "agent") return unauthorized();
      return params.agentId === undefined || params.agentId === principal.agentId
        ? null
        : new AppError("FORBIDDEN", "The agent id in the path does not belong to this token.");
    default: {
      if (isMetricsKey(principal)) return spec.metrics ? null : metricsOnly();
      const role = roleOf(principal);
      if (role === null) return unauthorized();
      if (mayActAs(role, spec.access)) return null;
      const who = principal.kind === "user" ? principal.username : "this API key";
      const message = `This call requires the ${spec.access} role, and ${who} has the ${role} role.`;
      return new AppError("FORBIDDEN", message, { details: { role, needed: spec.access } });
    }
  }
}

/** Records a call that the operator's role does not allow. Repetitions become one summary row. */
async function noteDenied(ctx: Ctx, route: string, spec: RouteRules): Promise<void> {
  const role = isMetricsKey(ctx.principal) ? "metrics" : roleOf(ctx.principal);
  if (role === null) return;
  await noteRepeated(ctx, {
    action: "access.denied",
    targetType: "route",
    targetId: route,
    result: "DENIED",
    metadata: { needed: spec.access, role },
  });
}

function busDisabled(): AppError {
  return new AppError(
    "CAPSULE_BUS_DISABLED",
    "The event bus is off. To enable it, start the server with PLATFORM_CAPSULE_BUS_ENABLED=true.",
  );
}

function metricsOnly(): AppError {
  return new AppError("FORBIDDEN", "This API key can only read metrics.", {
    details: { role: "metrics" },
  });
}

function unauthorized(): AppError {
  return new AppError("UNAUTHORIZED", "This call requires a credential.");
}

/** Throws unless the registration token, from the body or the header, can be used. */
export async function admitRegistration(
  ctx: Ctx,
  call: Pick<Admitted, "bearer">,
  body: unknown,
  spec: RouteRules,
): Promise<void> {
  const token = registrationTokenOf(call, body);
  await requireUsableToken(ctx, token, { orAgents: spec.orAgentToken === true });
}

/**
 * Counts failed registrations that do not use up their token, so that a client cannot repeat them
 * without limit. Counts those with unreadable bodies by address, and those with invalid bodies by
 * token.
 */
export function noteRefusedRegistration(
  core: Core,
  call: Pick<Admitted, "bearer"> & { ip: string | null },
  body: unknown,
  error: unknown,
): void {
  if (!(error instanceof AppError)) return;
  if (unreadable.has(error.code)) noteFailedRegistration(core, call.ip);
  const token = registrationTokenOf(call, body);
  if (error.code === "VALIDATION_FAILED" && token !== null) noteInvalidRegistration(core, token);
}

const unreadable: ReadonlySet<string> = new Set([
  "INVALID_JSON",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
]);

/** Returns the token in the body, or else the one in the header. */
function registrationTokenOf({ bearer }: Pick<Admitted, "bearer">, body: unknown): string | null {
  const token = isJsonObject(body) ? body.registrationToken : undefined;
  return typeof token === "string" ? token : bearer;
}
