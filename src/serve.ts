// `platform serve`: opens the database, starts the service, and ends it without losing anything.

import type { AddressInfo } from "node:net";
import { type App, createApp, realWorld } from "./app.ts";
import type { Config } from "./config/config.ts";
import { createLog } from "./config/log.ts";
import { createHttpServer, type HttpServer } from "./http/server.ts";
import { jobTable, startJobs } from "./jobs/index.ts";
import { openDatabase } from "./store/open.ts";

const busyTimeoutMs = 250;

export interface Serving {
  /** Where it answers, without a slash at the end. */
  url: string;
  /** Resolves when it has ended after a signal or `stop`. */
  ended: Promise<void>;
  stop(): Promise<void>;
}

/** Starts the service. Throws AppError UNAVAILABLE when the database or the port cannot be had. */
export async function serve(config: Config): Promise<Serving> {
  const log = createLog(config);
  process.umask(0o077);
  const { database, migrated } = openDatabase({
    file: config.databaseFile,
    busyTimeoutMs,
    schema: "apply",
    now: realWorld.now,
  });
  const app = createApp(config, database, { ...realWorld, log });
  const http = createHttpServer({
    core: app.core,
    dispatch: app.dispatch,
    cookieStyle: app.cookieStyle,
    hostPolicy: {
      allowedHosts: config.allowedHosts,
      publicUrl: config.publicUrl ?? null,
      boundHost: config.host,
    },
    commandResultMaxBytes: config.commandResultMaxBytes,
  });
  try {
    // First of all, so that a start which fails here has changed nothing and shown no password.
    const address = await listen(http, config);
    await app.noteStarted(migrated.map((migration) => migration.name));
    await welcomeOwner(app);
    const url = `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`;
    const jobs = startJobs(app.core, jobTable(config.maintenanceIntervalSeconds));
    log.info({ url, database: config.databaseFile, version: config.version }, "listening");
    const stop = once(async () => {
      log.info({}, "stopping");
      app.core.doorbell.close();
      await http.close();
      await jobs.stop();
      await app.noteStopped();
      await app.close();
      await database.close();
      log.info({}, "stopped");
    });
    return { url, stop, ended: endOnSignal(stop) };
  } catch (error) {
    await app.close();
    await http.close();
    await database.close();
    throw error;
  }
}

function listen(http: HttpServer, config: Config): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    http.server.once("error", (error: NodeJS.ErrnoException) =>
      reject(cannotListen(config, error)),
    );
    http.server.listen(config.port, config.host, () => {
      resolve(http.server.address() as AddressInfo);
    });
  });
}

function cannotListen({ host, port }: Config, error: NodeJS.ErrnoException): Error {
  const reasons: Record<string, string> = {
    EADDRINUSE: "another program listens there already; choose another with --port",
    EADDRNOTAVAIL: "this host has no such address",
    EACCES: "not permitted",
    ENOTFOUND: "there is no such host name",
  };
  const reason = reasons[error.code ?? ""] ?? error.message;
  return new Error(`Cannot listen on ${host}:${port}: ${reason}.`, { cause: error });
}

/** A password that was made up here is shown this once, apart from the log. */
async function welcomeOwner(app: App): Promise<void> {
  const owner = await app.welcomeOwner();
  if (!owner) return;
  process.stderr.write(
    `
First start: the owner "${owner.username}" was made, with the password

` +
      `    ${owner.password}

It is shown only now.

`,
  );
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
