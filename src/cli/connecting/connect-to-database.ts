// The client of a database. (docs/decisions/0013-local-access.md)

import { type Client, createClient } from "../../client/client.ts";
import { localTransport } from "../../client/transport-local.ts";
import { placeOf } from "../../domain/storage/place.ts";
import { operatorName } from "../../lib/files/accounts.ts";
import { refuseRoot } from "../files/refuse-root.ts";
import { abandoned } from "../terminal/abandoned.ts";
import type { Io } from "../terminal/io.ts";
import { tracing } from "../terminal/notes.ts";
import { localConfig } from "./database-place.ts";
import { type ConnectOptions, type DatabaseDestination, idempotencyKeyOf } from "./destination.ts";
import { openApp } from "./local-app.ts";

/** Anyone who can open the database and its keys acts as an owner, and is audited as LOCAL. */
export async function connectToDatabase(
  io: Io,
  destination: DatabaseDestination,
  options: ConnectOptions,
  signal: AbortSignal,
  busyTimeoutMs?: number,
): Promise<Client> {
  const config = localConfig(io.env, destination);
  const place = placeOf(config);
  refuseRoot(place);
  const { app, opened } = await openApp(io, config, place, { busyTimeoutMs });
  const principal = { kind: "local", osUser: opened.databaseUser ?? operatorName() } as const;
  let closing: Promise<void> | null = null;
  const close = () => {
    closing ??= app.close().finally(() => opened.database.close());
    return closing;
  };
  const transport = localTransport(place.name, app.localDoor(principal), close, {
    paths: app.localPaths(principal),
    ...tracing(io, options.debug),
  });
  return createClient(transport, { signal, onAbandoned: abandoned, ...idempotencyKeyOf(options) });
}
