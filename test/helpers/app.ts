// A complete service for a test, with a new database, a fake clock and cheap password hashes, but
// without a listener or jobs. Every response is checked against openapi.json.

import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { inject } from "vitest";
import { type App, createApp, realWorld, type World } from "../../src/app.ts";
import { type Client, createClient } from "../../src/client/client.ts";
import { localTransport } from "../../src/client/transport-local.ts";
import { type Config, loadConfig } from "../../src/config/config.ts";
import { presentCaller } from "../../src/core/caller.ts";
import type {
  AgentPrincipal,
  KeyRole,
  Principal,
  Role,
} from "../../src/domain/access/principals.ts";
import { type Place, placeOf } from "../../src/domain/storage/place.ts";
import type { Call } from "../../src/http/dispatch.ts";
import { loadEveryEndpoint } from "../../src/http/endpoints/index.ts";
import { jsonOf } from "../../src/lib/json/ready-json.ts";
import type { SetTimer } from "../../src/lib/timer-wheel.ts";
import { walkTrailOf } from "../../src/store/audit/verification.ts";
import type { Database } from "../../src/store/database.ts";
import { openDatabase } from "../../src/store/engine/sqlite/open.ts";
import { copyDatabase } from "../../src/store/files/copy.ts";
import type { OpenedStore } from "../../src/store/open.ts";
import { cheapScryptCost } from "./cheap-passwords.ts";
import { checkAnswer } from "./contract.ts";
import { atEnd } from "./lifetime.ts";
import { isOnPostgres, openPostgresFor, postgresSettings, runOnPostgres } from "./postgres-app.ts";
import { keepSqlite, openSqliteFor, sqliteFolder } from "./sqlite-app.ts";
import { startOfTime } from "./start-of-time.ts";

export { startOfTime };

export interface TestClock {
  now(): number;
  monotonic(): number;
  setTimer: SetTimer;
  /** Advances wall time and monotonic time. Waits whose time is up then end. */
  advance(ms: number): void;
  /** Sets the wall clock forward or back, and leaves monotonic time unchanged. */
  jump(ms: number): void;
}

export interface TestApp {
  app: App;
  config: Config;
  database: Database;
  hasHistory: boolean;
  isNew: boolean;
  place: Place;
  /** What `--db` names: the database file or the URL. */
  db: string;
  /** The database file on SQLite. The keys are in the same folder on both engines. */
  file: string;
  clock: TestClock;
  /** Runs SQL statements as another process would. */
  elsewhere(sql: string): Promise<void>;
  /** Returns the client of an API key with this role. */
  as(role: Role): Client;
  /**
   * Returns the client of any principal. An anonymous client can send an agent's token as `bearer`.
   */
  asPrincipal(principal: Principal, bearer?: string): Client;
  /** Creates an API key and returns its text. */
  apiKey(role?: KeyRole): Promise<string>;
  /** Registers an agent through the API, replacing one with the same code. */
  registerAgent(code?: string, services?: ServiceInput[]): Promise<TestAgent>;
}

export interface TestAgent {
  agentId: string;
  agentToken: string;
  client: Client;
  principal: AgentPrincipal;
}

export type ServiceInput = {
  code: string;
  name: string;
  version: string;
  healthStatus?: string;
  actions?: { name: string; [key: string]: unknown }[];
  [key: string]: unknown;
};

/**
 * The world of a test app, except for its clock. It copies and verifies without child processes.
 */
export const testWorld: World = {
  ...realWorld,
  copyDatabase,
  walkTrail: walkTrailOf,
};

/** The default fields of an anonymous call to `dispatch`. */
export const testCall = {
  params: {},
  query: {},
  body: undefined,
  principal: { kind: "anonymous" },
  bearer: null,
  secure: false,
  isOwnUrl: () => false,
  requestId: "req_test",
  ip: "127.0.0.1",
  userAgent: "test",
  caller: presentCaller,
} satisfies Partial<Call>;

const everyEndpoint = await loadEveryEndpoint();

/** Creates a folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "platform-test-"));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Creates a test app. If DATA_DIR belongs to an earlier app, pass that app's clock. */
export function openTestApp(
  env: Record<string, string> = {},
  world: Partial<World> = {},
  clock = testClock(),
): TestApp {
  const folder = env.DATA_DIR ?? newDataDir();
  const settings = isOnPostgres(folder) ? postgresSettings(folder, env) : {};
  const config = loadConfig({ DATA_DIR: folder, ...settings, ...env }, "0.0.0");
  const { dataDir } = config;
  const file = join(dataDir, "platform.db");
  const opened = openBeside({ config, clock });
  const { place, database } = opened;
  const { monotonic, setTimer } = clock;
  const testing = { ...testWorld, monotonic, setTimer, scryptCost: cheapScryptCost, ...world };
  const app = createApp(config, opened, testing, everyEndpoint);
  atEnd(async () => {
    await app.close();
    keepSqlite(dataDir);
    await database.close();
  });
  const asPrincipal = (principal: Principal, bearer: string | null = null) =>
    createClient(
      localTransport(
        "the test",
        async (call) => {
          // The server does the same with each request.
          if (principal.kind === "agent")
            app.core.presence.agents.add(principal.agentId, app.core.now());
          const answer = await app.dispatch({ ...testCall, ...call, principal, bearer });
          checkAnswer(call.route, answer.status, JSON.parse(jsonOf(answer)));
          return answer;
        },
        async () => undefined,
      ),
    );
  const as = (role: Role) =>
    asPrincipal({
      ...{ kind: "apiKey", keyId: `key_${role}`, name: `${role} key`, role },
      ...{ userId: null, makerId: null },
    });

  return {
    app,
    config,
    database,
    hasHistory: opened.hasHistory,
    isNew: opened.isNew,
    place,
    db: place.kind === "file" ? file : place.url,
    file,
    clock,
    async elsewhere(sql) {
      if (place.kind === "postgresql") return runOnPostgres(dataDir, sql);
      const other = new BetterSqlite3(file);
      try {
        other.exec(sql);
      } finally {
        other.close();
      }
    },
    as,
    asPrincipal,
    async apiKey(role = "viewer") {
      const body = { name: "a program", role };
      return (await as("owner").call("api-keys.create", { body })).key;
    },
    async registerAgent(code = "agent-1", services = []) {
      const { token } = await as("operator").call("registration-tokens.create", {
        body: { replace: true },
      });
      const registered = await asPrincipal({ kind: "anonymous" }).call("agent.register", {
        body: {
          registrationToken: token,
          agent: { code, mode: "sidecar" },
          services: services as never,
        },
      });
      const principal = (await app.core.credentials.agent(registered.agentToken)) as AgentPrincipal;
      return { ...registered, principal, client: asPrincipal(principal) };
    },
  };
}

function newDataDir(): string {
  // With an empty name, this asks whether every new folder is on PostgreSQL.
  return isOnPostgres("") ? temporaryFolder() : sqliteFolder();
}

/** Opens the database of a test app a second time, as another process would. */
export function openBeside({ config, clock }: Pick<TestApp, "config" | "clock">): OpenedStore {
  const place = placeOf(config);
  const { now } = clock;
  if (place.kind === "postgresql") return { place, ...openPostgresFor(config.dataDir, now) };
  const opened = openSqliteFor(config.dataDir, now);
  if (opened) return { place, ...opened };
  const { file } = place;
  if (!existsSync(file)) copyFileSync(inject("templateDatabase"), file);
  return { place, ...openDatabase({ file, busyTimeoutMs: 5000, schema: "apply", now }) };
}

/** Time stands still, except for `advance` and `jump`. */
export function testClock(): TestClock {
  let jumped = 0;
  let passed = 0;
  const timers = new Set<{ at: number; callBack: () => void }>();
  return {
    now: () => startOfTime + jumped + passed,
    monotonic: () => passed,
    setTimer(ms, callBack) {
      const timer = { at: passed + ms, callBack };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance(ms) {
      passed += ms;
      for (const timer of [...timers].filter(({ at }) => at <= passed)) {
        if (timers.delete(timer)) timer.callBack();
      }
    },
    jump(ms) {
      jumped += ms;
    },
  };
}

/** Time passes as it does outside of the test, for an app whose clients wait in real time. */
export function runningClock(): TestClock {
  const clock = testClock();
  const real = realWorld.monotonic;
  const began = real();
  return {
    ...clock,
    now: () => Math.floor(clock.now() + real() - began),
    monotonic: () => clock.monotonic() + real() - began,
    setTimer(ms, callBack) {
      const cancel = () => {
        for (const each of cancels) each();
      };
      const end = () => {
        cancel();
        callBack();
      };
      const cancels = [realWorld.setTimer(ms, end), clock.setTimer(ms, end)];
      return cancel;
    },
  };
}
