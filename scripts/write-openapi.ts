// Makes openapi.json, the description of the wire format, from the table of routes.

import { join } from "node:path";
import { buildOpenApi } from "../src/api/contract/openapi.ts";

export const openApiFile = join(import.meta.dirname, "../openapi.json");

/** Returns the up-to-date content of the file. */
export function openApiText(): string {
  return `${JSON.stringify(buildOpenApi(), null, 2)}\n`;
}
