// The description of a route. Browsers load it, too, so nothing in this folder can use Node.

import type { z } from "zod";
import type { Access } from "../../domain/access/principals.ts";
import type { ErrorCode } from "../../domain/errors.ts";
import type { Method } from "../../domain/route-facts.ts";

export interface RouteSpec {
  method: Method;
  /** Parameters are written as `:name`. */
  path: string;
  /** Other paths of the same route. `params` must include their extra parameters. */
  aliases?: readonly string[];
  access: Access;
  /** A one-line summary without a period. */
  summary: string;
  description?: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /**
   * The maximum size of the body, in bytes. `commandResult` means the configured maximum size of a
   * result.
   */
  bodyLimit?: number | "commandResult";
  /** Whether a route that is not a GET changes nothing, except for audit rows and counts. */
  changesNothing?: true;
  /** How much the call may examine before it ends with TOO_MUCH_WORK (`core/limits/budget.ts`). */
  workLimit?: number;
  /** Whether one credential can make only one such call at a time. Further calls wait. */
  heavy?: true;
  /**
   * Whether the use case decides if the body is parsed, because it recognizes repeated bodies.
   * Cannot be combined with `idempotent`.
   */
  lazyBody?: true;
  /**
   * Whether an operator's body may contain numbers that are not exact
   * (`lib/json/exact-numbers.ts`). Agents' bodies always may.
   */
  mayRound?: true;
  /** Documents media types besides application/json. The route accepts any other JSON type, too. */
  bodyTypes?: readonly string[];
  /** The status on success; 200 by default. */
  status?: 200 | 201 | 202;
  /** Another success status with the same `data`. */
  otherStatus?: 200 | 503;
  /** The schema of the response's `data`. */
  reply: z.ZodType;
  /** Whether the response is a page of a list, with `pagination` beside `data`. */
  paginated?: true;
  /** Whether the route is part of the event bus, which is experimental and can be off. */
  bus?: true;
  /** Whether the response of this GET can contain a secret. It is then never compressed. */
  holdsSecret?: true;
  /** Whether a route with the access `registration` also accepts an agent's own token. */
  orAgentToken?: true;
  /** Whether API keys with the `metrics` role may call the route, too. */
  metrics?: true;
  /**
   * Whether the response never changes while the program runs. It then has an ETag, and no
   * envelope.
   */
  fixed?: true;
  /** Set if the response is not JSON but a stream in one of these media types. */
  produces?: readonly string[];
  /** The list whose rows the route exports, if `defineRoutes` derived it from that list. */
  exportOf?: string;
  /** Whether the route opens a WebSocket. `reply` is then the schema of each message. */
  websocket?: true;
  /** Describes the headers that only this route's successful response has. */
  headers?: Readonly<Record<string, string>>;
  /**
   * Set if the route accepts an Idempotency-Key. Its use case stores the response with
   * `rememberAnswer`, without the secret in the field `shownOnce`.
   */
  idempotent?: true | { shownOnce: string };
  /** The maximum number of seconds before a slow route starts to respond. */
  slowSeconds?: number;
  /** Error codes in addition to those that access and schemas imply. */
  errors?: readonly ErrorCode[];
}

/** The part of a route's description that `dispatch` needs to handle a call. */
export type RouteRules = Omit<RouteSpec, "path" | "aliases" | "summary" | "reply">;

/** The value of `experimental` in the bus's responses. */
export const busLabel = "v0.4-experimental";

export const replayedHeader = "Idempotency-Replayed";

export interface Pagination {
  page: number;
  pageSize: number;
  total: number;
  totalIsLowerBound?: true | undefined;
  /** The next page's `before`, or `afterSeq` if the request used that. Short lists have none. */
  next?: string | undefined;
  /** The ISO 8601 time of the row at which the search stopped early. */
  searchedTo?: string | undefined;
}

type InputOf<T> = T extends z.ZodType ? z.input<T> : undefined;
type OutputOf<T> = T extends z.ZodType ? z.output<T> : undefined;
type Field<S, K extends string> = S extends Record<K, infer V> ? V : undefined;

/** The input as a caller passes it. */
export type ParamsInput<S extends RouteSpec> = InputOf<Field<S, "params">>;
export type QueryInput<S extends RouteSpec> = InputOf<Field<S, "query">>;
export type BodyInput<S extends RouteSpec> = InputOf<Field<S, "body">>;
/** The input as the handler gets it, after validation. */
export type ParamsOutput<S extends RouteSpec> = OutputOf<Field<S, "params">>;
export type QueryOutput<S extends RouteSpec> = OutputOf<Field<S, "query">>;
export type BodyOutput<S extends RouteSpec> = OutputOf<Field<S, "body">>;
export type ReplyData<S extends RouteSpec> = z.output<S["reply"]>;
