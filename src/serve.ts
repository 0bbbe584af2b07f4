// `platform serve`: opens the database, starts the service, and ends it without losing anything.

import { type App, createApp, realWorld, type World } from "./app.ts";
import type { Config } from "./config/config.ts";
import { createLog } from "./config/log.ts";
import { listen } from "./http/listen.ts";
import { createHttpServer } from "./http/server.ts";
import { jobTable, startJobs } from "./jobs/index.ts";
import type { Log } from "./lib/log.ts";
import type { Database } from "./store/database.ts";
import type { Migration } from "./store/migrate.ts";
import { openDatabase } from "./store/open.ts";

/** How long a write waits for another process; meanwhile everything else goes on. */
const busyTimeoutMs = 2000;

export interface Serving {
  /** Where it answers, without a slash at the end. */
  url: string;
  /** Resolves when it has ended after a signal. */
  ended: Promise<void>;
  stop(): Promise<void>;
}

/** Starts the service. Throws AppError UNAVAILABLE when the database or the port cannot be had. */
export async function serve(config: Config, copyDatabase: World["copyDatabase"]): Promise<Serving> {
  process.umask(0o077);
  const opened = openDatabase({
    file: config.databaseFile,
    busyTimeoutMs,
    schema: "apply",
    now: realWorld.now,
  });
  const { database, migrated } = opened;
  try {
    const log = createLog(config);
    const app = createApp(config, opened, { ...realWorld, log, copyDatabase });
    return await start(config, log, database, app, migrated);
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function start(
  config: Config,
  log: Log,
  database: Database,
  app: App,
  migrated: Migration[],
): Promise<Serving> {
  const http = createHttpServer(app.httpOptions);
  try {
    // First of all, so that a start which fails here has changed nothing and shown no password.
    const url = await listen(http.server, config.host, config.port);
    await app.noteStarted(migrated.map((migration) => migration.name));
    await welcomeOwner(app);
    app.core.eventLoopDelay.start();
    void app.core.backups.removeLeftovers();
    const jobs = startJobs(app.core, jobTable());
    const stop = once(async () => {
      log.info({}, "stopping");
      app.core.doorbell.close();
      await http.close();
      await jobs.stop();
      try {
        await app.close();
        await app.noteStopped();
      } finally {
        await database.close();
      }
      log.info({}, "stopped");
    });
    // Before it says that it listens: who reads that may ask it to stop at once.
    const ended = endOnSignal(stop);
    log.info({ url, database: config.databaseFile, version: config.version }, "listening");
    return { url, stop, ended };
  } catch (error) {
    await http.close();
    await app.close().catch(() => undefined);
    throw error;
  }
}

/** A password that was made up here is shown this once, apart from the log. */
async function welcomeOwner(app: App): Promise<void> {
  const owner = await app.welcomeOwner();
  if (!owner) return;
  const lines = [
    "",
    `First start: the owner "${owner.username}" was made, with the password`,
    "",
    `    ${owner.password}`,
    "",
    "It is shown only now.",
    "",
    "",
  ];
  process.stderr.write(lines.join("\n"));
}

/** The first signal stops gracefully; a second one ends the process at once. */
function endOnSignal(stop: () => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    let signals = 0;
    const onSignal = () => {
      signals++;
      if (signals > 1) process.exit(130);
      stop().then(resolve, reject);
    };
    process.on("SIGTERM", onSignal);
    process.on("SIGINT", onSignal);
  });
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => {
    running ??= work();
    return running;
  };
}
