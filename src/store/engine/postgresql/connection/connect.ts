// Opens connections to PostgreSQL. Loads `pg`, which a server on SQLite never needs.

/// <reference path="pgpass.d.ts" />

import type { Client } from "pg";
import type pgpass from "pgpass";
import type { PostgresAddress } from "./address.ts";
import { valueTypes } from "./values.ts";

/**
 * Connects with TLS if the server and the URL allow it. Rejects with the error of `pg` or of the
 * system.
 */
export async function connectTo(address: PostgresAddress, connectMs: number): Promise<Client> {
  try {
    return await connectOnce(address, connectMs);
  } catch (error) {
    const hasNoTls = (error as Error).message === "The server does not support SSL connections";
    if (!hasNoTls || !address.plainAllowed) throw error;
    const client = await connectOnce({ ...address, tls: null }, connectMs);
    address.tls = null; // the next connection need not try
    return client;
  }
}

/** Returns the password in PGPASSFILE or `~/.pgpass`, if there is one for this connection. */
async function passwordInFile(
  connection: Parameters<typeof pgpass>[0],
): Promise<string | undefined> {
  const { default: lookUp } = await import("pgpass");
  return new Promise((resolve) => lookUp(connection, resolve));
}

async function connectOnce({ config, tls }: PostgresAddress, connectMs: number): Promise<Client> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({
    connectionTimeoutMillis: connectMs,
    ...config,
    ssl: tls ?? false,
    types: valueTypes,
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  // `pg` would read the file, too, but warns that it will not in its next version.
  if ((client.password ?? null) === null) Object.assign(client, { password: passwordInFile });
  // The server can close the connection as soon as it has accepted it.
  client.on("error", () => undefined);
  try {
    return await client.connect();
  } catch (error) {
    client.connection.stream.destroy();
    throw error;
  }
}
