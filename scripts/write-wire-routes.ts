// Makes src/api/contract/wire-routes.ts, so that a client can start without loading the schemas.

import { join } from "node:path";
import type { RouteSpec } from "../src/api/contract/route.ts";
import { routes } from "../src/api/index.ts";
import { formatted } from "./formatted.ts";

export const wireRoutesFile = join(import.meta.dirname, "../src/api/contract/wire-routes.ts");

export function wireRoutesText(): string {
  const entries = Object.entries<RouteSpec>(routes).map(([name, spec]) => {
    const { method, path, paginated, raw, produces, websocket, slowSeconds } = spec;
    return [name, { method, path, paginated, raw, produces, websocket, slowSeconds }];
  });
  const table = JSON.stringify(Object.fromEntries(entries));
  return formatted(
    wireRoutesFile,
    `${head}export const wireRoutes: Record<RouteName, WireRoute> = ${table};\n`,
  );
}

const head = `// What a caller must know about each route. Written by scripts/write-wire-routes.ts from the table of
// routes. A client that does not load the schemas of that table starts in half the time.

import type { RouteName } from "../index.ts";
import type { WireRoute } from "./route.ts";

`;
