// The metrics, the state of the process and the times of requests as Prometheus reads them: which
// families there are, and what is in them. prom-client writes the format; its own collectors are not
// used: they cannot be stopped, and some look at every open socket.

import type { Metric } from "prom-client";
import { wireRoutes } from "../../api/contract/wire-routes.ts";
import type { Delays } from "../../core/memory/event-loop-delay.ts";
import {
  boundsMs,
  type RequestSeries,
  type RequestTimes,
  type SeriesName,
} from "../../core/memory/request-times.ts";
import type { Diagnostics } from "../../core/system/diagnostics.ts";
import type { Metrics } from "../../core/system/metrics.ts";

type Labels = Record<string, string | number>;

interface Sample {
  /** Other than the family's name: `…_bucket`, `…_sum`, `…_count`. */
  metricName?: string;
  labels: Labels;
  value: number;
}

export interface Family {
  name: string;
  help: string;
  type: "counter" | "gauge" | "histogram" | "summary";
  values: Sample[];
}

/** The text format of Prometheus, version 0.0.4. */
export async function prometheusText(families: Family[]): Promise<string> {
  // Loaded when first asked for: a program that nobody scrapes starts faster.
  const { Registry } = await import("prom-client");
  const registry = new Registry();
  for (const family of families) {
    const metric = { ...family, get: async () => family };
    registry.registerMetric(metric as unknown as Metric<string>);
  }
  return registry.metrics();
}

export function prometheusFamilies(
  metrics: Metrics,
  diagnostics: Diagnostics,
  requestTimes: RequestTimes,
): Family[] {
  return [
    info(metrics, diagnostics),
    ...counted(metrics),
    ...present(metrics),
    requestDurations(requestTimes),
    ...waiting(diagnostics),
    ...limits(diagnostics),
    ...(diagnostics.eventLoopDelay ? [eventLoopDelay(diagnostics.eventLoopDelay)] : []),
    ...sizes(diagnostics),
  ];
}

function info({ workspace }: Metrics, { service, process, database }: Diagnostics): Family {
  const labels = {
    version: service.version,
    commit: service.commit ?? "",
    node: process.node,
    database: `${database.engine} ${database.version}`,
    workspace_id: workspace.id,
    workspace_name: workspace.name,
  };
  return {
    name: "platform_info",
    help: "What runs here, in its labels; always 1.",
    type: "gauge",
    values: [{ labels, value: 1 }],
  };
}

type Named<K extends string> = Record<K, [name: string, help: string]>;

const counterFamilies: Named<Exclude<keyof Metrics["operational"], "staleOnlineAgents">> = {
  agentCommandPolls: ["platform_agent_command_polls_total", "Polls for commands by agents."],
  commandsDispatched: ["platform_commands_dispatched_total", "Commands handed to agents."],
  commandsCompleted: ["platform_commands_completed_total", "Commands that succeeded."],
  commandsFailed: [
    "platform_commands_failed_total",
    "Commands that failed, by an agent's report or because their time was over.",
  ],
  actionPrepareRequested: [
    "platform_action_prepare_requested_total",
    "Prepares that were asked for.",
  ],
  actionPrepareTimeouts: [
    "platform_action_prepare_timeouts_total",
    "Prepares that no agent answered in time.",
  ],
  actionPrepareFailures: [
    "platform_action_prepare_failures_total",
    "Prepares that an agent reported as failed.",
  ],
  oversizedCommandResultsRejected: [
    "platform_oversized_command_results_rejected_total",
    "Results of commands that were refused for their size.",
  ],
};

const busFamilies: Named<keyof Metrics["bus"]> = {
  eventsReceived: ["platform_bus_events_received_total", "Events that were stored and routed."],
  eventsDuplicate: ["platform_bus_events_duplicate_total", "Events that were here before."],
  eventsRejected: [
    "platform_bus_events_rejected_total",
    "Events of an unknown or another agent's service, or too deep.",
  ],
  eventsRateLimited: [
    "platform_bus_events_rate_limited_total",
    "Events that came when their agent's minute was full.",
  ],
  commandsCreated: ["platform_bus_commands_created_total", "Commands that routes have made."],
  routesFailed: [
    "platform_bus_routes_failed_total",
    "Events that matched a route and came to no command there.",
  ],
};

/** These survive restarts, so they begin anew only with a new database. */
function counted({ operational, bus }: Metrics): Family[] {
  return [...countersOf(counterFamilies, operational), ...countersOf(busFamilies, bus)];
}

function countersOf<K extends string>(families: Named<K>, counts: Record<K, number>): Family[] {
  return (Object.entries(families) as [K, Named<K>[K]][]).map(([counter, [name, help]]) => ({
    name,
    help,
    type: "counter",
    values: [{ labels: {}, value: counts[counter] }],
  }));
}

function present({ operational, byStatus, totals, ...metrics }: Metrics): Family[] {
  const { sampleSize, p50Ms, p95Ms, maxMs, meanMs } = metrics.commandDurations;
  const durations = Object.entries({ p50: p50Ms, p95: p95Ms, max: maxMs, mean: meanMs }).flatMap(
    ([statistic, ms]) => (ms === null ? [] : [{ labels: { statistic }, value: ms / 1000 }]),
  );
  const errors = metrics.topCommandErrors.map(({ code, count }) => ({
    labels: { code },
    value: count,
  }));
  return [
    gauge(
      "platform_stale_online_agents",
      "Agents that are ONLINE in their row and silent for longer than the offline threshold.",
      operational.staleOnlineAgents,
    ),
    {
      name: "platform_command_duration_seconds",
      help: "Durations of the last commands that ran and succeeded or failed, at most 1000.",
      type: "gauge",
      values: durations,
    },
    gauge(
      "platform_command_duration_samples",
      "Commands that platform_command_duration_seconds is made of.",
      sampleSize,
    ),
    {
      name: "platform_command_errors",
      help: "The ten most frequent error codes of failed commands.",
      type: "gauge",
      values: errors,
    },
    gaugeByStatus("platform_agents", "Agents by the status of their row.", byStatus.agents),
    gaugeByStatus(
      "platform_capsule_services",
      "Services by stored status.",
      byStatus.capsuleServices,
    ),
    gaugeByStatus(
      "platform_registration_tokens",
      "Registration tokens by status.",
      byStatus.registrationTokens,
    ),
    gaugeByStatus("platform_commands", "Commands by status.", byStatus.commands),
    gauge("platform_users", "Users.", totals.users),
    gauge("platform_audit_events", "Rows of the audit trail.", totals.auditEvents),
  ];
}

function requestDurations(requestTimes: RequestTimes): Family {
  const name = "platform_http_request_duration_seconds";
  return {
    name,
    help: "From a request's head to its answer, without the time that it was held on purpose.",
    type: "histogram",
    values: [...requestTimes.all()].flatMap((series) => histogramOf(name, series)),
  };
}

function methodOf(route: SeriesName): string {
  if (route === "console") return "GET";
  return route === null ? "any" : wireRoutes[route].method;
}

/** The buckets of the text format are cumulative. */
function histogramOf(name: string, { route, status, counts, sumMs }: RequestSeries): Sample[] {
  const labels = {
    route: route ?? "unmatched",
    method: methodOf(route),
    status,
  };
  let count = 0;
  const buckets = Array.from(counts, (own, index) => {
    count += own;
    const bound = boundsMs[index];
    const le = bound === undefined ? "+Inf" : String(bound / 1000);
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sumMs / 1000 },
    { metricName: `${name}_count`, labels, value: count },
  ];
}

function waiting({ queues }: Diagnostics): Family[] {
  return [
    gauge("platform_held_polls", "Polls of agents that are held open.", queues.heldPolls),
    gauge(
      "platform_waiting_readers",
      "Readers that wait for the end of a command.",
      queues.waitingReaders,
    ),
    gauge(
      "platform_write_queue_depth",
      "Writes that have arrived and are not durable yet.",
      queues.writes,
    ),
    gauge("platform_passwords_running", "Password hashes in the making.", queues.passwordsRunning),
    gauge("platform_passwords_waiting", "Password hashes that wait.", queues.passwordsWaiting),
    gauge("platform_one_time_secrets", "Secrets kept to be read once.", queues.oneTimeSecrets),
  ];
}

function limits({ limits: { inUse, reached } }: Diagnostics): Family[] {
  const { connections, pendingBodyBytes, pendingOutputBytes } = inUse;
  const family: Family = {
    name: "platform_limit_reached_total",
    help: "How often a limit on clients was reached: connections or requests refused or closed.",
    type: "counter",
    values: Object.entries(reached).map(([limit, value]) => ({ labels: { limit }, value })),
  };
  return [
    family,
    gauge("platform_connections", "Open connections.", connections.used),
    gauge("platform_connections_max", "Connections that may be open.", connections.allowed),
    gauge(
      "platform_pending_body_bytes",
      "Bodies of requests that are not answered yet.",
      pendingBodyBytes.used,
    ),
    gauge(
      "platform_pending_output_bytes",
      "Answers that clients have not read yet.",
      pendingOutputBytes.used,
    ),
  ];
}

function eventLoopDelay({ p50Ms, p99Ms, maxMs, sumMs, count }: Delays): Family {
  const name = "platform_event_loop_delay_seconds";
  const quantiles = [
    { labels: { quantile: 0.5 }, value: p50Ms / 1000 },
    { labels: { quantile: 0.99 }, value: p99Ms / 1000 },
    { labels: { quantile: 1 }, value: maxMs / 1000 },
  ];
  return {
    name,
    help: "How late the event loop is; quantiles are of the last minutes.",
    type: "summary",
    values: [
      ...quantiles,
      { metricName: `${name}_sum`, labels: {}, value: sumMs / 1000 },
      { metricName: `${name}_count`, labels: {}, value: count },
    ],
  };
}

/** Those of the process under the names that every Node program gives them. */
function sizes({ database, process, clock }: Diagnostics): Family[] {
  const { residentBytes, heapTotalBytes, heapUsedBytes, externalBytes } = process.memory;
  return [
    gauge("platform_database_size_bytes", "Size of the database file.", database.sizeBytes),
    gauge("platform_database_wal_bytes", "Size of its write-ahead log.", database.walBytes),
    {
      ...gauge(
        "process_cpu_seconds_total",
        "User and system time of this process.",
        process.cpuSeconds,
      ),
      type: "counter",
    },
    gauge(
      "process_start_time_seconds",
      "When the service started, in Unix time.",
      Date.parse(clock.startedAt) / 1000,
    ),
    gauge("process_resident_memory_bytes", "Resident memory.", residentBytes),
    gauge("nodejs_heap_size_total_bytes", "Size of the JavaScript heap.", heapTotalBytes),
    gauge("nodejs_heap_size_used_bytes", "Used part of the JavaScript heap.", heapUsedBytes),
    gauge("nodejs_external_memory_bytes", "Memory outside of it, bound to it.", externalBytes),
  ];
}

function gauge(name: string, help: string, value: number): Family {
  return { name, help, type: "gauge", values: [{ labels: {}, value }] };
}

function gaugeByStatus(name: string, help: string, counts: Record<string, number>): Family {
  const values = Object.entries(counts).map(([status, value]) => ({ labels: { status }, value }));
  return { name, help, type: "gauge", values };
}
