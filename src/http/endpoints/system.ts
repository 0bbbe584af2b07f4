import type { system } from "../../api/system.ts";
import { type HandlersOf, Reply } from "../../core/handlers.ts";
import { health, readiness, version } from "../../core/system/system.ts";
import type { JsonObject } from "../../domain/payload/json.ts";
import { FixedJson } from "../../lib/json/fixed-json.ts";

export const handlers: HandlersOf<typeof system> = {
  "system.health": async (ctx) => {
    const report = await health(ctx);
    return new Reply(report, { status: report.status === "DOWN" ? 503 : 200 });
  },
  "system.ready": async (ctx) => {
    const report = await readiness(ctx);
    return new Reply(report, { status: report.ready ? 200 : 503 });
  },
  "system.version": (ctx) => version(ctx),
  "system.openapi": () => openApi(),
};

let document: FixedJson<JsonObject> | null = null;

/** Builds the document on first use, so that a server starts faster. */
async function openApi(): Promise<FixedJson<JsonObject>> {
  const { buildOpenApi } = await import("../../api/contract/openapi.ts");
  document ??= new FixedJson(buildOpenApi());
  return document;
}
