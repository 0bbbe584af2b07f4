// Handles every call, over HTTP or in process, from the permission check to the response.
// (docs/decisions/0001-one-entry-point.md)

import type { z } from "zod";
import { inOurWords } from "../api/contract/issue-words.ts";
import {
  busLabel,
  type Pagination,
  type RouteRules,
  replayedHeader,
} from "../api/contract/route.ts";
import type { RouteName } from "../api/index.ts";
import {
  noteInvalidRegistration,
  requireUsableToken,
} from "../core/agent-calls/registration-guard.ts";
import { noteRepeated } from "../core/audit/repeated-events.ts";
import { Budget } from "../core/budget.ts";
import type { Caller } from "../core/caller.ts";
import type { Core, Ctx } from "../core/context.ts";
import type { Download } from "../core/download.ts";
import { type LazyBody, Reply } from "../core/handlers.ts";
import { settle } from "../core/memory/flush.ts";
import { AppError, type Issue, validationFailed } from "../domain/errors.ts";
import { maxIssues } from "../domain/limits.ts";
import { isJsonObject } from "../domain/payload/json.ts";
import {
  type Access,
  isMetricsKey,
  mayActAs,
  type Principal,
  roleOf,
} from "../domain/principals.ts";
import { FixedJson } from "../lib/json/fixed-json.ts";
import { ReadyJson } from "../lib/json/ready-json.ts";
import type { Endpoint, Endpoints } from "./endpoint.ts";
import { type Answer, failureAnswer, type SuccessBody } from "./envelope.ts";
import { idempotencyKeyOf, type KeyableCall, onceOnly } from "./idempotency.ts";
import { listQueryIssues } from "./list-queries.ts";
import { JsonText } from "./requests/body.ts";

export interface Call {
  route: RouteName;
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  /** Is a JsonText only if the route's body is lazy. */
  body: unknown;
  /** Only `idempotent` routes use this. */
  idempotencyKey?: string | undefined;
  principal: Principal;
  /** The bearer token of a registration. */
  bearer: string | null;
  /** Whether the caller's cookies are for HTTPS only. */
  secure: boolean;
  /** Whether a URL leads to the server that received the call, and to no other. */
  isOwnUrl: (url: string) => boolean;
  requestId: string | null;
  ip: string | null;
  userAgent: string | null;
  caller: Caller;
}

/** Never rejects. */
export type Dispatch = (call: Call) => Promise<Answer>;

export function createDispatch(core: Core, endpoints: Endpoints): Dispatch {
  return async (call) => {
    let access: Access = "public"; // until the route is known
    const { principal, requestId, ip, userAgent, caller } = call;
    const budget = new Budget(core, caller);
    const ctx: Ctx = { core, principal, requestId, ip, userAgent, caller, budget };
    let leave: (() => void) | null = null;
    try {
      const found = endpoints(call);
      const { spec, handler, input: checked } = found instanceof Promise ? await found : found;
      access = spec.access;
      const refusal = refusalFor(spec, call.params, principal);
      if (principal.kind === "agent") core.presence.agents.add(principal.agentId, core.now());
      if (refusal) {
        await noteDenied(ctx, call.route, spec);
        throw refusal;
      }
      if (!isEnabled(core, spec)) throw busDisabled();
      if (spec.access === "registration") {
        const orAgents = spec.orAgentToken === true;
        await requireUsableToken(ctx, registrationTokenOf(call), { orAgents });
      }
      budget.limit = spec.workLimit ?? null;
      if (spec.heavy) {
        leave = await core.heavyCalls.enter(principal, caller);
        await budget.spend(0);
      }
      const input = {
        params: checked ? checked.params : validate(spec.params, call.params, "path"),
        query: checked ? checked.query : validateQuery(spec, call.query),
        body: spec.lazyBody ? lazyBody(spec, call.body) : validateBody(spec, call.body),
        bearer: call.bearer,
        secure: call.secure,
        isOwnUrl: call.isOwnUrl,
      };
      if (dependsOnSignsOfLife(call.route)) await settle(core);
      const key = idempotencyKeyOf(spec, call);
      // Calls without a key skip the frames of `answerOnce`, which a held poll would keep.
      const answer =
        key === null
          ? success(spec, await handler(ctx, input), input.query)
          : await answerOnce(ctx, { spec, handler }, { ...call, key }, input);
      // Operators see no change that a power failure could undo.
      if (spec.method === "GET" && roleOf(principal) !== null) await core.db.durable();
      return answer;
    } catch (error) {
      if (access === "registration") noteIfInvalid(core, call, error);
      logFailure(core, call, error);
      return failureAnswer(error, access, requestId);
    } finally {
      leave?.();
    }
  };
}

function answerOnce(
  ctx: Ctx,
  { spec, handler }: Endpoint,
  call: KeyableCall,
  input: { query: unknown },
): Promise<Answer> {
  return onceOnly(ctx, spec, call, {
    run: async (once) => success(spec, await handler(once, input), input.query),
    replay: (data) => replayed(success(spec, data, input.query)),
  });
}

/**
 * Returns the reason why this caller may not make this call, or null. The server checks this before
 * it reads the body, but only `dispatch` records a refusal.
 */
export function refusalFor(
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
      const message = `This call requires the ${spec.access} role; yours is ${role}.`;
      return new AppError("FORBIDDEN", message, { details: { role, needed: spec.access } });
    }
  }
}

/** These results depend on the agents' last calls, which may exist only in memory. */
const nounsWithSignsOfLife = new Set(
  "agents api-keys attention backup bus-routes metrics overview services".split(" "),
);

function dependsOnSignsOfLife(route: RouteName): boolean {
  return nounsWithSignsOfLife.has(route.slice(0, route.indexOf(".")));
}

export function isEnabled(core: Core, spec: RouteRules): boolean {
  return !spec.bus || core.settings.busEnabled;
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

/** Records a call that the operator's role does not allow. Repetitions become one summary row. */
async function noteDenied(ctx: Ctx, route: RouteName, spec: RouteRules): Promise<void> {
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

/** Returns the token in the body, or else the one in the header. */
function registrationTokenOf({ body, bearer }: Call): string | null {
  const token = isJsonObject(body) ? body.registrationToken : undefined;
  return typeof token === "string" ? token : bearer;
}

/** An invalid registration does not use up its token, so a client could repeat it without limit. */
function noteIfInvalid(core: Core, call: Call, error: unknown): void {
  const token = registrationTokenOf(call);
  if (token === null || !(error instanceof AppError) || error.code !== "VALIDATION_FAILED") return;
  noteInvalidRegistration(core, token);
}

function validate(schema: z.ZodType | undefined, value: unknown, part: string): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value, inOurWords);
  if (parsed.success) return parsed.data;
  const issues: Issue[] = parsed.error.issues.slice(0, maxIssues).map((issue) => ({
    // An issue with a query parameter names the parameter, not one of its values.
    path: (part === "query" ? issue.path.slice(0, 1) : issue.path).join("."),
    message: issue.message,
  }));
  throw validationFailed(issues, part === "body" ? "request" : part);
}

function validateBody(spec: RouteRules, body: unknown): unknown {
  return validate(spec.body, body === undefined ? {} : body, "body");
}

function lazyBody(spec: RouteRules, body: unknown): LazyBody<unknown> {
  const sent = body instanceof JsonText ? body : null;
  return {
    fingerprint: sent ? sent.fingerprint : null,
    parse: () => validateBody(spec, sent ? sent.parse() : body),
  };
}

/**
 * Refuses unknown filters of a list, because a mistyped filter would have no effect. Other routes
 * ignore unknown parameters.
 */
function validateQuery(spec: RouteRules, query: Record<string, unknown>): unknown {
  const parsed = validate(spec.query, query, "query");
  if (!spec.query || !(spec.paginated || spec.produces)) return parsed;
  const issues = listQueryIssues(spec.query, query, parsed as Record<string, unknown>);
  if (issues.length > 0) throw validationFailed(issues, "query");
  return parsed;
}

function success(spec: RouteRules, result: unknown, query: unknown): Answer {
  if (spec.produces) return { status: spec.status ?? 200, body: {}, download: result as Download };
  if (spec.websocket) return { status: 101, body: {} };
  if (result instanceof ReadyJson) {
    return { status: 200, body: {}, text: `{"success":true,"data":${result.text}}` };
  }
  if (result instanceof FixedJson) return { status: 200, body: result.value, fixed: result };
  const reply = result instanceof Reply ? result : null;
  const value = reply ? reply.data : result;
  const status = reply?.options.status ?? spec.status ?? 200;
  const body = spec.raw ? (value as object) : envelopeOf(spec, value, query);
  const headers = reply?.options.headers;
  return headers ? { status, body, headers } : { status, body };
}

function replayed(answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers, [replayedHeader]: "true" } };
}

function envelopeOf(spec: RouteRules, value: unknown, query: unknown): SuccessBody {
  const experimental = spec.bus ? { experimental: busLabel } : {};
  if (!spec.paginated) return { success: true, data: value, ...experimental };
  const { items, total, further } = value as { items: unknown[]; total: number; further?: object };
  const { page, pageSize } = query as Pagination;
  const pagination = { page, pageSize, total, ...further };
  return { success: true, data: items, pagination, ...experimental };
}

/** Logs errors that the caller caused at debug level. */
function logFailure(core: Core, call: Call, error: unknown): void {
  if (core.storage.took(core, error)) return;
  const fields = { requestId: call.requestId, route: call.route };
  if (!(error instanceof AppError)) core.log.error({ ...fields, err: error }, "request failed");
  else if (error.cause) core.log.warn({ ...fields, err: error.cause }, error.message);
  else core.log.debug({ ...fields, code: error.code }, error.message);
}
