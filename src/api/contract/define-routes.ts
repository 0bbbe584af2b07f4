// Defines routes, and derives the export of each list from the list's own route: the same filters,
// order and access.

import { z } from "zod";
import type { Access } from "../../domain/access/principals.ts";
import { type ExportName, exportNameOf } from "./export-names.ts";
import type { RouteSpec } from "./route.ts";

type Specs = Record<string, RouteSpec>;

const places = ["page", "pageSize", "before"] as const;
type Place = (typeof places)[number];

type ParamsOf<S> = S extends { params: infer Params } ? { params: Params } : unknown;
type FiltersOf<S> = S extends { query: z.ZodObject<infer Shape> }
  ? { query: z.ZodObject<Omit<Shape, Place>> }
  : unknown;

type ExportSpec<S extends RouteSpec, List> = ParamsOf<S> &
  FiltersOf<S> & {
    method: "GET";
    path: string;
    access: Access;
    summary: string;
    reply: S["reply"];
    produces: readonly string[];
    exportOf: List;
  };

type ExportsOf<T extends Specs> = {
  [List in keyof T & string as T[List] extends { paginated: true }
    ? Exclude<ExportName<List>, keyof T>
    : never]: ExportSpec<T[List], List>;
};

/** Adds an export to each list that has none. */
export function defineRoutes<const T extends Specs>(routes: T): T & ExportsOf<T> {
  const lists = Object.entries<RouteSpec>(routes).filter(
    ([name, { paginated }]) => paginated && !(exportNameOf(name) in routes),
  );
  const exports = lists.map(([name, spec]) => [exportNameOf(name), exportOf(name, spec)]);
  return { ...routes, ...(Object.fromEntries(exports) as ExportsOf<T>) };
}

function exportOf(list: string, spec: RouteSpec) {
  const { path, access, params, query, reply, bus, errors } = spec;
  const filters = Object.entries(query?.shape ?? {}).filter(
    ([name]) => !(places as readonly string[]).includes(name),
  );
  return {
    method: "GET",
    path: `${path}/export`,
    access,
    summary: spec.summary.replace(/^List /, "Export as CSV: "),
    description:
      "The rows and their order are those of the list, on all pages. The first line has the names of the " +
      "columns; new columns are added at the end. Values in nested objects have columns such as " +
      "`agent.code`; lists and objects nested more deeply are JSON text. A `'` precedes values " +
      "that a spreadsheet would read as a formula. The response is streamed; an aborted response " +
      "is incomplete.",
    ...(params ? { params } : {}),
    query: z.object(Object.fromEntries(filters)),
    reply,
    produces: ["text/csv"],
    exportOf: list,
    ...(bus ? { bus } : {}),
    ...(errors ? { errors } : {}),
  } satisfies RouteSpec;
}
