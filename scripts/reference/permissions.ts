// Which role may call which route, from the specs of the routes.

import type { RouteSpec } from "../../src/api/contract/route.ts";
import { routes } from "../../src/api/index.ts";
import { isForOperators, mayActAs, type Role, roles } from "../../src/domain/access/principals.ts";
import { inCode, tableOf, type Writer } from "./fill.ts";
import { headings } from "./route-groups.ts";

const specs = Object.entries<RouteSpec>(routes);

export const permissionWriters: Record<"permissions", Writer> = {
  permissions: () =>
    headings
      .filter(([tag]) => routesOf(tag).some(([, { access }]) => isForOperators(access)))
      .map(([tag, title]) => `### ${title}\n\n${matrixOf(routesOf(tag))}`)
      .join("\n\n"),
};

function routesOf(tag: string) {
  return specs.filter(([name, { exportOf }]) => name.startsWith(`${tag}.`) && !exportOf);
}

function matrixOf(listed: readonly (readonly [string, RouteSpec])[]): string {
  const rows = listed.map(([, { method, path, summary, access, metrics }]) => [
    inCode(`${method} ${path}`),
    summary,
    ...roles.map((role) => (mayCall(role, access) ? "yes" : "")),
    metrics || access === "public" ? "yes" : "",
  ]);
  return tableOf(["Route", "What it does", ...roles.map(inCode), "`metrics` key"], rows);
}

function mayCall(role: Role, access: RouteSpec["access"]): boolean {
  return access === "public" || (isForOperators(access) && mayActAs(role, access));
}
