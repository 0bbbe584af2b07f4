// The description of a route: data that the server, the OpenAPI file, the typed client and the tests all read.
// Browser-safe, like everything in this folder.

import type { z } from "zod";
import type { ErrorCode } from "../../domain/errors.ts";
import type { Access } from "../../domain/principals.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface RouteSpec {
  method: Method;
  /** Parameters are written `:name`. */
  path: string;
  /** Other paths of the same route; their extra parameters must be in `params`. */
  aliases?: readonly string[];
  access: Access;
  /** One line without a period. */
  summary: string;
  /** Details that do not fit into the summary. */
  description?: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** In bytes; `commandResult` is the configured maximum of a result. The default limit if absent. */
  bodyLimit?: number | "commandResult";
  /** Documented media types beside application/json. Any other kind of JSON is accepted too. */
  bodyTypes?: readonly string[];
  /** The status on success; 200 by default. */
  status?: 200 | 201 | 202;
  /** Another status with the same `data`. */
  otherStatus?: 200 | 503;
  /** The schema of `data` in the response. */
  reply: z.ZodType;
  /** A list in pages: the response has `pagination` beside `data`. */
  paginated?: true;
  /** Part of the event bus: unavailable while the bus is off, and experimental (`busLabel`). */
  bus?: true;
  /**
   * A GET that does more than read. Over plain HTTP browsers do not send the origin of a GET, so calls with a
   * session must send the CSRF token here too.
   */
  hasEffects?: true;
  /** With the access `registration`: also accepts an agent's own token. */
  orAgentToken?: true;
  /** API keys with the role `metrics` may call it too. */
  metrics?: true;
  /** Sent without the envelope. */
  raw?: true;
  /** The response never changes while the program runs. It has an ETag, and 304 saves sending it again. */
  fixed?: true;
  /** The response is not JSON but a stream of one of these media types. */
  produces?: readonly string[];
  /** It opens a WebSocket: success is 101, and `reply` is the schema of each message. */
  websocket?: true;
  /** Descriptions of headers that only this route's success has, by name. */
  headers?: Readonly<Record<string, string>>;
  /**
   * It creates something and accepts an Idempotency-Key: its use case stores the response with
   * `rememberAnswer`. `shownOnce` is the field of the response that is a secret and is not stored.
   */
  idempotent?: true | { shownOnce: string };
  /** How long the response can take to start, for slow routes. */
  slowSeconds?: number;
  /** Errors in addition to those that access and schemas imply. */
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
  /** There can be more than `total`; absent if it is exact. */
  totalIsLowerBound?: true | undefined;
  /** The `before` of the following page, or its `afterSeq` if that was given. Absent at the end, and for short lists. */
  next?: string | undefined;
  /** The time at which the search stopped before it had seen every row; ISO 8601. */
  searchedTo?: string | undefined;
}

type InputOf<T> = T extends z.ZodType ? z.input<T> : undefined;
type OutputOf<T> = T extends z.ZodType ? z.output<T> : undefined;
type Field<S, K extends string> = S extends Record<K, infer V> ? V : undefined;

/** What a caller passes. */
export type ParamsInput<S extends RouteSpec> = InputOf<Field<S, "params">>;
export type QueryInput<S extends RouteSpec> = InputOf<Field<S, "query">>;
export type BodyInput<S extends RouteSpec> = InputOf<Field<S, "body">>;
/** What a handler gets, after validation. */
export type ParamsOutput<S extends RouteSpec> = OutputOf<Field<S, "params">>;
export type QueryOutput<S extends RouteSpec> = OutputOf<Field<S, "query">>;
export type BodyOutput<S extends RouteSpec> = OutputOf<Field<S, "body">>;
/** The `data` of the response. */
export type ReplyData<S extends RouteSpec> = z.output<S["reply"]>;
