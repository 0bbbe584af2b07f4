import { type App, createApp, realWorld, type World } from "./app.ts";
import type { Config } from "./config/config.ts";
import { createLog, type ServerLog } from "./config/log.ts";
import { risksOf } from "./config/risks.ts";
import { readTlsPair } from "./config/tls-files.ts";
import type { Place } from "./domain/storage/place.ts";
import { operatorConnections } from "./http/connections/connections.ts";
import { listen } from "./http/connections/listen.ts";
import { type CertificateWatch, watchCertificate } from "./http/connections/tls.ts";
import { hasConsole } from "./http/console/files.ts";
import { loadEveryEndpoint } from "./http/endpoints/index.ts";
import { createHttpServer, type HttpServer } from "./http/server.ts";
import { jobTable, startJobs } from "./jobs/index.ts";
import type { Log } from "./lib/log.ts";
import { once } from "./lib/once.ts";
import { endsWithin } from "./lib/time-limit.ts";
import type { TlsPair } from "./lib/tls-pair.ts";
import { type holdHangUps, untilSignal } from "./lib/until-signal.ts";
import type { Database } from "./store/database.ts";
import type { OpenDatabaseOptions } from "./store/engine/sqlite/open.ts";
import {
  foldersOf,
  groupWarnings,
  makeOwnFolder,
  openKeyWarnings,
  refuseOpenFolder,
  refuseOpenKeys,
} from "./store/files/ownership.ts";
import { openStore } from "./store/open.ts";

/** How long a write waits for another process's lock. */
const busyTimeoutMs = 2000;

/** A stop must take at most 10 s, including the last log lines. */
const stopMs = 8500;
/** Closing the storage may take this long even if the rest of the stop took too long. */
const leastMs = 500;
/** How long the shutdown waits for the last log lines. */
const lastLinesMs = 1000;

export interface Serving {
  /** The base URL, without a trailing slash. */
  url: string;
  hasConsole: boolean;
  /** Resolves when a signal has stopped the service. */
  ended: Promise<void>;
  stop(): Promise<void>;
}

export interface ServeOptions {
  copyDatabase: World["copyDatabase"];
  walkTrail: World["walkTrail"];
  startReader: OpenDatabaseOptions["startReader"];
  warnings: readonly string[];
  /** Holds SIGHUP until the server can reload. */
  hangUps: ReturnType<typeof holdHangUps>;
}

/**
 * Throws AppError UNAVAILABLE if the database or the port is not available, and ConfigError if the
 * certificate cannot be used.
 */
export async function serve(
  place: Place,
  config: Config,
  { copyDatabase, walkTrail, startReader, warnings, hangUps }: ServeOptions,
): Promise<Serving> {
  process.umask(0o077);
  const tls = config.tls ? await readTlsPair(config.tls) : null;
  const { data, keys } = foldersOf(place);
  refuseOpenFolder(data);
  for (const folder of keys) refuseOpenKeys(folder);
  if (place.kind === "postgresql") makeOwnFolder(data);
  const opened = await openStore(place, {
    busyTimeoutMs,
    schema: "apply",
    now: realWorld.now,
    role: "server",
    startReader,
  });
  const { database } = opened;
  try {
    const log = await createLog(config);
    for (const warning of warnings) log.warn({}, warning);
    for (const warning of groupWarnings(place)) log.warn({}, warning);
    for (const warning of openKeyWarnings(place)) log.warn({}, warning);
    if (opened.restoreUndone) {
      log.warn({}, "a restore was interrupted before it replaced anything: run it again");
    }
    const app = createApp(
      config,
      opened,
      { ...realWorld, log, copyDatabase, walkTrail },
      await loadEveryEndpoint(),
    );
    log.writer.onDropped = (lines) => app.core.limitWatch.note("logLines", {}, lines);
    return await start(config, tls, log, { database, name: place.name }, app, hangUps);
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function start(
  config: Config,
  tls: TlsPair | null,
  log: ServerLog,
  { database, name }: { database: Database; name: string },
  app: App,
  hangUps: ServeOptions["hangUps"],
): Promise<Serving> {
  const opening = Promise.withResolvers<void>();
  const options = { ...app.httpOptions, opening: opening.promise };
  const http = createHttpServer({ ...options, ...(tls ? { tls } : {}) });
  const certificate = watchedCertificate(config, tls, http, log);
  const failed = new AbortController();

  async function begin() {
    // Runs first: if it fails, no password has been shown.
    const url = await listen(http.server, config.host, config.port);
    await welcomeOwner(app);
    await app.noteStarted();
    await app.join(url);
    app.core.eventLoopDelay.start();
    void app.core.backups.removeLeftovers();
    const stopJobs = startJobs(app.core, jobTable());
    opening.resolve();
    const { version } = config;
    const { allowed: maxConnections } = app.core.limitWatch.usage().connections;
    const connections = { maxConnections, keptForOperators: operatorConnections };
    log.info({ url, database: name, version, ...connections }, "listening");
    for (const risk of risksOf(config)) log.warn({}, risk);
    return { url, stopJobs };
  }
  const stop = once(async () => {
    // A stop during the start waits until everything that it must end has started.
    const { stopJobs } = await beginning;
    const { monotonic } = app.core;
    const endBy = monotonic() + stopMs;
    log.info({}, "stopping");
    certificate?.stop();
    app.drain();
    await http.drain(config.drainSeconds * 1000);
    app.beginToStop();
    await http.close();
    const ended = endStorage();
    async function endStorage() {
      await stopJobs();
      try {
        await app.close();
        await app.noteStopped();
      } finally {
        await database.close();
      }
    }
    // A PostgreSQL server, a disk, or the process that moves SQLite's log may never respond.
    const hasEnded = await endsWithin(Math.max(leastMs, endBy - monotonic()), ended);
    if (!hasEnded) {
      log.warn({}, "the database does not respond: the last calls of agents may not be stored");
    }
    log.info({}, "stopped");
    // Otherwise, unread output or the database could keep the process alive.
    if (!(await log.writer.drained(lastLinesMs)) || !hasEnded) process.exit(0);
  });
  // Runs before listening, because a stop can be requested as soon as the server is reachable.
  const ended = untilSignal(stop, {
    reload: () => readAgain(certificate, log),
    forgotten: failed.signal,
  });
  if (hangUps.release()) readAgain(certificate, log);
  const beginning = begin();
  try {
    const { url } = await beginning;
    return { url, hasConsole: hasConsole(app.httpOptions.projectFiles), stop, ended };
  } catch (error) {
    // Ignored here: the start fails for the same reason and ends the program.
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

/** Shows a generated password once, outside the log. */
async function welcomeOwner(app: App): Promise<void> {
  const owner = await app.welcomeOwner();
  if (!owner) return;
  const lines = [
    "",
    `First start: created the owner "${owner.username}" with this password:`,
    "",
    `    ${owner.password}`,
    "",
    "The password is shown only once. If this output is logged, change the password:",
    `platformctl users set-password ${owner.username}`,
    "",
    "",
  ];
  process.stderr.write(lines.join("\n"));
}

function readAgain(certificate: CertificateWatch | null, log: Log): void {
  log.info({}, certificate ? "SIGHUP: reading the certificate" : "SIGHUP: nothing to reload");
  void certificate?.reload();
}
