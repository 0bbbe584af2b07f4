// `platform serve`: opens the database, starts the service, and ends it without losing anything.

import { dirname, join } from "node:path";
import { type App, createApp, realWorld, type World } from "./app.ts";
import type { Config } from "./config/config.ts";
import { createLog, type ServerLog } from "./config/log.ts";
import { risksOf } from "./config/risks.ts";
import { readTlsPair } from "./config/tls-files.ts";
import { listen } from "./http/connections/listen.ts";
import { type CertificateWatch, watchCertificate } from "./http/connections/tls.ts";
import { hasConsole } from "./http/console/files.ts";
import { everyEndpoint } from "./http/endpoints/index.ts";
import { createHttpServer, type HttpServer } from "./http/server.ts";
import { jobTable, type RunningJobs, startJobs } from "./jobs/index.ts";
import type { Log } from "./lib/log.ts";
import type { TlsPair } from "./lib/tls-pair.ts";
import { untilSignal } from "./lib/until-signal.ts";
import { requireAuditKey } from "./store/audit/key-check.ts";
import type { Database } from "./store/database.ts";
import type { Migration } from "./store/engine/migrate.ts";
import { openDatabase } from "./store/engine/open.ts";
import { mayGroupWrite, refuseOpenFolder } from "./store/files/ownership.ts";

/** How long a write waits for another process; meanwhile everything else goes on. */
const busyTimeoutMs = 2000;

/** How long the last lines of the log may take. */
const lastLinesMs = 1000;

export interface Serving {
  /** Where it answers, without a slash at the end. */
  url: string;
  /** Whether a browser finds the console there. */
  hasConsole: boolean;
  /** Resolves when it has ended after a signal. */
  ended: Promise<void>;
  stop(): Promise<void>;
}

export interface ServeOptions {
  copyDatabase: World["copyDatabase"];
  walkTrail: World["walkTrail"];
  /** To be logged at the start. */
  warnings?: readonly string[];
}

/**
 * Starts the service. Throws AppError UNAVAILABLE when the database or the port cannot be had,
 * ConfigError when the certificate cannot be used.
 */
export async function serve(
  config: Config,
  { copyDatabase, walkTrail, warnings = [] }: ServeOptions,
): Promise<Serving> {
  process.umask(0o077);
  const tls = config.tls ? await readTlsPair(config.tls) : null;
  const { databaseFile: file } = config;
  const folder = dirname(file);
  refuseOpenFolder(folder);
  await requireAuditKey(file, join(folder, "audit.key"), busyTimeoutMs);
  const opened = openDatabase({
    file,
    busyTimeoutMs,
    schema: "apply",
    now: realWorld.now,
    role: "server",
  });
  const { database, migrated } = opened;
  try {
    const log = createLog(config);
    for (const warning of warnings) log.warn({}, warning);
    if (mayGroupWrite(folder)) {
      log.warn({}, `the group of ${folder} may replace the database and its keys: chmod g-w`);
    }
    if (opened.restoreUndone) {
      log.warn({}, "a restore was interrupted before it had replaced anything: run it again");
    }
    const app = createApp(
      config,
      opened,
      { ...realWorld, log, copyDatabase, walkTrail },
      everyEndpoint,
    );
    log.writer.onDropped = (lines) => app.core.limitWatch.note("logLines", {}, lines);
    return await start(config, tls, log, database, app, migrated);
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function start(
  config: Config,
  tls: TlsPair | null,
  log: ServerLog,
  database: Database,
  app: App,
  migrated: Migration[],
): Promise<Serving> {
  const opening = Promise.withResolvers<void>();
  const options = { ...app.httpOptions, opening: opening.promise };
  const http = createHttpServer({ ...options, ...(tls ? { tls } : {}) });
  const certificate = watchedCertificate(config, tls, http, log);
  const failed = new AbortController();

  async function begin(): Promise<{ url: string; jobs: RunningJobs }> {
    // First of all, so that a start which fails here has shown no password.
    const url = await listen(http.server, config.host, config.port);
    await welcomeOwner(app);
    await app.noteStarted(migrated.map((migration) => migration.name));
    app.core.eventLoopDelay.start();
    void app.core.backups.removeLeftovers();
    const jobs = startJobs(app.core, jobTable());
    opening.resolve();
    log.info({ url, database: config.databaseFile, version: config.version }, "listening");
    for (const risk of risksOf(config)) log.warn({}, risk);
    return { url, jobs };
  }
  const stop = once(async () => {
    // Who asks early waits until everything stands that is ended here.
    const { jobs } = await beginning;
    log.info({}, "stopping");
    certificate?.stop();
    app.beginToStop();
    await http.close();
    await jobs.stop();
    try {
      await app.close();
      await app.noteStopped();
    } finally {
      await database.close();
    }
    log.info({}, "stopped");
    // What waits for somebody to read it would keep the process.
    if (!(await log.writer.drained(lastLinesMs))) process.exit(0);
  });
  // Before it listens: who is answered, or only connected, may ask it to stop at once.
  const ended = untilSignal(stop, {
    reload: () => readAgain(certificate, log),
    forgotten: failed.signal,
  });
  const beginning = begin();
  try {
    const { url } = await beginning;
    return { url, hasConsole: hasConsole(app.httpOptions.projectFiles), stop, ended };
  } catch (error) {
    // The start fails with the same reason, and ends the program.
    ended.catch(() => undefined);
    opening.reject(error);
    certificate?.stop();
    await http.close();
    await app.close().catch(() => undefined);
    failed.abort();
    throw error;
  }
}

function watchedCertificate(
  { tls: files }: Config,
  inUse: TlsPair | null,
  { useCertificate: use }: HttpServer,
  log: Log,
): CertificateWatch | null {
  if (!files || !inUse) return null;
  return watchCertificate({ inUse, read: () => readTlsPair(files), use, log });
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
    "It is shown only now. Where a log keeps it, set another: platformctl users set-password",
    "",
    "",
  ];
  process.stderr.write(lines.join("\n"));
}

/** What a service without a terminal does on SIGHUP. */
function readAgain(certificate: CertificateWatch | null, log: Log): void {
  log.info({}, certificate ? "SIGHUP: reading the certificate" : "SIGHUP: nothing to read again");
  void certificate?.reload();
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => {
    running ??= work();
    return running;
  };
}
