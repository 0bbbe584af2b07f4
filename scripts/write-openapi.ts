import { join } from "node:path";
import { buildOpenApi } from "../src/api/contract/openapi.ts";

export const openApiFile = join(import.meta.dirname, "../openapi.json");

export function openApiText(): string {
  return `${JSON.stringify(buildOpenApi(), null, 2)}\n`;
}
