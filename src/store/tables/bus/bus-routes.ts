import type { BusRoute, RouteState } from "../../../domain/bus/bus-routes.ts";
import type { Json } from "../../../domain/payload/json.ts";
import { fromJsonColumn, toJsonColumn } from "../../columns.ts";
import type { Reader } from "../../database.ts";
import { Filters, type Listed, type Page, type Sorts } from "../../filters.ts";
import { countOf, declaredRows, finder, pageOf } from "../../rows.ts";

interface BusRouteRow {
  id: string;
  name: string;
  description: string | null;
  state: RouteState;
  matchType: string;
  matchSource: string | null;
  matchData: string | null;
  serviceCode: string;
  action: string;
  payload: string | null;
  withheld: string | null;
  secrets: string | null;
  secretsGiven: string | null;
  declared: string | null;
  declaredFile: string | null;
  version: number;
  createdAt: number;
  updatedAt: number;
}

const columns = `id, name, description, state, match_type AS "matchType",
  match_source AS "matchSource", match_data AS "matchData", service_code AS "serviceCode", action,
  payload, withheld, secrets, secrets_given AS "secretsGiven", declared,
  declared_file AS "declaredFile", version, created_at AS "createdAt", updated_at AS "updatedAt"`;

export interface BusRouteFilter extends Page {
  /** Matches any of these states. */
  state?: readonly RouteState[] | undefined;
  q?: string | undefined;
}

export const findBusRoute = finder(`SELECT ${columns} FROM bus_routes WHERE id = ?`, toRoute);

export async function listBusRoutes(db: Reader, filter: BusRouteFilter): Promise<Listed<BusRoute>> {
  const filters = new Filters().oneOf("state", filter.state).search(["name"], filter.q);
  return pageOf(db, [columns, "bus_routes", "id"], filters, filter, toRoute, sorts);
}

const sorts: Sorts = { name: "name", updatedAt: "updated_at", createdAt: "id" };

/**
 * Lists the other routes with the same name, or with the same event type and target. The oldest
 * routes come first.
 */
export async function listSimilarBusRoutes(
  db: Reader,
  { id, name, match, target }: BusRoute,
): Promise<BusRoute[]> {
  const rows = await db.all<BusRouteRow>(
    `SELECT ${columns} FROM bus_routes
     WHERE id <> ? AND (name = ? OR (match_type = ? AND service_code = ? AND action = ?))
     ORDER BY id`,
    ...[id, name, match.type, target.serviceCode, target.action],
  );
  return rows.map(toRoute);
}

/** The oldest routes come first. */
export async function listAllBusRoutes(db: Reader): Promise<BusRoute[]> {
  const rows = await db.all<BusRouteRow>(`SELECT ${columns} FROM bus_routes ORDER BY id`);
  return rows.map(toRoute);
}

/** The oldest routes come first. */
export async function listLiveBusRoutes(db: Reader): Promise<BusRoute[]> {
  const rows = await db.all<BusRouteRow>(
    `SELECT ${columns} FROM bus_routes WHERE state IN ('DRY_RUN', 'ENABLED') ORDER BY id`,
  );
  return rows.map(toRoute);
}

export function countBusRoutes(db: Reader): Promise<number> {
  return countOf(db, "bus_routes", new Filters());
}

/** The matches of a deleted route keep its id and name. */
export const busRouteRows = declaredRows(
  "bus_routes",
  [
    "name description state match_type match_source match_data service_code action payload declared",
    "declared_file version withheld secrets secrets_given updated_at",
  ],
  "created_at id",
  toRow,
);

function toRow(route: BusRoute): BusRouteRow {
  const { match, target } = route;
  return {
    ...route,
    description: route.description ?? null,
    matchType: match.type,
    matchSource: match.source ?? null,
    matchData: toJsonColumn(match.data),
    serviceCode: target.serviceCode,
    action: target.action,
    payload: toJsonColumn(route.payload),
    withheld: toJsonColumn(route.withheld),
    secrets: route.withheld.length === 0 ? null : toJsonColumn(route.secrets),
    secretsGiven: toJsonColumn(route.secretsGiven),
  };
}

function toRoute(row: BusRouteRow): BusRoute {
  return {
    id: row.id,
    name: row.name,
    description: row.description ?? undefined,
    state: row.state,
    match: {
      type: row.matchType,
      source: row.matchSource ?? undefined,
      data: fromJsonColumn<BusRoute["match"]["data"] | null>(row.matchData) ?? undefined,
    },
    target: { serviceCode: row.serviceCode, action: row.action },
    payload: fromJsonColumn<BusRoute["payload"] | null>(row.payload) ?? undefined,
    withheld: fromJsonColumn<string[] | null>(row.withheld) ?? [],
    secrets: fromJsonColumn<Json[] | null>(row.secrets) ?? [],
    secretsGiven: fromJsonColumn<BusRoute["secretsGiven"]>(row.secretsGiven),
    declared: row.declared,
    declaredFile: row.declaredFile,
    version: row.version,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
