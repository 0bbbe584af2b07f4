// Is the database in order: readable, ours, sound, its trail unbroken, its log short, and somebody there
// who may administer it?

import { stat } from "node:fs/promises";
import { formatBytes } from "../../../../lib/bytes.ts";
import { isoTime } from "../../../../lib/iso-time.ts";
import { relativeTime } from "../../../output/relative-time.ts";
import {
  type Check,
  type Finding,
  failure,
  ok,
  outOfReach,
  type Patient,
  skipped,
  warning,
} from "./check.ts";

/** The sweep cuts it at 64 MiB. */
const longLogBytes = 2 * 64 * 1024 * 1024;
const unreadable = "the database cannot be read";

export const databaseChecks: Check[] = [
  { name: "database", doing: "opening the database", run: checkOpens },
  { name: "schema", doing: "looking at the schema", run: checkSchema },
  { name: "log size", doing: "looking at the log", run: checkLog },
  { name: "users", doing: "counting users", run: checkUsers },
  { name: "credentials", doing: "comparing users and keys with the trail", run: checkCredentials },
  { name: "integrity", doing: "checking every page", run: checkIntegrity },
  { name: "audit trail", doing: "walking the audit chain", run: checkTrail },
];

async function checkOpens(patient: Patient): Promise<Finding> {
  if (patient.denied !== null) return skipped(outOfReach);
  const facts = await patient.facts();
  if (typeof facts === "string") {
    return failure(
      facts,
      "Is it the right file (--data-dir, --db)? Else put a backup in its place: platform restore FILE",
    );
  }
  const { agents, users, newestEventAt } = facts;
  const last =
    newestEventAt === null
      ? "no events"
      : `last event ${relativeTime(isoTime(newestEventAt), patient.io.now())}`;
  return ok(`agents: ${agents}, users: ${users}, ${last}`);
}

async function checkSchema({ place: { file } }: Patient): Promise<Finding> {
  const { schemaDifference, schemaStatus } = await import(
    "../../../../store/engine/schema-status.ts"
  );
  let all: ReturnType<typeof schemaStatus>;
  try {
    all = schemaStatus(file);
  } catch {
    return skipped(unreadable);
  }
  const version = all.filter(({ state }) => state !== "PENDING").length;
  const changed = all.find(({ state }) => state === "CHANGED");
  if (changed) {
    return failure(
      `migration ${changed.name} was applied in another form than this program's`,
      "Use the program that wrote it.",
    );
  }
  if (all.some(({ state }) => state === "UNKNOWN")) {
    return failure(
      `version ${version} is newer than this program`,
      "Use the program that wrote it, or a newer one.",
    );
  }
  const difference = schemaDifference(file);
  if (difference !== null) {
    return failure(
      `something else has changed the schema: ${difference}`,
      "Find out who did: a trigger or a view may do anything. Then take it out, or restore a backup.",
    );
  }
  const pending = all.length - version;
  if (pending === 0) return ok(`version ${version}, up to date`);
  return warning(
    `version ${version}, ${pending} to apply`,
    "The next start of this program applies it; or `platform migrate`.",
  );
}

async function checkLog({ place: { file }, denied }: Patient): Promise<Finding> {
  if (denied !== null) return skipped(outOfReach);
  const bytes = (await stat(`${file}-wal`).catch(() => null))?.size ?? 0;
  const found = `${formatBytes(bytes)} of write-ahead log`;
  if (bytes <= longLogBytes) return ok(found);
  return warning(
    found,
    "Somebody reads an old state for long (a backup?), or no server runs: see that one does.",
  );
}

async function checkUsers(patient: Patient): Promise<Finding> {
  const facts = await patient.facts();
  if (typeof facts === "string") return skipped(unreadable);
  if (facts.users === 0) return ok("none yet: the first start makes an owner");
  if (facts.activeOwners > 0)
    return ok(`${facts.activeOwners} of ${facts.users} are active owners`);
  return failure(
    `none of ${facts.users} users is an active owner`,
    `platformctl users create … --role owner --db ${patient.place.file}`,
  );
}

async function checkCredentials(patient: Patient): Promise<Finding> {
  const unaccounted = await patient.unaccounted();
  if (unaccounted === null) return skipped("only with a database of this program's schema");
  const { strangers, orphanedKeys } = unaccounted;
  if (strangers.length > 0) {
    return failure(
      strangers.join("; "),
      "Somebody wrote into the database file: delete what you do not know, and compare with a backup.",
    );
  }
  if (orphanedKeys.length === 0)
    return ok("users, API keys and agents are as the audit trail says");
  return warning(
    `API keys of users who are disabled or deleted still work: ${orphanedKeys.join(", ")}`,
    "They are from before keys ended with their user. Revoke them: platformctl api-keys revoke KEY",
  );
}

async function checkIntegrity(patient: Patient): Promise<Finding> {
  const examined = await patient.examination();
  if (typeof examined === "string") return skipped(unreadable);
  if (examined.damage === null) return ok("SQLite finds nothing wrong");
  return failure(examined.damage, "Put a backup in its place: platform restore FILE");
}

async function checkTrail(patient: Patient): Promise<Finding> {
  const examined = await patient.examination();
  if (typeof examined === "string") return skipped(unreadable);
  const { audit } = examined;
  if (audit === null) return skipped("it is damaged, or the key is missing");
  if (audit.broken === null) return ok(`unbroken, ${audit.checked} rows`);
  const { seq, reason } = audit.broken;
  if (audit.keyFits) {
    return failure(
      `broken at row ${seq}: ${reason}`,
      "Somebody has changed the file: compare with a backup and with anchors (docs/audit.md).",
    );
  }
  return failure(
    `audit.key is not the key of this trail (row ${seq}: ${reason})`,
    "Bring the key that belongs to this database.",
  );
}
