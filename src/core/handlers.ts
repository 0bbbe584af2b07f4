// Types of route handlers.

import type {
  BodyOutput,
  ParamsOutput,
  QueryOutput,
  ReplyData,
  RouteSpec,
} from "../api/contract/route.ts";
import type { AgentPrincipal } from "../domain/access/principals.ts";
import type { JsonObject } from "../domain/payload/json.ts";
import type { FixedJson } from "../lib/json/fixed-json.ts";
import type { ReadyJson } from "../lib/json/ready-json.ts";
import type { PageBounds } from "./bounded-pages.ts";
import type { Ctx } from "./context.ts";
import type { Download } from "./download.ts";

interface Input<S extends RouteSpec> {
  params: ParamsOutput<S>;
  query: QueryOutput<S>;
  body: S extends { lazyBody: true } ? LazyBody<BodyOutput<S>> : BodyOutput<S>;
  /** The bearer token of a registration, or null. */
  bearer: string | null;
  /** Whether the caller's cookies are for HTTPS only. */
  secure: boolean;
  /** Whether the URL belongs to this server. */
  isOwnUrl: (url: string) => boolean;
}

/** A body that is parsed only if the use case needs its content. */
export interface LazyBody<T> {
  /** The SHA-1 of its text, in Base64. Null for a call in this process. */
  readonly fingerprint: string | null;
  /** Throws INVALID_JSON or VALIDATION_FAILED. */
  parse(): T;
}

export type Body<T extends Readonly<Record<string, RouteSpec>>, Name extends keyof T> = BodyOutput<
  T[Name]
>;

export class Reply<T> {
  readonly data: T;
  readonly options: { status?: number; headers?: Record<string, string> };

  constructor(data: T, options: { status?: number; headers?: Record<string, string> }) {
    this.data = data;
    this.options = options;
  }
}

type Data<S extends RouteSpec> = S extends { produces: readonly string[] }
  ? Download
  : S extends { websocket: true }
    ? // biome-ignore lint/suspicious/noConfusingVoidType: what the use case returns
      void
    : S extends { paginated: true }
      ? {
          items: ReplyData<S>;
          total: number;
          further?: PageBounds;
        }
      : ReplyData<S>;

type Result<S extends RouteSpec> = S extends { fixed: true }
  ? FixedJson<JsonObject>
  : Data<S> | Reply<Data<S>> | ReadyJson<Data<S>>;

/** Exports of lists need no handlers: they use the handlers of the lists. */
export type HandlersOf<T extends Readonly<Record<string, RouteSpec>>> = {
  [Name in keyof T as T[Name] extends { exportOf: string } ? never : Name]: (
    ctx: Ctx,
    input: Input<T[Name]>,
  ) => Result<T[Name]> | Promise<Result<T[Name]>>;
};

/** Dispatch has already checked that the caller is an agent. */
export function agentOf(ctx: Ctx): AgentPrincipal {
  if (ctx.principal.kind !== "agent") throw new Error("an agent's route without an agent");
  return ctx.principal;
}
