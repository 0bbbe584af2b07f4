// Handles every call, over HTTP or in process, from the permission check to the response.
// (docs/decisions/0001-one-entry-point.md)

import type { z } from "zod";
import { withIssueWords } from "../api/contract/issue-words.ts";
import {
  busLabel,
  type Pagination,
  type RouteRules,
  replayedHeader,
} from "../api/contract/route.ts";
import type { RouteName } from "../api/index.ts";
import { recheckCaller } from "../core/access/still-allowed.ts";
import type { Caller } from "../core/caller.ts";
import { withIds } from "../core/codes-as-ids.ts";
import type { Core, Ctx } from "../core/context.ts";
import type { Download } from "../core/download.ts";
import { type LazyBody, Reply } from "../core/handlers.ts";
import { Budget } from "../core/limits/budget.ts";
import { flushBeforeRead } from "../core/presence/flush.ts";
import { type Access, type Principal, roleOf } from "../domain/access/principals.ts";
import { AppError, type Issue, validationFailed } from "../domain/errors.ts";
import { maxIssues } from "../domain/limits.ts";
import { problemOfNumbers } from "../lib/json/exact-numbers.ts";
import { FixedJson } from "../lib/json/fixed-json.ts";
import { ReadyJson } from "../lib/json/ready-json.ts";
import { suggestion } from "../lib/nearest.ts";
import { admit, admitRegistration, noteRefusedRegistration } from "./admit.ts";
import type { Endpoint, Endpoints } from "./endpoints/index.ts";
import type { Answer } from "./envelope.ts";
import { type KeyableCall, onceOnly } from "./idempotency.ts";
import { refusalAnswer } from "./refusals.ts";
import { JsonText, RequestAborted } from "./requests/body.ts";

export interface Call {
  route: RouteName;
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  /** The body of a call from within this process. */
  body?: unknown;
  /** Reads the body of a request. It is called once the call is admitted. */
  readBody?: () => Promise<JsonText | undefined>;
  /** Only `idempotent` routes use this. */
  idempotencyKey?: string | undefined;
  principal: Principal;
  /** The bearer token of a call with the access `registration`; null for other calls. */
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

/** Rejects only with RequestAborted. */
export type Dispatch = (call: Call) => Promise<Answer>;

export function createDispatch(core: Core, endpoints: Endpoints): Dispatch {
  return async (call) => {
    let access: Access = "public"; // until the route is known
    const { route, principal, requestId, ip, userAgent, caller } = call;
    let { body } = call;
    const budget = new Budget(core, caller);
    const ctx: Ctx = { core, principal, requestId, ip, userAgent, caller, budget };
    let leave: (() => void) | null = null;
    try {
      const found = endpoints(call);
      const { spec, handler, input: checked } = found instanceof Promise ? await found : found;
      access = spec.access;
      await admit(ctx, call, spec);
      const since = core.monotonic();
      if (call.readBody && spec.method !== "GET") {
        const sent = await call.readBody();
        body = spec.lazyBody ? sent : sent?.parse();
      }
      if (access === "registration") await admitRegistration(ctx, call, body, spec);
      if (roleOf(principal) !== null && !spec.mayRound) requireExactNumbers(body);
      budget.limit = spec.workLimit ?? null;
      if (spec.heavy) {
        leave = await core.heavyCalls.enter(principal, caller);
        await budget.spend(0);
      }
      if (roleOf(principal) !== null) await recheckCaller(ctx, core.db.read, since);
      const given = {
        params: checked ? checked.params : validate(spec.params, call.params, "path"),
        query: checked ? checked.query : validateQuery(spec, call.query),
        body: spec.lazyBody ? lazyBody(spec, body) : validateBody(spec, body),
        bearer: call.bearer,
        secure: call.secure,
        isOwnUrl: call.isOwnUrl,
      };
      // Agents send only ids, never codes.
      const input = roleOf(principal) === null ? given : await withIds(ctx, given);
      if (dependsOnSignsOfLife(route)) await flushBeforeRead(core);
      const key = spec.idempotent ? (call.idempotencyKey ?? null) : null;
      const { params } = input;
      // Calls without a key skip `answerOnce`, whose frames a waiting poll would keep in memory.
      const answer =
        key === null
          ? success(spec, await handler(ctx, input), input.query)
          : await answerOnce(ctx, { spec, handler }, { ...call, params, body, key }, input);
      // Operators see no change that a power failure could undo, or that came after their access
      // ended.
      if (spec.method === "GET" && roleOf(principal) !== null) {
        await core.db.durable();
        await recheckCaller(ctx, core.db.read, since);
      }
      return answer;
    } catch (error) {
      if (error instanceof RequestAborted) throw error;
      if (access === "registration") noteRefusedRegistration(core, call, body, error);
      return refusalAnswer(core, error, { access, requestId, route });
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
 * The results of these nouns' routes depend on the agents' last calls, which may exist only in
 * memory.
 */
const nounsWithSignsOfLife = new Set(
  "agents api-keys attention backup metrics overview services".split(" "),
);

function dependsOnSignsOfLife(route: RouteName): boolean {
  return nounsWithSignsOfLife.has(route.slice(0, route.indexOf(".")));
}

function validate(schema: z.ZodType | undefined, value: unknown, part: string): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value, withIssueWords);
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

/**
 * Throws INVALID_JSON: a rounded number could name something other than what the operator meant.
 */
function requireExactNumbers(body: unknown): void {
  const problem = problemOfNumbers(body);
  if (problem !== null) throw new AppError("INVALID_JSON", `In the body, ${problem}.`);
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
  const body = envelopeOf(spec, value, query);
  const headers = reply?.options.headers;
  return headers ? { status, body, headers } : { status, body };
}

function replayed(answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers, [replayedHeader]: "true" } };
}

interface SuccessBody {
  success: true;
  data: unknown;
  pagination?: Pagination;
  experimental?: string;
}

function envelopeOf(spec: RouteRules, value: unknown, query: unknown): SuccessBody {
  const experimental = spec.bus ? { experimental: busLabel } : {};
  if (!spec.paginated) return { success: true, data: value, ...experimental };
  const { items, total, further } = value as { items: unknown[]; total: number; further?: object };
  const { page, pageSize } = query as Pagination;
  const pagination = { page, pageSize, total, ...further };
  return { success: true, data: items, pagination, ...experimental };
}

/** Returns the errors in a list's query that its schema cannot find. */
function listQueryIssues(
  schema: z.ZodObject,
  given: Record<string, unknown>,
  parsed: Record<string, unknown>,
): Issue[] {
  const known = Object.keys(schema.shape);
  const unknown = Object.keys(given).filter(
    (name) => name !== "" && given[name] !== undefined && !known.includes(name),
  );
  const issues = unknown.slice(0, maxIssues).map((name) => issueOf(name, known));
  const { from, to } = parsed;
  if (typeof from === "number" && typeof to === "number" && from > to) {
    issues.push({ path: "from", message: "is after `to`" });
  }
  return issues;
}

function issueOf(name: string, known: string[]): Issue {
  const message = `is not a filter of this list: ${suggestion(name, "filters", known)}`;
  return { path: name.slice(0, 100), message };
}
