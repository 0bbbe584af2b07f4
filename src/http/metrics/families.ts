import type { Delays } from "../../core/monitoring/event-loop-delay.ts";
import {
  boundsMs,
  type RequestSeries,
  type RequestTimes,
  type SeriesName,
} from "../../core/monitoring/request-times.ts";
import type { Diagnostics } from "../../core/system/diagnostics.ts";
import type { Metrics } from "../../core/system/metrics.ts";
import { factsOf } from "../../domain/route-facts.ts";
import { counter, type Family, gauge, type Sample, samplesBy } from "./prometheus.ts";

export function serviceFamilies(
  metrics: Metrics,
  diagnostics: Diagnostics,
  requestTimes: RequestTimes,
): Family[] {
  return [
    info(metrics, diagnostics),
    ...counters(metrics),
    ...current(metrics),
    requestDurations(requestTimes),
    ...cluster(diagnostics),
    ...queues(diagnostics),
    ...limits(diagnostics),
    ...(diagnostics.eventLoopDelay ? [eventLoopDelay(diagnostics.eventLoopDelay)] : []),
    ...sizes(diagnostics),
  ];
}

/** The status that `platformctl health` shows. While reads fail, there are no metrics at all. */
export function healthStatus(status: "UP" | "DEGRADED" | "DOWN"): Family {
  const samples = { UP: 0, DEGRADED: 0, DOWN: 0, [status]: 1 };
  return gauge(
    "platform_health",
    "Health of this server: 1 for the current status, otherwise 0. DOWN if it cannot write.",
    samplesBy("status", samples),
  );
}

export function omittedSeries(omitted: { agents: number; services: number }): Family {
  return gauge(
    "platform_series_omitted",
    "Agents and services that have no series because of PLATFORM_METRICS_MAX_SERIES.",
    samplesBy("kind", omitted),
  );
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
  return gauge("platform_info", "The version of the running program, in labels; always 1.", [
    { labels, value: 1 },
  ]);
}

type CurrentValue = "staleOnlineAgents" | "schedulesPaused";

const agentCounters: Record<Exclude<keyof Metrics["operational"], CurrentValue>, string> = {
  agentCommandPolls: "Polls for commands by agents.",
  commandsDispatched: "Commands delivered to agents.",
  commandsCompleted: "Commands that succeeded.",
  commandsFailed: "Commands that an agent reported as failed, or that timed out.",
  actionPrepareRequested: "Prepare commands that were created.",
  actionPrepareTimeouts: "Prepare commands that got no response in time.",
  actionPrepareFailures: "Prepare commands that an agent reported as failed.",
  oversizedCommandResultsRejected: "Command results refused because of their size.",
  commandOutputBytes: "Bytes of output that agents sent while commands ran.",
  scheduleRunsStarted: "Runs of schedules that started.",
  scheduleRunsSkipped: "Runs of schedules that were missed or skipped.",
  scheduleRunsFailed: "Runs of schedules that could not start, or that failed.",
};

const busCounters: Record<keyof Metrics["bus"], string> = {
  eventsReceived: "Events that were stored and routed.",
  eventsDuplicate: "Events that were received again, which had no effect.",
  eventsRejected:
    "Events refused because of an unknown service, another agent's service, or too great a depth.",
  eventsRateLimited: "Events over their agent's limit per minute.",
  commandsCreated: "Commands created by routes.",
  routesFailed: "Events that matched a route but created no command because the route failed.",
};

const approvalCounters: Record<keyof Metrics["approvals"], string> = {
  requested: "Requests for approval.",
  approved: "Requests that got all their approvals and ran.",
  rejected: "Requests that an approver rejected.",
  expired: "Requests that were not decided in time.",
  bypassed: "Calls that an owner made without the approval that a policy requires.",
};

/** These counters survive restarts because they are in the database. */
function counters({ operational, bus, approvals }: Metrics): Family[] {
  return [
    ...countersOf("platform", agentCounters, operational),
    ...countersOf("platform_bus", busCounters, bus),
    ...countersOf("platform_approvals", approvalCounters, approvals),
  ];
}

function countersOf<K extends string>(
  prefix: string,
  helps: Record<K, string>,
  values: Record<NoInfer<K>, number>,
): Family[] {
  return Object.entries<string>(helps).map(([key, help]) => {
    const name = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return counter(`${prefix}_${name}_total`, help, values[key as K]);
  });
}

function current({ operational, byStatus, totals, ...metrics }: Metrics): Family[] {
  const { sampleSize, p50Ms, p95Ms, maxMs, meanMs } = metrics.commandDurations;
  const durations = Object.entries({ p50: p50Ms, p95: p95Ms, max: maxMs, mean: meanMs }).flatMap(
    ([statistic, ms]) => (ms === null ? [] : [{ labels: { statistic }, value: ms / 1000 }]),
  );
  const errors = metrics.topCommandErrors.map(({ code, count: value }) => ({
    labels: { code },
    value,
  }));
  return gauges([
    [
      "stale_online_agents",
      "Agents stored as ONLINE that have been silent for longer than the offline threshold.",
      operational.staleOnlineAgents,
    ],
    [
      "command_duration_seconds",
      "Durations of the last 1000 commands that ran and either succeeded or failed.",
      durations,
    ],
    [
      "command_duration_samples",
      "The number of commands in platform_command_duration_seconds.",
      sampleSize,
    ],
    ["command_errors", "The ten most frequent error codes of failed commands.", errors],
    ["agents", "Agents by stored status.", samplesBy("status", byStatus.agents)],
    [
      "capsule_services",
      "Services by stored status.",
      samplesBy("status", byStatus.capsuleServices),
    ],
    [
      "registration_tokens",
      "Registration tokens by status.",
      samplesBy("status", byStatus.registrationTokens),
    ],
    ["commands", "Commands by status.", samplesBy("status", byStatus.commands)],
    ["rollouts", "Rollouts by state.", samplesBy("status", byStatus.rollouts)],
    ["schedules", "Schedules by state.", samplesBy("status", byStatus.schedules)],
    [
      "schedules_paused",
      "1 while all schedules are paused together, otherwise 0.",
      operational.schedulesPaused,
    ],
    ["approvals", "Requests for approval by state.", samplesBy("status", byStatus.approvals)],
    ["users", "Users.", totals.users],
    ["audit_events", "Rows of the audit trail.", totals.auditEvents],
  ]);
}

function gauges(rows: [name: string, help: string, values: number | Sample[]][]): Family[] {
  return rows.map(([name, help, values]) => gauge(`platform_${name}`, help, values));
}

function requestDurations(requestTimes: RequestTimes): Family {
  const name = "platform_http_request_duration_seconds";
  return {
    name,
    help: "Time from a request's headers to its response, without the waiting time of long polls.",
    type: "histogram",
    values: [...requestTimes.all()].flatMap((series) => histogramOf(name, series)),
  };
}

/** In the text format, the buckets of a histogram are cumulative. */
function histogramOf(name: string, { route, status, counts, sumMs }: RequestSeries) {
  const labels = { route: route ?? "unmatched", method: methodOf(route), status };
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

function methodOf(route: SeriesName): string {
  if (route === "console") return "GET";
  return route === null ? "any" : factsOf(route).method;
}

/** A server on SQLite has no such metrics. */
function cluster({ cluster }: Diagnostics): Family[] {
  if (cluster === null) return [];
  return gauges([
    ["nodes", "Nodes of the cluster that were seen in the last 15 seconds.", cluster.nodes],
    [
      "node_is_leader",
      "Whether this node runs the jobs of the cluster: 1 or 0.",
      cluster.isLeader ? 1 : 0,
    ],
  ]);
}

function queues({ queues }: Diagnostics): Family[] {
  return gauges([
    ["held_polls", "Open long polls by agents.", queues.heldPolls],
    [
      "waiting_readers",
      "Requests that are waiting for a command to end, for its output, or for the end of an approval request.",
      queues.waitingReaders,
    ],
    ["write_queue_depth", "Writes that are not durable yet.", queues.writes],
    ["passwords_running", "Password hashes being computed.", queues.passwordsRunning],
    ["passwords_waiting", "Password hashes that are queued.", queues.passwordsWaiting],
    [
      "one_time_secrets",
      "Generated secrets that no operator has fetched yet.",
      queues.oneTimeSecrets,
    ],
  ]);
}

function limits({ limits: { inUse, reached } }: Diagnostics): Family[] {
  const { connections, pendingBodyBytes, pendingOutputBytes } = inUse;
  return [
    counter(
      "platform_limit_reached_total",
      "How often the server refused a request or closed a connection because of a limit on clients.",
      samplesBy("limit", reached),
    ),
    ...gauges([
      ["connections", "Open connections.", connections.used],
      ["connections_max", "The maximum number of open connections.", connections.allowed],
      ["pending_body_bytes", "Size of request bodies in progress.", pendingBodyBytes.used],
      [
        "pending_output_bytes",
        "Size of responses that clients have not read yet.",
        pendingOutputBytes.used,
      ],
    ]),
  ];
}

function eventLoopDelay({ p50Ms, p99Ms, maxMs, sumMs, count }: Delays): Family {
  const name = "platform_event_loop_delay_seconds";
  return {
    name,
    help: "The delay of the event loop. Quantiles cover the last few minutes.",
    type: "summary",
    values: [
      { labels: { quantile: 0.5 }, value: p50Ms / 1000 },
      { labels: { quantile: 0.99 }, value: p99Ms / 1000 },
      { labels: { quantile: 1 }, value: maxMs / 1000 },
      { metricName: `${name}_sum`, labels: {}, value: sumMs / 1000 },
      { metricName: `${name}_count`, labels: {}, value: count },
    ],
  };
}

/** All Node.js programs use these names for the metrics of the process. */
function sizes({ database, process, clock }: Diagnostics): Family[] {
  const { residentBytes, heapTotalBytes, heapUsedBytes, externalBytes } = process.memory;
  const startedAt = Date.parse(clock.startedAt) / 1000;
  return [
    ...gauges([
      ["database_size_bytes", "Size of the database file.", database.sizeBytes],
      ["database_wal_bytes", "Size of the database's write-ahead log.", database.walBytes],
    ]),
    ...(database.diskFreeBytes === undefined
      ? []
      : gauges([
          [
            "disk_free_bytes",
            "Free space on the disk of the database file.",
            database.diskFreeBytes,
          ],
        ])),
    counter("process_cpu_seconds_total", "User and system CPU time.", process.cpuSeconds),
    gauge("process_start_time_seconds", "Start of the service, in Unix time.", startedAt),
    gauge("process_resident_memory_bytes", "Resident memory.", residentBytes),
    gauge("nodejs_heap_size_total_bytes", "Size of the JavaScript heap.", heapTotalBytes),
    gauge("nodejs_heap_size_used_bytes", "Used part of the JavaScript heap.", heapUsedBytes),
    gauge("nodejs_external_memory_bytes", "Memory outside the JavaScript heap.", externalBytes),
  ];
}
