// Runs the whole service in this process, without its listener and background jobs.
// (docs/decisions/0013-local-access.md)

import type { Config } from "../../config/config.ts";
import type { WalkTrail } from "../../domain/audit/trail-walks.ts";
import type { CopyDatabase } from "../../domain/storage/backups.ts";
import type { Place } from "../../domain/storage/place.ts";
import type { Io } from "../terminal/io.ts";

const loadStore = () => import("../../store/open.ts");

type OpenStore = Awaited<ReturnType<typeof loadStore>>["openStore"];
export type OpenedStore = Awaited<ReturnType<OpenStore>>;

/** `OpenDatabaseOptions` in store/engine/sqlite/open.ts explains these options. */
interface OpenOptions {
  /** Default: `require`. */
  schema?: "apply" | "require";
  role?: "claimed";
  evenIfMoved?: boolean;
  /** Can refuse the database before the app creates missing keys. */
  check?: (opened: OpenedStore) => Promise<void>;
  /**
   * How long a write waits for a server's transaction to finish; with PostgreSQL, how long the
   * first connection may take. Default: 5 s.
   */
  busyTimeoutMs?: number | undefined;
}

type LocalApp = Awaited<ReturnType<typeof openApp>>;

/** The caller must close the app, and then the database. */
export async function openApp(
  io: Io,
  config: Config,
  place: Place,
  { schema = "require", busyTimeoutMs = 5000, check, ...options }: OpenOptions = {},
) {
  const { createApp, realWorld } = await import("../../app.ts");
  const { openStore } = await loadStore();
  const { now } = io;
  const opened = await openStore(place, { schema, busyTimeoutMs, now, ...options });
  try {
    await check?.(opened);
    const world = { ...realWorld, copyDatabase, walkTrail };
    return { app: createApp(config, opened, world), opened };
  } catch (error) {
    // Others may need exclusive access to the file.
    await opened.database.close();
    throw error;
  }
}

/** If `work` fails, closes only the database, because closing the app writes to it. */
export async function withApp<T>(
  io: Io,
  config: Config,
  place: Place,
  options: OpenOptions,
  work: (local: LocalApp) => Promise<T>,
): Promise<T> {
  const local = await openApp(io, config, place, options);
  try {
    const done = await work(local);
    await local.app.close();
    return done;
  } finally {
    await local.opened.database.close();
  }
}

/** Loads the code for child processes only when a backup needs it. */
const copyDatabase: CopyDatabase = async (...given) => {
  const { inChild } = await import("../files/child-processes.ts");
  return inChild.copyDatabase(...given);
};

/** Verifies the trail in this process, which has nothing else to do. */
const walkTrail: WalkTrail = async (...given) => {
  const { walkTrailOf } = await import("../../store/audit/verification.ts");
  return walkTrailOf(...given);
};
