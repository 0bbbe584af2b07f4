// What a route is: data that the server, the OpenAPI file, the typed client and the tests all read.
// Browser-safe, like everything in this room.

import type { z } from "zod";
import type { ErrorCode } from "../../domain/errors.ts";
import type { Access } from "../../domain/principals.ts";

export type { ErrorCode } from "../../domain/errors.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface RouteSpec {
  method: Method;
  /** With `:name` for a parameter. */
  path: string;
  /** Other spellings of the same route; their extra parameters must be in `params`. */
  aliases?: readonly string[];
  access: Access;
  /** One line, as in a table of contents. */
  summary: string;
  /** More, where the summary is not enough. */
  description?: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** Bytes; `commandResult` is the configured size of a result. Absent: the default limit. */
  bodyLimit?: number | "commandResult";
  /** Media types of the body beside application/json; any other kind of JSON is taken as well. */
  bodyTypes?: readonly string[];
  /** The status of success; 200 when absent. */
  status?: 200 | 201 | 202;
  /** Another status that comes with the same `data`. */
  otherStatus?: 200 | 503;
  /** The shape of `data` in the answer. */
  reply: z.ZodType;
  /** A list that comes in pages: the answer has `pagination` beside `data`. */
  paginated?: true;
  /** Of the event bus: not there while that is switched off, and experimental (`busLabel`). */
  bus?: true;
  /**
   * A GET that does more than read. Over plain HTTP browsers do not say where a request comes from:
   * with a session they must send the CSRF token here too.
   */
  hasEffects?: true;
  /** With the access `registration`: an agent's own token will do in its place. */
  orAgentToken?: true;
  /** An API key of the role `metrics` may call it too. */
  metrics?: true;
  /** Sent as it is, outside the envelope. */
  raw?: true;
  /** It answers the same as long as the program runs, with an ETag, and 304 to whoever has it. */
  fixed?: true;
  /** The answer is no JSON but a body of one of these media types, sent as it is made. */
  produces?: readonly string[];
  /** It opens a WebSocket: no answer but 101, and `reply` is the shape of each message. */
  websocket?: true;
  /** What the headers of a success say, by their names, beyond those that every answer has. */
  headers?: Readonly<Record<string, string>>;
  /**
   * It makes something, and takes an Idempotency-Key: its use case stores the answer with
   * `rememberAnswer`. `shownOnce` is the field of the answer that is a secret and is not stored.
   */
  idempotent?: true | { shownOnce: string };
  /** How long the answer may take to begin, where that is more than a moment. */
  slowSeconds?: number;
  /** Errors beyond those that the access and the schemas imply. */
  errors?: readonly ErrorCode[];
}

/** What a caller must know to call a route; the whole table of them is in wire-routes.ts. */
export type WireRoute = Pick<
  RouteSpec,
  "method" | "path" | "paginated" | "raw" | "produces" | "websocket" | "slowSeconds"
>;

/** Keeps the exact types of a table of routes while checking its form. */
export function defineRoutes<const T extends Record<string, RouteSpec>>(routes: T): T {
  return routes;
}

/** What answers of the bus carry as `experimental`: no promise is made yet. */
export const busLabel = "v0.4-experimental";

/** On an answer that was given before, to the same Idempotency-Key. */
export const replayedHeader = "Idempotency-Replayed";

export interface Pagination {
  page: number;
  pageSize: number;
  total: number;
  /** There are more than was counted; absent where the total is exact. */
  totalIsLowerBound?: true | undefined;
  /** To be given as `before`, or as `afterSeq` where that was given: what comes behind this page. Absent at the end, and where pages are all there is. */
  next?: string | undefined;
  /** The search ended here, before it had looked at everything; ISO 8601. */
  searchedTo?: string | undefined;
}

type InputOf<T> = T extends z.ZodType ? z.input<T> : undefined;
type OutputOf<T> = T extends z.ZodType ? z.output<T> : undefined;
type Field<S, K extends string> = S extends Record<K, infer V> ? V : undefined;

/** What a caller gives. */
export type ParamsInput<S extends RouteSpec> = InputOf<Field<S, "params">>;
export type QueryInput<S extends RouteSpec> = InputOf<Field<S, "query">>;
export type BodyInput<S extends RouteSpec> = InputOf<Field<S, "body">>;
/** What a handler gets, after validation. */
export type ParamsOutput<S extends RouteSpec> = OutputOf<Field<S, "params">>;
export type QueryOutput<S extends RouteSpec> = OutputOf<Field<S, "query">>;
export type BodyOutput<S extends RouteSpec> = OutputOf<Field<S, "body">>;
/** What comes back as `data`. */
export type ReplyData<S extends RouteSpec> = z.output<S["reply"]>;
