// The client of a database: runs the whole service in this process, without its listener and
// background jobs. (docs/decisions/0013-local-access.md)

import { type Client, createClient } from "../../client/client.ts";
import { localTransport } from "../../client/transport-local.ts";
import type { WalkTrail } from "../../domain/audit/trail-walks.ts";
import type { CopyDatabase } from "../../domain/storage/backups.ts";
import { placeOf } from "../../domain/storage/place.ts";
import { operatorName } from "../../lib/files/accounts.ts";
import { refuseRoot } from "../files/refuse-root.ts";
import { abandoned } from "../terminal/abandoned.ts";
import type { Io } from "../terminal/io.ts";
import { tracing } from "../terminal/notes.ts";
import { localConfig } from "./database-place.ts";
import { type ConnectOptions, type DatabaseDestination, idempotencyKeyOf } from "./destination.ts";

/** How long a write waits for a server's transaction to finish. */
const busyTimeoutMs = 5000;

/** Anyone who can open the database and its keys acts as an owner, and is audited as LOCAL. */
export async function connectToDatabase(
  io: Io,
  destination: DatabaseDestination,
  options: ConnectOptions,
  signal: AbortSignal,
): Promise<Client> {
  const config = localConfig(io.env, destination);
  const place = placeOf(config);
  refuseRoot(place);
  const { createApp, realWorld } = await import("../../app.ts");
  const { openStore } = await import("../../store/open.ts");
  const { now } = io;
  const opened = await openStore(place, { busyTimeoutMs, schema: "require", now });
  const { database } = opened;
  const world = { ...realWorld, copyDatabase, walkTrail };
  const app = await orClose(database, () => createApp(config, opened, world));
  const principal = { kind: "local", osUser: opened.databaseUser ?? operatorName() } as const;
  let closing: Promise<void> | null = null;
  const close = () => {
    closing ??= app.close().finally(() => database.close());
    return closing;
  };
  const transport = localTransport(place.name, app.localDoor(principal), close, {
    paths: app.localPaths(principal),
    ...tracing(io, options.debug),
  });
  return createClient(transport, { signal, onAbandoned: abandoned, ...idempotencyKeyOf(options) });
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

/** Closes the database if `begin` throws, because others may need exclusive access to the file. */
async function orClose<T>(database: { close(): Promise<void> }, begin: () => T): Promise<T> {
  try {
    return begin();
  } catch (error) {
    await database.close();
    throw error;
  }
}
