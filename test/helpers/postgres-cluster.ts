// An empty PostgreSQL database with the keys that its servers share.

import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { temporaryFolder } from "./app.ts";
import { atEnd } from "./lifetime.ts";
import { postgresDatabase } from "./postgres.ts";

export interface Cluster {
  url: string;
  /** The settings that all servers share. */
  env: Record<string, string>;
  /** The password in the URL, as it is written there. */
  password: string;
}

export async function emptyCluster(): Promise<Cluster> {
  const { url, drop } = await postgresDatabase();
  atEnd(drop);
  const folder = temporaryFolder();
  const env = {
    PLATFORM_DATABASE_URL: url,
    PLATFORM_AUDIT_KEY_FILE: writeKey(folder, "audit.key"),
    PLATFORM_SESSION_SECRET_FILE: writeKey(folder, "session.key"),
  };
  return { url, env, password: new URL(url).password };
}

/** Writes a new key, and returns its path. */
export function writeKey(folder: string, name: string): string {
  const file = join(folder, name);
  writeFileSync(file, `${randomBytes(32).toString("base64")}\n`, { mode: 0o600 });
  return file;
}

/** Runs a statement on a connection of its own. Returns counts and other large numbers as text. */
export async function rowsIn(url: string, sql: string): Promise<unknown[][]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: "array" })).rows;
  } finally {
    await client.end();
  }
}
