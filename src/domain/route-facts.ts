// The facts that callers need about each route, so that they need not load its schemas. `npm run
// generate` writes route-facts.json from src/api.

import type { Access } from "./access/principals.ts";
import facts from "./route-facts.json" with { type: "json" };

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A parameter, or a field of a body. */
export interface FieldFacts {
  /** `several`: a list of choices. `all`: a list of texts. `sort`: the order of a list. */
  kind: "text" | "number" | "choice" | "several" | "all" | "time" | "flag" | "map" | "sort";
  choices?: readonly string[];
  /** The bounds of a number, or of a text's length in UTF-16 code units. */
  min?: number;
  max?: number;
  default?: number;
  required?: true;
  description?: string;
  /**
   * Whether these facts say completely which values are valid. Otherwise, only the schema says
   * this.
   */
  complete?: true;
}

export type Fields = Readonly<Record<string, FieldFacts>>;

/** `RouteSpec` in api/contract/route.ts explains the fields with the same names. */
export interface RouteFacts {
  method: Method;
  path: string;
  access: Access;
  summary: string;
  status?: 200 | 201 | 202;
  changesNothing?: true;
  paginated?: true;
  bus?: true;
  metrics?: true;
  fixed?: true;
  produces?: readonly string[];
  websocket?: true;
  slowSeconds?: number;
  heavy?: true;
  workLimit?: number;
  exportOf?: string;
  idempotent?: true | { shownOnce: string };
  /**
   * Whether the route has no body and no special response, so that complete facts about its
   * parameters are enough to call it. Only such routes have facts about their parameters.
   */
  simple?: true;
  params?: Fields;
  query?: Fields;
  /** The fields of a request that creates an object, unless one of them is a list or an object. */
  body?: Fields;
  /** The columns of the list as CSV. New ones are added at the end. */
  columns?: readonly string[];
}

export const routeFacts = facts as unknown as Readonly<Record<string, RouteFacts>>;

/** The parameters that determine which page of a list is returned. */
export const pageParameters: readonly string[] = ["page", "pageSize", "before", "afterSeq"];

/** Throws if there is no such route. */
export function factsOf(route: string): RouteFacts {
  const found = Object.hasOwn(routeFacts, route) ? routeFacts[route] : undefined;
  if (found) return found;
  throw new Error(`there is no route ${route}`);
}

/** The columns of a list's rows in a CSV file. Throws if the route is not a list. */
export function csvColumnsOf(list: string): readonly string[] {
  const { columns } = factsOf(list);
  if (columns) return columns;
  throw new Error(`${list} is not a list`);
}
