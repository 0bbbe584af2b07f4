// A whole service for a test: new database, fake clock, cheap passwords, no listener, no jobs. Callers use the
// real client and dispatch; every response is checked against openapi.json.

import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { type App, createApp, realWorld, type World } from "../../src/app.ts";
import { copyInChild } from "../../src/cli/files/child.ts";
import { type Client, createClient } from "../../src/client/client.ts";
import { localTransport } from "../../src/client/transport-local.ts";
import { type Config, loadConfig } from "../../src/config/config.ts";
import { presentCaller } from "../../src/core/caller.ts";
import type { AgentPrincipal, Principal, Role } from "../../src/domain/principals.ts";
import { everyEndpoint } from "../../src/http/endpoints/index.ts";
import { walkTrailOf } from "../../src/store/audit/verification.ts";
import type { Database } from "../../src/store/database.ts";
import { openDatabase } from "../../src/store/engine/open.ts";
import { cheapScryptCost } from "./cheap-passwords.ts";
import { checkAnswer } from "./contract.ts";
import { atEnd } from "./lifetime.ts";
import { startOfTime } from "./start-of-time.ts";

export { startOfTime };

export interface TestClock {
  now(): number;
  /** Goes on by itself, for waits; and is moved like wall time. */
  monotonic(): number;
  /** Moves wall time and monotonic time on. */
  advance(ms: number): void;
  /** Sets the wall clock forward, or back; monotonic time stays. */
  jump(ms: number): void;
}

export interface TestApp {
  app: App;
  config: Config;
  database: Database;
  hasHistory: boolean;
  isNew: boolean;
  /** The database file; keys stand beside it. */
  file: string;
  clock: TestClock;
  /** The client of an operator with this role. */
  as(role: Role): Client;
  /** The client of any principal; `bearer` is a registration's token. */
  asPrincipal(principal: Principal, bearer?: string): Client;
  /** Registers an agent through the API, in the place of one that has the code. */
  registerAgent(code?: string, services?: ServiceInput[]): Promise<TestAgent>;
}

export interface TestAgent {
  agentId: string;
  agentToken: string;
  /** The agent's own client. */
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

/** The world of an app in a test, but for its clock; parts of the program run as they do from source. */
export const testWorld: World = {
  ...realWorld,
  copyDatabase: copyInChild,
  walkTrail: walkTrailOf,
};

/** A new folder that is gone after the test (see `atEnd`). */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "platform-test-"));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * `world` replaces more of the ambient world than the clock; a DATA_DIR may have been served before, and
 * then pass the clock of that app.
 */
export function openTestApp(
  env: Record<string, string> = {},
  world: Partial<World> = {},
  clock = testClock(),
): TestApp {
  const folder = temporaryFolder();
  const config = loadConfig({ DATA_DIR: folder, ...env }, "0.0.0");
  if (!existsSync(config.databaseFile)) {
    copyFileSync(inject("templateDatabase"), config.databaseFile);
  }
  const opened = openDatabase({
    file: config.databaseFile,
    busyTimeoutMs: 5000,
    schema: "apply",
    now: clock.now,
  });
  const { database } = opened;
  const { now, monotonic } = clock;
  const testing = { ...testWorld, now, monotonic, scryptCost: cheapScryptCost, ...world };
  const app = createApp(config, opened, testing, everyEndpoint);
  atEnd(async () => {
    await app.close();
    await database.close();
  });
  const asPrincipal = (principal: Principal, bearer: string | null = null) =>
    createClient(
      localTransport(
        "the test",
        async (call) => {
          const answer = await app.dispatch({
            ...call,
            principal,
            bearer,
            secure: false,
            isOwnUrl: () => false,
            requestId: "req_test",
            ip: "127.0.0.1",
            userAgent: "test",
            caller: presentCaller,
          });
          checkAnswer(call.route, answer.status, JSON.parse(JSON.stringify(answer.body)));
          return answer;
        },
        async () => undefined,
      ),
    );
  const as = (role: Role) =>
    asPrincipal({ kind: "apiKey", keyId: `key_${role}`, name: `${role} key`, role });

  return {
    app,
    config,
    database,
    hasHistory: opened.hasHistory,
    isNew: opened.isNew,
    file: config.databaseFile,
    clock,
    as,
    asPrincipal,
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

function testClock(): TestClock {
  let time = startOfTime;
  let passed = 0;
  return {
    now: () => time,
    monotonic: () => performance.now() + passed,
    advance(ms) {
      time += ms;
      passed += ms;
    },
    jump(ms) {
      time += ms;
    },
  };
}
