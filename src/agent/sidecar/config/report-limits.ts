// The server refuses a whole report if it breaks a limit, and all services would then become STALE.

import { bodyLimitBytes, jsonBytesPerPart, jsonMaxDepth } from "../../../domain/limits.ts";
import { formatBytes } from "../../../lib/bytes.ts";
import { uncapitalized } from "../../../lib/capitalized.ts";
import { parseStrictJson } from "../../../lib/json/strict-json.ts";
import type { ServiceConfig } from "./config.ts";
import type { Finding } from "./config-problems.ts";

export function findingsInReport(services: readonly ServiceConfig[]): Finding[] {
  const problem = problemOf(JSON.stringify({ services: services.map(reportedPart) }));
  if (problem === null) return [];
  return [{ path: ["services"], message: `the server would refuse their report: ${problem}` }];
}

function problemOf(report: string): string | null {
  const bytes = Buffer.byteLength(report);
  const limit = bodyLimitBytes.report;
  if (bytes > limit) {
    return `even without values, it has ${formatBytes(bytes)}; the limit is ${formatBytes(limit)}`;
  }
  const parsed = parseStrictJson(report, jsonMaxDepth, limit / jsonBytesPerPart);
  return parsed.ok ? null : uncapitalized(parsed.message);
}

/** Returns what every report contains, whatever the probes find. */
function reportedPart({
  configs,
  actions,
  health: _,
  version: _v,
  bus: _b,
  ...rest
}: ServiceConfig) {
  return {
    ...rest,
    configs: configs.map(({ value: _, env: _e, file: _f, ...entry }) => entry),
    actions: actions.map(({ prepare: _, execute: _e, ...entry }) => entry),
  };
}
