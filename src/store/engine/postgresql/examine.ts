// Reads what an operator should know about a PostgreSQL database, for `platform doctor`.

import { createSecretKey } from "node:crypto";
import type { MovedTo } from "../../../domain/storage/moves.ts";
import type { PostgresPlace } from "../../../domain/storage/place.ts";
import { auditHead, readAuditEvents } from "../../audit/audit-events.ts";
import { requireKeyOfTrail } from "../../audit/key-check.ts";
import { walkTrail } from "../../audit/verification.ts";
import { follows, type InvalidRow } from "../../audit/verify-chain.ts";
import type { OpenedReader, Reader } from "../../database.ts";
import { loadSharedKey } from "../../files/key-files.ts";
import { findMark } from "../../move/mark.ts";
import { openPostgresReader } from "./open-reader.ts";

/** How many of the newest rows are checked if the whole trail is not. */
const sampleRows = 1000;

export interface PostgresServer {
  version: string;
  encoding: string;
  /** The database's clock, in Unix milliseconds. */
  now: number;
  sizeBytes: number;
  /** Whether a commit that was confirmed can be lost when the host of the database crashes. */
  isFsyncOff: boolean;
  /** How many replicas are connected to the server. */
  replicas: number;
  /** Whether commits wait for no replica. */
  isAsynchronous: boolean;
  /** Whether every role of the server may connect to the database. */
  isOpenToAll: boolean;
}

interface PostgresFacts {
  agents: number;
  users: number;
  activeOwners: number;
  newestEventAt: number | null;
  /** Not null if the data was moved away. */
  mark: MovedTo | null;
}

type Flag = "isFsyncOff" | "isAsynchronous" | "isOpenToAll";
/** PostgreSQL's booleans are read as 0 or 1. */
type ServerRow = Omit<PostgresServer, Flag> & Record<Flag, number>;

/** Throws AppError UNAVAILABLE, which names the database and the reason, but not the password. */
export function readServer({ url }: PostgresPlace): Promise<PostgresServer> {
  return reading(url, async (db) => {
    const row = await db.get<ServerRow>(
      `SELECT current_setting('server_version') AS "version",
         current_setting('server_encoding') AS "encoding",
         CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS bigint) AS "now",
         pg_database_size(current_database()) AS "sizeBytes",
         current_setting('fsync') = 'off' AS "isFsyncOff",
         (SELECT COUNT(*) FROM pg_stat_replication) AS "replicas",
         current_setting('synchronous_standby_names') = ''
           OR current_setting('synchronous_commit') = 'local' AS "isAsynchronous",
         EXISTS (SELECT 1 FROM pg_database d, aclexplode(COALESCE(d.datacl, acldefault('d', d.datdba))) a
           WHERE d.datname = current_database() AND a.grantee = 0
             AND a.privilege_type = 'CONNECT') AS "isOpenToAll"`,
    );
    if (!row) throw new Error("PostgreSQL returned no row");
    const { isFsyncOff, isAsynchronous, isOpenToAll, ...rest } = row;
    return {
      ...rest,
      isFsyncOff: isFsyncOff === 1,
      isAsynchronous: isAsynchronous === 1,
      isOpenToAll: isOpenToAll === 1,
    };
  });
}

/** Throws AppError UNAVAILABLE, or PostgreSQL's error if the tables do not exist. */
export function readPostgresFacts({ url }: PostgresPlace): Promise<PostgresFacts> {
  return reading(url, async (db) => {
    const row = await db.get<Omit<PostgresFacts, "mark">>(
      `SELECT (SELECT COUNT(*) FROM agents) AS "agents", (SELECT COUNT(*) FROM users) AS "users",
         (SELECT COUNT(*) FROM users WHERE role = 'owner' AND status = 'ACTIVE') AS "activeOwners",
         (SELECT at FROM audit_events ORDER BY seq DESC LIMIT 1) AS "newestEventAt"`,
    );
    if (!row) throw new Error("PostgreSQL returned no row");
    return { ...row, mark: await findMark(db) };
  });
}

interface LastNode {
  id: string;
  host: string;
  /** In Unix milliseconds. */
  seenAt: number;
  /** The time since `seenAt`, by the database's clock. */
  silentMs: number;
}

/** The node that was seen last. Throws like `readPostgresFacts`. */
export function readLastNode({ url }: PostgresPlace): Promise<LastNode | undefined> {
  return reading(url, (db) =>
    db.get<LastNode>(
      `SELECT id, host, seen_at AS "seenAt",
         CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS bigint) - seen_at AS "silentMs"
       FROM nodes ORDER BY seen_at DESC LIMIT 1`,
    ),
  );
}

/** Throws AppError UNAVAILABLE if the key is missing, or is not the key of the trail. */
export function requireKeyOf(place: PostgresPlace): Promise<void> {
  loadSharedKey(place.auditKeyFile);
  return reading(place.url, (db) => requireKeyOfTrail(db, place));
}

/** Checks the whole trail if `deep`, and otherwise its newest rows. */
export function checkTrail(
  { url, auditKeyFile }: PostgresPlace,
  deep: boolean,
): Promise<{ checked: number; broken: InvalidRow | null }> {
  const key = createSecretKey(loadSharedKey(auditKeyFile));
  return reading(url, async (db) => {
    if (deep) return walkTrail(db, key);
    const upTo = (await auditHead(db))?.seq ?? 0;
    const rows = await readAuditEvents(db, { after: upTo - sampleRows, upTo }, sampleRows);
    const broken = rows.find((row, index) => {
      const before = rows[index - 1];
      return before !== undefined && !follows(key, before, row);
    });
    if (!broken) return { checked: rows.length, broken: null };
    const reason = "it does not follow the previous row";
    return { checked: rows.indexOf(broken), broken: { seq: broken.seq, reason } };
  });
}

async function reading<T>(url: string, read: (db: Reader) => Promise<T>): Promise<T> {
  const opened: OpenedReader = await openPostgresReader(url);
  try {
    return await read(opened.read);
  } finally {
    await opened.close();
  }
}
