import { readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { parse } from "yaml";
import { boundsMs, RequestTimes } from "../../src/core/monitoring/request-times.ts";
import { collector, sceneIn } from "../core/scene.ts";
import { type ListeningApp, listenTestApp, refused } from "../helpers/http/http.ts";
import { perFile } from "../helpers/lifetime.ts";
import { isChosen } from "../helpers/postgres-app.ts";
import { type Family, parsePrometheus, sampleOf } from "../helpers/programs/prometheus.ts";

const path = "/api/admin/metrics/prometheus";
const duration = "platform_http_request_duration_seconds";

interface Scene extends ListeningApp {
  key: string;
  scrape(): Promise<Map<string, Family>>;
}

async function scene(env: Record<string, string> = {}): Promise<Scene> {
  const app = await listenTestApp(env);
  const key = await app.apiKey("owner");
  return {
    ...app,
    key,
    async scrape() {
      const answer = await app.request("GET", path, { bearer: key });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
      return parsePrometheus(answer.body);
    },
  };
}

/** Opens a scene in which some names must be escaped. */
async function openBusy(): Promise<Scene> {
  const app = await sceneIn(await scene({ WORKSPACE_NAME: 'a "name"\\with\nall' }));
  await app.executeMany(6);
  for (const [i, id] of (await app.poll({ wait: 0, limit: 5 })).entries()) {
    app.clock.advance(100);
    const error = { code: i === 0 ? 'odd "code"\\\n' : "PLAIN" };
    await app.result(id, i < 3 ? { success: false, error } : { success: true });
  }
  app.app.core.eventLoopDelay.start();
  return app;
}

const busy = perFile(openBusy);

test("the numbers equal those of the JSON response", async () => {
  const app = busy();
  const json = await app.as("owner").call("metrics.get");
  const families = await app.scrape();
  const { staleOnlineAgents, schedulesPaused, ...operational } = json.operational;
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  for (const [prefix, counts] of Object.entries({ "": operational, bus_: json.bus })) {
    for (const [name, value] of Object.entries(counts)) {
      expect(sampleOf(families, `platform_${prefix}${snake(name)}_total`), name).toBe(value);
    }
  }
  for (const [noun, counts] of Object.entries(json.byStatus)) {
    for (const [status, value] of Object.entries(counts)) {
      expect(sampleOf(families, `platform_${snake(noun)}`, { status }), noun).toBe(value);
    }
  }
  expect(sampleOf(families, "platform_schedules_paused")).toBe(schedulesPaused);
  const { sampleSize, p50Ms, p95Ms, maxMs, meanMs } = json.commandDurations;
  for (const [statistic, ms] of Object.entries({
    p50: p50Ms,
    p95: p95Ms,
    max: maxMs,
    mean: meanMs,
  })) {
    const duration = sampleOf(families, "platform_command_duration_seconds", { statistic });
    expect(duration, statistic).toBe(ms! / 1000);
  }
  for (const { code, count } of json.topCommandErrors) {
    expect(sampleOf(families, "platform_command_errors", { code })).toBe(count);
  }
  const { users, auditEvents } = json.totals;
  const others = ["command_duration_samples", "users", "audit_events", "stale_online_agents"];
  expect(others.map((name) => sampleOf(families, `platform_${name}`))).toEqual([
    ...[sampleSize, users, auditEvents, staleOnlineAgents],
  ]);
  expect(json.topCommandErrors).toEqual([
    { code: "PLAIN", count: 2 },
    { code: 'odd "code"\\\n', count: 1 },
  ]);
  const [info] = families.get("platform_info")!.samples;
  const { id, name } = json.workspace;
  expect(info?.labels).toMatchObject({
    workspace_id: id,
    workspace_name: name,
    version: "0.0.0-dev",
  });
});

test("the metrics describe the process, its queues and its database", async () => {
  const app = await scene();
  app.app.core.eventLoopDelay.start();
  const families = await app.scrape();
  const queues = ["held_polls", "waiting_readers", "write_queue_depth", "passwords_running"];
  for (const name of [...queues, "one_time_secrets"]) {
    expect(sampleOf(families, `platform_${name}`), name).toBe(0);
  }
  for (const name of [
    "platform_database_size_bytes",
    // PostgreSQL's log belongs to the whole server.
    ...(isChosen() ? [] : ["platform_database_wal_bytes", "platform_disk_free_bytes"]),
    "process_cpu_seconds_total",
    "process_resident_memory_bytes",
    "nodejs_heap_size_used_bytes",
  ]) {
    expect(sampleOf(families, name), name).toBeGreaterThan(0);
  }
  expect(families.get("platform_event_loop_delay_seconds")).toMatchObject({ type: "summary" });
});

test("the metrics show the health of the server, also while it cannot write", async () => {
  const app = await scene();
  const shown = async () => (await app.scrape()).get("platform_health")!.samples;
  const one = (status: string, value: number) => ({ labels: { status }, value });
  expect(await shown()).toMatchObject([one("UP", 1), one("DEGRADED", 0), one("DOWN", 0)]);
  const full = { reason: "DISK_FULL", message: "The disk is full." } as const;
  vi.spyOn(app.app.core.storage, "problem").mockReturnValue(full);
  expect(await shown()).toMatchObject([one("UP", 0), one("DEGRADED", 0), one("DOWN", 1)]);
});

test("the metrics show how far each client limit is used, and how often it was reached", async () => {
  const app = await scene({ MAX_REQUESTS_PER_SECOND: "1" });
  const { agentToken } = await app.registerAgent();
  const beat = (bearer: string) =>
    app.request("POST", "/api/agents/heartbeat", { bearer, body: {} });
  const answers = await Promise.all(Array.from({ length: 12 }, () => beat(agentToken)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
  const rejected = answers.filter(({ status }) => status === 429);
  expect(rejected).toMatchObject([refused(429, "RATE_LIMITED"), refused(429, "RATE_LIMITED")]);
  expect(Number(rejected[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
  const other = await app.registerAgent("agent-2");
  expect((await beat(other.agentToken)).status).toBe(200);
  const families = await app.scrape();
  const reached = (limit: string) => sampleOf(families, "platform_limit_reached_total", { limit });
  expect(reached("requestsPerCredential")).toBe(2);
  expect(reached("connections")).toBe(0);
  expect(sampleOf(families, "platform_connections")).toBeGreaterThan(0);
  expect(sampleOf(families, "platform_pending_body_bytes")).toBe(0);
  app.clock.advance(10_000);
  expect((await beat(agentToken)).status).toBe(200);
  // Forbidden calls count, too.
  const viewer = await app.apiKey("viewer");
  const run = () => app.request("POST", "/api/admin/maintenance/run", { bearer: viewer });
  const forbidden = await Promise.all(Array.from({ length: 11 }, run));
  expect(forbidden.map(({ status }) => status).sort()).toEqual([...Array(10).fill(403), 429]);
});

test("requests are counted by route, method and status; all unknown paths share one series for each status", async () => {
  const app = await scene();
  for (let i = 0; i < 5; i++) {
    await app.request("GET", `/nowhere/${i}?${i}=${i}`);
    await app.request("GET", `/api/admin/agents/agt_${i}`, { bearer: app.key });
    await app.request("POST", `/api/system/health`, { headers: { [`x-${i}`]: "1" } });
    await app.request("OPTIONS", `/api/agents/${i}/heartbeat`);
  }
  const { samples } = (await app.scrape()).get(duration)!;
  const series = samples.filter(({ name }) => name === `${duration}_count`);
  expect(series.map(({ labels, value }) => ({ ...labels, value }))).toEqual([
    { route: "unmatched", method: "any", status: "404", value: 5 },
    { route: "unmatched", method: "any", status: "405", value: 10 },
    { route: "agents.get", method: "GET", status: "404", value: 5 },
  ]);
});

test("durations do not include the waiting time of long polls", async () => {
  const app = await sceneIn(await scene());
  const { doorbell } = app.app.core;
  const holds = (waiting: object) =>
    vi.waitFor(() => expect(doorbell.countWaiting()).toMatchObject(waiting), 60_000);
  const bearer = app.agent.agentToken;
  const poll = app.request("GET", "/api/agents/commands?wait=60", { bearer });
  await holds({ polls: 1 });
  expect(sampleOf(await app.scrape(), "platform_held_polls")).toBe(1);
  app.clock.advance(50_000);
  const id = await app.execute();
  expect((await poll).body.data.commands).toHaveLength(1);

  const reader = app.request("GET", `/api/admin/commands/${id}?wait=60`, { bearer: app.key });
  await holds({ readers: 1 });
  app.clock.advance(50_000);
  await app.cancel(id);
  expect((await reader).body.data.status).toBe("CANCELLED");

  const families = await app.scrape();
  for (const route of ["agent.poll", "commands.get"]) {
    expect(sampleOf(families, `${duration}_count`, { route })).toBe(1);
    expect(sampleOf(families, `${duration}_sum`, { route })).toBeLessThan(45);
  }
});

test("a duration is counted in the smallest bucket that contains it", () => {
  const times = new RequestTimes();
  for (const ms of [0, 0.5, 0.51, 9.99, 10, 10_000, 10_001, 1e9]) {
    times.note("agent.poll", 200, ms);
  }
  const [series, ...others] = [...times.all()];
  expect(others).toEqual([]);
  expect(series).toMatchObject({ route: "agent.poll", status: 200 });
  const filled = Array.from(series!.counts, (count, index) => [boundsMs[index], count] as const);
  expect(filled.filter(([, count]) => count > 0)).toEqual([
    [0.5, 2],
    [1, 1],
    [10, 2],
    [10_000, 1],
    [undefined, 2],
  ]);
  expect(series!.sumMs).toBeCloseTo(1e9 + 20_022, 3);
});

test("each service and agent has its status, and those beyond the configured maximum are only counted", async () => {
  const app = await scene({ METRICS_MAX_SERIES: "2" });
  const services = ["a", "b", "c"].map((code) => {
    return { ...collector, code, healthStatus: code === "b" ? "DOWN" : "UP" };
  });
  const { client } = await app.registerAgent("agent-1", services);
  const families = await app.scrape();
  expect(families.get("platform_service_status")?.samples.map(({ labels }) => labels)).toEqual([
    { service: "a", agent: "agent-1", status: "HEALTHY" },
    { service: "b", agent: "agent-1", status: "UNHEALTHY" },
  ]);
  expect(families.get("platform_agent_status")?.samples).toMatchObject([
    { labels: { agent: "agent-1", status: "ONLINE" }, value: 1 },
  ]);
  const [last] = families.get("platform_agent_last_heartbeat_timestamp_seconds")!.samples;
  expect(last).toMatchObject({ labels: { agent: "agent-1" }, value: app.clock.now() / 1000 });
  expect(families.get("platform_series_omitted")?.samples).toMatchObject([
    { labels: { kind: "agents" }, value: 0 },
    { labels: { kind: "services" }, value: 1 },
  ]);
  const left = { complete: true, services: services.slice(0, 2) as never };
  await client.call("agent.report", { body: left });
  // A removed service has no series, whatever the maximum is.
  expect(sampleOf(await app.scrape(), "platform_series_omitted", { kind: "services" })).toBe(0);
});

test("the alerts and the dashboard in docs/examples use existing families", async () => {
  const families = await busy().scrape();
  const ofFiles = isChosen() ? ["platform_disk_free_bytes"] : [];
  const known = [...families.keys(), ...ofFiles].flatMap((name) => [
    name,
    `${name}_count`,
    `${name}_bucket`,
  ]);
  for (const file of ["prometheus-alerts.yaml", "grafana-dashboard.json"]) {
    const text = readFileSync(new URL(`../../docs/examples/${file}`, import.meta.url), "utf8");
    parse(text);
    const names = new Set(text.match(/\b(platform|process)_[a-z_]+\b/g));
    expect(names.size).toBeGreaterThan(5);
    expect([...names].filter((name) => !known.includes(name))).toEqual([]);
  }
});
