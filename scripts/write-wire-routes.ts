// Makes src/api/contract/wire-routes.ts, the part of the table of routes that callers need, so that a
// client starts without loading the schemas.

import { join } from "node:path";
import type { RouteSpec } from "../src/api/contract/route.ts";
import { routes } from "../src/api/index.ts";

export const wireRoutesFile = join(import.meta.dirname, "../src/api/contract/wire-routes.ts");

/** The up-to-date content of the file. */
export function wireRoutesText(): string {
  const entries = Object.entries<RouteSpec>(routes).map(([name, spec]) => {
    const { method, path, paginated, raw, produces, websocket, slowSeconds } = spec;
    const fields = Object.entries({
      ...{ method, path, paginated, raw, produces, websocket, slowSeconds },
    })
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => `    ${key}: ${literalOf(value)},\n`);
    return `  "${name}": {\n${fields.join("")}  },\n`;
  });
  return `${head}export const wireRoutes: Record<RouteName, WireRoute> = {\n${entries.join("")}};\n`;
}

const head = `// What a caller must know of each route. Written by scripts/write-wire-routes.ts from the table of
// routes, which brings the schemas with it: a client that does without them starts in half the time.

import type { RouteName } from "../index.ts";
import type { WireRoute } from "./route.ts";

`;

function literalOf(value: unknown): string {
  return Array.isArray(value) ? `[${value.map(literalOf).join(", ")}]` : JSON.stringify(value);
}
