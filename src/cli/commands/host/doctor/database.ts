import { stat } from "node:fs/promises";
import type { DatabaseFacts } from "../../../../domain/storage/restores.ts";
import { formatBytes } from "../../../../lib/bytes.ts";
import { isoTime } from "../../../../lib/iso-time.ts";
import { shellWord } from "../../../../lib/shell-word.ts";
import { relativeTime } from "../../../output/relative-time.ts";
import {
  type Check,
  type Finding,
  failure,
  movedAway,
  ok,
  schemaFinding,
  skipped,
  unreadable,
  warning,
} from "./check.ts";
import type { FileSubject, Subject } from "./subject.ts";

/** A server truncates the log when it is longer than 64 MiB. */
const longLogBytes = 2 * 64 * 1024 * 1024;

export const databaseChecks: Check<FileSubject>[] = [
  { name: "database", doing: "opening the database", needsAccess: true, run: checkOpens },
  { name: "schema", doing: "checking the schema", run: checkSchema },
  { name: "log size", doing: "checking the log", needsAccess: true, run: checkLog },
  { name: "users", doing: "counting users", run: checkUsers },
  { name: "credentials", doing: "comparing users and keys with the trail", run: checkCredentials },
  { name: "integrity", doing: "checking every page", run: checkIntegrity },
  { name: "audit trail", doing: "walking the audit chain", run: checkTrail },
];

async function checkOpens(subject: FileSubject): Promise<Finding> {
  const facts = await subject.facts();
  if (typeof facts === "string") {
    return failure(
      facts,
      "Check that this is the right file (--data-dir, --db), or restore a backup: platform restore FILE",
    );
  }
  if (facts.mark !== null) return movedAway(subject.place.name, facts.mark);
  return ok(countsText(facts, subject.io.now()));
}

export function countsText(
  { agents, users, newestEventAt }: Pick<DatabaseFacts, "agents" | "users" | "newestEventAt">,
  now: number,
): string {
  const age = newestEventAt && relativeTime(isoTime(newestEventAt), now);
  return `agents: ${agents}, users: ${users}, ${age ? `last event ${age}` : "no events"}`;
}

async function checkSchema({ place: { file } }: FileSubject): Promise<Finding> {
  const { schemaDifference, schemaStatus } = await import(
    "../../../../store/engine/sqlite/schema-status.ts"
  );
  let status: ReturnType<typeof schemaStatus>;
  try {
    status = schemaStatus(file);
  } catch {
    return unreadable;
  }
  const finding = schemaFinding(status);
  if (finding.state === "FAILURE") return finding;
  const difference = schemaDifference(file);
  if (difference !== null) {
    return failure(
      `another program has changed the schema: ${difference}`,
      "Find out who made the change, because a trigger or a view can do anything. Then undo the change, or restore a backup.",
    );
  }
  return finding;
}

async function checkLog({ place: { file } }: FileSubject): Promise<Finding> {
  const bytes = (await stat(`${file}-wal`).catch(() => null))?.size ?? 0;
  const found = `${formatBytes(bytes)} of write-ahead log`;
  if (bytes <= longLogBytes) return ok(found);
  return warning(
    found,
    "Another process, perhaps a backup, has been reading an old state for a long time. If no server is running, start one.",
  );
}

async function checkUsers(subject: FileSubject): Promise<Finding> {
  const facts = await subject.facts();
  if (typeof facts === "string") return unreadable;
  return aboutOwners(
    facts,
    `platformctl users create … --role owner --db ${shellWord(subject.place.file)}`,
  );
}

/** `advice` is the command that creates an owner. */
export function aboutOwners(
  { users, activeOwners }: Pick<DatabaseFacts, "users" | "activeOwners">,
  advice: string,
): Finding {
  if (users === 0) return ok("none yet: the first start creates an owner");
  if (activeOwners > 0) return ok(`${activeOwners} of ${users} are active owners`);
  return failure(`no user is an active owner (users: ${users})`, advice);
}

export async function checkCredentials(subject: Subject): Promise<Finding> {
  const unaccounted = await subject.unaccounted();
  if (unaccounted === null) return skipped("the database does not have this program's schema");
  const { discrepancies, orphanedKeys } = unaccounted;
  if (discrepancies.length > 0) {
    return failure(
      discrepancies.join("; "),
      "The database was changed directly: delete what you do not recognize, and compare the database with a backup.",
    );
  }
  if (orphanedKeys.length === 0) return ok("users, API keys and agents match the audit trail");
  return warning(
    `API keys of disabled or deleted users still work: ${orphanedKeys.join(", ")}`,
    "An older version did not revoke the keys with their users. Revoke them: platformctl api-keys revoke KEY",
  );
}

async function checkIntegrity(subject: FileSubject): Promise<Finding> {
  const examined = await subject.examination();
  if (typeof examined === "string") return unreadable;
  if (examined.damage === null) return ok("SQLite finds no damage");
  return failure(examined.damage, "Restore a backup: platform restore FILE");
}

async function checkTrail(subject: FileSubject): Promise<Finding> {
  const examined = await subject.examination();
  if (typeof examined === "string") return unreadable;
  const { audit } = examined;
  if (audit === null) return skipped("the database is damaged, or the key is missing");
  if (audit.broken === null) return ok(`unbroken, ${audit.checked} rows`);
  const { seq, reason } = audit.broken;
  if (audit.keyFits) {
    return failure(
      `broken at row ${seq}: ${reason}`,
      "The file was changed: compare it with a backup and with anchors (platform docs audit).",
    );
  }
  return failure(
    `audit.key is not the key of this trail, or the first row was changed (row ${seq}: ${reason})`,
    "Use the key that belongs to this database.",
  );
}
