// The description of a route: data that the server, the OpenAPI file, the typed client and the
// tests all read. Browsers can load it, like everything in this folder.

import type { z } from "zod";
import type { ErrorCode } from "../../domain/errors.ts";
import type { Access } from "../../domain/principals.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface RouteSpec {
  method: Method;
  /** The path, with parameters as `:name`. */
  path: string;
  /** Other paths of the same route. `params` must include their extra parameters. */
  aliases?: readonly string[];
  access: Access;
  /** A one-line summary without a period. */
  summary: string;
  /** Details that do not fit into the summary. */
  description?: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /**
   * The maximum size of the body, in bytes; `commandResult` is the configured maximum of a result.
   * If absent, the default limit applies.
   */
  bodyLimit?: number | "commandResult";
  /**
   * Media types to document besides application/json. The route accepts every other kind of JSON,
   * too.
   */
  bodyTypes?: readonly string[];
  /** The status on success; 200 by default. */
  status?: 200 | 201 | 202;
  /** Another success status with the same `data`. */
  otherStatus?: 200 | 503;
  /** The schema of `data` in the response. */
  reply: z.ZodType;
  /** Whether the response is a page of a list, with `pagination` beside `data`. */
  paginated?: true;
  /**
   * Whether the route is part of the event bus: unavailable while the bus is off, and experimental
   * (`busLabel`).
   */
  bus?: true;
  /**
   * Whether this GET does more than read. Over plain HTTP, browsers do not send the origin of a
   * GET, so calls with a session must then send the CSRF token.
   */
  hasEffects?: true;
  /** Whether a route with the access `registration` also accepts an agent's own token. */
  orAgentToken?: true;
  /** Whether API keys with the `metrics` role may call the route, too. */
  metrics?: true;
  /** Whether the response is sent without the envelope. */
  raw?: true;
  /**
   * Whether the response never changes while the program runs. It then has an ETag, and a client
   * that has it gets 304.
   */
  fixed?: true;
  /** Set if the response is not JSON but a stream in one of these media types. */
  produces?: readonly string[];
  /**
   * Whether the route opens a WebSocket: success is 101, and `reply` is the schema of each message.
   */
  websocket?: true;
  /** Descriptions of headers that only this route's successful response has, by name. */
  headers?: Readonly<Record<string, string>>;
  /**
   * Set if the route creates something and accepts an Idempotency-Key: its use case stores the
   * response with `rememberAnswer`. `shownOnce` is the field of the response that is a secret and
   * is not stored.
   */
  idempotent?: true | { shownOnce: string };
  /** The maximum time until the response starts, for slow routes. */
  slowSeconds?: number;
  /** Error codes in addition to those that access and schemas imply. */
  errors?: readonly ErrorCode[];
}

/** What a caller must know to call a route. wire-routes.ts has the table. */
export type WireRoute = Pick<
  RouteSpec,
  "method" | "path" | "paginated" | "raw" | "produces" | "websocket" | "slowSeconds"
>;

/** Checks the form of a table of routes and keeps its exact types. */
export function defineRoutes<const T extends Record<string, RouteSpec>>(routes: T): T {
  return routes;
}

/** The value of `experimental` in responses of the bus, which can still change incompatibly. */
export const busLabel = "v0.4-experimental";

/** The header of a stored response, returned for the same Idempotency-Key. */
export const replayedHeader = "Idempotency-Replayed";

export interface Pagination {
  page: number;
  pageSize: number;
  total: number;
  /** Whether there can be more items than `total`; absent if `total` is exact. */
  totalIsLowerBound?: true | undefined;
  /**
   * The `before` of the next page, or its `afterSeq` if the request used that. Absent on the last
   * page, and for short lists.
   */
  next?: string | undefined;
  /**
   * The time (ISO 8601) of the row at which the search stopped early; absent if it reached the end.
   */
  searchedTo?: string | undefined;
}

type InputOf<T> = T extends z.ZodType ? z.input<T> : undefined;
type OutputOf<T> = T extends z.ZodType ? z.output<T> : undefined;
type Field<S, K extends string> = S extends Record<K, infer V> ? V : undefined;

/** The input of a route as a caller passes it. */
export type ParamsInput<S extends RouteSpec> = InputOf<Field<S, "params">>;
export type QueryInput<S extends RouteSpec> = InputOf<Field<S, "query">>;
export type BodyInput<S extends RouteSpec> = InputOf<Field<S, "body">>;
/** The input of a route as its handler gets it, after validation. */
export type ParamsOutput<S extends RouteSpec> = OutputOf<Field<S, "params">>;
export type QueryOutput<S extends RouteSpec> = OutputOf<Field<S, "query">>;
export type BodyOutput<S extends RouteSpec> = OutputOf<Field<S, "body">>;
/** The `data` of the response. */
export type ReplyData<S extends RouteSpec> = z.output<S["reply"]>;
