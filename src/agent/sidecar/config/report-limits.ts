// The server refuses a whole report if it breaks a limit, and all services would then become STALE.

import { agentFeatures } from "../../../domain/fleet/agents.ts";
import { bodyLimitBytes, jsonBytesPerPart, jsonMaxDepth } from "../../../domain/limits.ts";
import { formatBytes } from "../../../lib/bytes.ts";
import { uncapitalized } from "../../../lib/capitalized.ts";
import { parseStrictJson } from "../../../lib/json/strict-json.ts";
import type { ServiceConfig } from "./config.ts";
import type { Finding } from "./config-problems.ts";

export function findingsInReport(services: readonly ServiceConfig[]): Finding[] {
  const problem = problemOf(JSON.stringify(leastReportOf(services)));
  if (problem === null) return [];
  return [{ path: ["services"], message: `the server would refuse their report: ${problem}` }];
}

function problemOf(report: string): string | null {
  const limit = bodyLimitBytes.report;
  if (Buffer.byteLength(report) > limit) {
    return `even without values, it is larger than ${formatBytes(limit)}`;
  }
  const parsed = parseStrictJson(report, jsonMaxDepth, limit / jsonBytesPerPart);
  return parsed.ok ? null : uncapitalized(parsed.message);
}

/** Returns only what every report contains, whatever the probes find. */
function leastReportOf(services: readonly ServiceConfig[]) {
  return { features: agentFeatures, complete: true, services: services.map(leastServiceOf) };
}

function leastServiceOf({
  configs,
  actions,
  health: _,
  version: _v,
  bus: _b,
  ...rest
}: ServiceConfig) {
  return {
    name: rest.code,
    ...rest,
    version: "",
    configs: configs.map(({ value: _, env: _e, file: _f, ...entry }) => ({
      type: "",
      source: "",
      ...entry,
    })),
    actions: actions.map(({ prepare, execute: _, ...entry }) =>
      prepare === undefined ? { ...entry, prepare: false } : entry,
    ),
  };
}
