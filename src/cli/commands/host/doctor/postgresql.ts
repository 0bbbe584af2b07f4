// The checks of a PostgreSQL database, which replace the checks of an SQLite file.

import { existsSync } from "node:fs";
import type { PostgresPlace } from "../../../../domain/storage/place.ts";
import { formatBytes } from "../../../../lib/bytes.ts";
import { isoTime } from "../../../../lib/iso-time.ts";
import { once } from "../../../../lib/once.ts";
import {
  type Check,
  clockWarning,
  type Finding,
  failure,
  movedAway,
  ok,
  schemaFinding,
  skipped,
  unreadable,
  warning,
} from "./check.ts";
import { clockAhead } from "./clock-ahead.ts";
import { aboutOwners, checkCredentials, countsText } from "./database.ts";
import { openKeys } from "./files.ts";
import type { Subject } from "./subject.ts";

/** The oldest major version that `serve` accepts. */
const oldestVersion = 15;

type PostgresSubject = Subject & ReturnType<typeof surveyOf>;

/** Everything is read once, when a check needs it. A string says why something cannot be read. */
export function surveyOf(place: PostgresPlace, { deep, io }: Subject) {
  const load = () => import("../../../../store/engine/postgresql/examine.ts");
  return {
    place,
    served: once(() =>
      reasonInstead(async () => {
        const { readServer } = await load();
        const sentAt = io.now();
        const server = await readServer(place);
        return { ...server, clockAheadMs: clockAhead(server.now, sentAt, io.now()) };
      }),
    ),
    status: once(() =>
      reasonInstead(async () => {
        const schema = await import("../../../../store/engine/postgresql/schema-status.ts");
        return schema.postgresSchemaStatus(place.url);
      }),
    ),
    facts: once(() => reasonInstead(async () => (await load()).readPostgresFacts(place))),
    keyProblem: once(() => reasonInstead(async () => (await load()).requireKeyOf(place))),
    trail: once(() => reasonInstead(async () => (await load()).checkTrail(place, deep))),
  };
}

const ofFiles = "only for an SQLite file";

export const postgresChecks: Check<PostgresSubject>[] = [
  {
    name: "data folder",
    doing: "checking the folder",
    run: () => skipped(`${ofFiles}: serve creates the folder`),
  },
  { name: "permissions", doing: "checking the files", run: checkPermissions },
  {
    name: "disk space",
    doing: "checking the disk",
    run: () => skipped(`${ofFiles}: the disk is the database server's`),
  },
  {
    name: "disk writes",
    doing: "checking the disk",
    run: () => skipped(`${ofFiles}: the disk is the database server's`),
  },
  { name: "keys", doing: "checking the keys", run: checkKeys },
  { name: "database", doing: "connecting to the database", run: checkConnects },
  { name: "durability", doing: "reading the server's settings", run: checkDurability },
  { name: "access", doing: "reading who may connect", run: checkAccess },
  { name: "schema", doing: "checking the schema", run: checkSchema },
  {
    name: "log size",
    doing: "checking the log",
    run: () => skipped(`${ofFiles}: PostgreSQL limits its log itself`),
  },
  { name: "users", doing: "counting users", run: checkUsers },
  {
    name: "credentials",
    doing: "comparing users and keys with the trail",
    run: checkCredentials,
  },
  {
    name: "integrity",
    doing: "checking the database",
    run: () => skipped(`${ofFiles}: use PostgreSQL's pg_amcheck`),
  },
  { name: "audit trail", doing: "walking the audit chain", run: checkTrail },
  { name: "database clock", doing: "comparing clocks", run: checkClock },
];

async function checkPermissions({ place }: PostgresSubject): Promise<Finding> {
  const { auditKeyFile, sessionKeyFile } = place;
  const keys = [auditKeyFile, ...(sessionKeyFile === null ? [] : [sessionKeyFile])];
  if (!keys.some((key) => existsSync(key))) return skipped("the keys cannot be found");
  return (await openKeys(keys)) ?? ok("others cannot open the keys");
}

async function checkConnects({ place, served, facts, io }: PostgresSubject): Promise<Finding> {
  const server = await served();
  if (typeof server === "string") {
    return failure(server, "Check the URL, the database server, and its pg_hba.conf.");
  }
  const { version, encoding, sizeBytes } = server;
  const found = `PostgreSQL ${version}, ${formatBytes(sizeBytes)}`;
  if (Number.parseInt(version, 10) < oldestVersion) {
    return failure(found, `Upgrade it: PostgreSQL ${oldestVersion} or newer is needed.`);
  }
  if (encoding !== "UTF8") return failure(`${found}, encoding ${encoding}`, "Create it with UTF8.");
  const counts = await facts();
  if (typeof counts === "string") return ok(found);
  if (counts.mark !== null) return movedAway(place.name, counts.mark);
  return ok(`${found}; ${countsText(counts, io.now())}`);
}

/** Confirmed changes must survive a crash and a failover. */
async function checkDurability({ served }: PostgresSubject): Promise<Finding> {
  const server = await served();
  if (typeof server === "string") return unreadable;
  const { isFsyncOff, replicas, isAsynchronous } = server;
  if (isFsyncOff) {
    return warning(
      "fsync is off: a crash of the host loses confirmed changes, or damages the database",
      "Set fsync = on in postgresql.conf, and reload it.",
    );
  }
  if (replicas === 0) return ok("commits wait for the disk; no replica is connected");
  const found = replicas === 1 ? "1 replica" : `${replicas} replicas`;
  if (!isAsynchronous) return ok(`commits wait for the disk and for a replica (${found})`);
  return warning(
    `${found}, but no commit waits for one: a failover loses confirmed changes`,
    "Set synchronous_standby_names, and leave synchronous_commit on (docs/guides/cluster.md).",
  );
}

/** Whoever may connect can take advisory locks, and so keep all servers from writing. */
async function checkAccess({ served }: PostgresSubject): Promise<Finding> {
  const server = await served();
  if (typeof server === "string") return unreadable;
  if (!server.isOpenToAll) return ok("only roles with the CONNECT privilege may connect");
  return warning(
    "every role of the database server may connect, and could keep this service from writing",
    "As the database's owner: REVOKE CONNECT ON DATABASE … FROM PUBLIC, then grant it to the roles that need it.",
  );
}

async function checkSchema({ served, status }: PostgresSubject): Promise<Finding> {
  if (typeof (await served()) === "string") return unreadable;
  const schema = await status();
  if (typeof schema === "string") {
    return failure(schema, "Give a database of its own to this program.");
  }
  return schemaFinding(schema);
}

async function checkKeys({ served, keyProblem, place }: PostgresSubject): Promise<Finding> {
  if (typeof (await served()) === "string") return unreadable;
  const problem = await keyProblem();
  if (typeof problem === "string") {
    return failure(problem, "Set PLATFORM_AUDIT_KEY_FILE to the key of this database's trail.");
  }
  const { sessionKeyFile } = place;
  if (sessionKeyFile === null)
    return ok("the audit key matches the audit trail, and PLATFORM_SESSION_SECRET is set");
  const { loadSharedKey } = await import("../../../../store/files/key-files.ts");
  const unusable = await reasonInstead(async () => void loadSharedKey(sessionKeyFile));
  if (typeof unusable === "string") {
    return failure(unusable, "Set PLATFORM_SESSION_SECRET_FILE to the key that all servers share.");
  }
  return ok("the audit key matches the audit trail, and the session key can be read");
}

async function checkUsers({ facts }: PostgresSubject): Promise<Finding> {
  const counts = await facts();
  if (typeof counts === "string") return unreadable;
  return aboutOwners(
    counts,
    'PLATFORM_DB="$PLATFORM_DATABASE_URL" platformctl users create … --role owner',
  );
}

async function checkTrail({ facts, keyProblem, trail, deep }: PostgresSubject): Promise<Finding> {
  if (typeof (await facts()) === "string") return unreadable;
  if (typeof (await keyProblem()) === "string") return skipped("the key does not match the trail");
  const walked = await trail();
  if (typeof walked === "string") return failure(walked, "See the server's log.");
  const { checked, broken } = walked;
  if (broken !== null) {
    return failure(
      `broken at row ${broken.seq}: ${broken.reason}`,
      "The database was changed: compare it with a dump and with anchors (platform docs audit).",
    );
  }
  return ok(deep ? `unbroken, ${checked} rows` : `unbroken in the newest ${checked} rows`);
}

async function checkClock({ served }: PostgresSubject): Promise<Finding> {
  const server = await served();
  if (typeof server === "string") return unreadable;
  const { now, clockAheadMs } = server;
  const advice = "Set both clocks with NTP. Servers use the database's.";
  return clockWarning("the database's", clockAheadMs, advice) ?? ok(isoTime(now));
}

async function reasonInstead<T>(work: () => Promise<T>): Promise<T | string> {
  try {
    return await work();
  } catch (error) {
    return (error as Error).message;
  }
}
