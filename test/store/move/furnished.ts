// An SQLite database with rows in every table that is moved, and places for it to move to.

import { copyFileSync } from "node:fs";
import { dirname, join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { realWorld } from "../../../src/app.ts";
import { login } from "../../../src/core/access/logins.ts";
import { pruneAuditEvents } from "../../../src/core/audit/retention.ts";
import { systemContext } from "../../../src/core/context.ts";
import { flushPresence } from "../../../src/core/presence/flush.ts";
import type { MoveReport } from "../../../src/domain/storage/moves.ts";
import {
  type FilePlace,
  type Place,
  type PostgresPlace,
  placeOf,
} from "../../../src/domain/storage/place.ts";
import { type MoveRequest, moveDatabase } from "../../../src/store/move/move.ts";
import { requested, userIn } from "../../core/approvals/requested.ts";
import { collector, openScene } from "../../core/scene.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { atEnd } from "../../helpers/lifetime.ts";
import { postgresDatabase } from "../../helpers/postgres.ts";

/** Texts that an engine, or the text format of COPY, treats in a special way. */
export const specialTexts = [
  "",
  "\\N",
  "\\.",
  "a\tb\nc\r\nd\\e\\\\",
  " \u2028\u00e9\u{1f600} ",
  "\u0001\u001b[31m\u007f",
  "\"quoted\", 'quoted', $1 ?",
];

/**
 * The largest and the smallest number of both engines, and one that JavaScript cannot represent.
 */
export const specialNumbers = ["9223372036854775807", "-9223372036854775808", "9007199254740993"];

/** Opens the database, fills it, closes it, and returns a place that nobody uses. */
export async function furnishedFile(): Promise<FilePlace> {
  const scene = await openScene({ CAPSULE_BUS_ENABLED: "true" });
  const { app, as, clock, agent, file } = scene;
  const { core } = app;
  const owner = await app.welcomeOwner();
  const { username, password } = owner ?? { username: "", password: "" };
  await login({ ...systemContext(core), ip: "192.0.2.1" }, username, password);
  const [admin] = await as("owner").call("users.list");
  const body = { displayName: `\\N "\u00e9" \u{1f600}` };
  await as("owner").call("users.update", { params: { userId: admin!.id }, body });
  await app.noteStarted();
  // The beginning of the trail is gone, so the chain begins at a checkpoint.
  await pruneAuditEvents(core, clock.now() + 1);
  const labelled = await scene.registerAgent("edge-2");
  await labelled.client.call("agent.heartbeat", { body: { agent: { labels: { zone: "eu" } } } });
  await scene.report([collector, { ...collector, code: "web", labels: { tier: "web" } }], labelled);
  await as("owner").call("api-keys.create", { body: { name: "k", role: "viewer" } });
  await as("owner").call("settings.update", { body: { workspaceName: "Plant 7" } });
  for (const success of [true, false]) {
    const id = await scene.execute({ reason: `a\tb\\c\n${success}` });
    await scene.poll({ wait: 0, held: "", instance: "program-1" });
    const chunk = { offset: 0, stream: "stdout" as const, text: specialTexts.join("\n") };
    const output = { params: { commandId: id }, body: { chunks: [chunk] } };
    await agent.client.call("agent.output", output);
    const error = success ? {} : { error: { code: "BOOM", message: "it\nexploded" } };
    await scene.result(id, { success, output: { text: specialTexts.join("") }, ...error });
  }
  for (const healthStatus of ["DOWN", "UP"]) {
    await scene.beat({ health: [{ serviceCode: collector.code, healthStatus }] });
  }
  const silence = { serviceIds: [scene.serviceId], seconds: 86_400, note: "a\tb\nc" };
  await as("operator").call("attention.silence", { body: silence });
  await scene.execute();
  await as("operator").call("rollouts.create", {
    body: { action: "rotate", selector: "tier", payload: { password: "a\nb" }, name: "k" },
  });
  const { id: scheduleId } = await as("operator").call("schedules.create", {
    body: {
      ...{ name: "nightly", cron: "0 3 * * *", timezone: "Europe/Berlin", state: "PAUSED" },
      target: { kind: "action", service: collector.code, action: "rotate", payload: { pin: "a" } },
    },
  });
  await (await userIn(scene, "ann")).call("schedules.run", { params: { scheduleId }, body: {} });
  const rule = {
    ...{ name: "rotate", match: { type: "log.full" }, state: "ENABLED" as const },
    target: { serviceCode: collector.code, action: "rotate" },
  };
  await as("operator").call("bus-routes.create", { body: rule }, { idempotencyKey: "k" });
  await as("operator").call("bus-events.publish", {
    body: { type: "log.full", source: collector.code },
  });
  const view = { name: "k", noun: "agents" as const, shared: true };
  await as("operator").call("saved-views.create", { body: view });
  // This comes last, because the policy holds back what follows.
  const { approvalId, digest, approver } = await requested(scene);
  await approver.call("approvals.approve", { params: { approvalId }, body: { digest } });
  clock.advance(1000);
  await flushPresence(core);
  await app.noteStopped();
  await app.close();
  const folder = temporaryFolder();
  const copy = join(folder, "platform.db");
  change(file, (database) => database.prepare("VACUUM INTO ?").run(copy));
  for (const name of ["audit.key", "session.key"]) {
    copyFileSync(join(dirname(file), name), join(folder, name));
  }
  change(copy, (database) => {
    const count = database.prepare(
      "INSERT INTO counters (name, value) VALUES (?, CAST(? AS INTEGER))",
    );
    for (const [at, name] of specialTexts.entries()) count.run(`special ${name}`, `${at}`);
    for (const number of specialNumbers) count.run(`number ${number}`, number);
  });
  return filePlace(copy);
}

export function change<T>(file: string, work: (database: BetterSqlite3.Database) => T): T {
  const database = new BetterSqlite3(file);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** Copies a database that nobody uses, with its keys. */
export function copyOf({ file, folder }: FilePlace): FilePlace {
  const other = temporaryFolder();
  for (const name of ["platform.db", "audit.key", "session.key"]) {
    copyFileSync(
      join(folder, name === "platform.db" ? file.slice(folder.length + 1) : name),
      join(other, name),
    );
  }
  return filePlace(join(other, "platform.db"));
}

export function filePlace(file: string): FilePlace {
  return placeOf({
    ...{ database: { kind: "file", file }, dataDir: dirname(file) },
    ...{ auditKeyFile: null, sessionSecretFile: null },
  }) as FilePlace;
}

/** Returns the place of a new file in an empty folder. */
export function newFile(): FilePlace {
  return filePlace(join(temporaryFolder(), "moved", "platform.db"));
}

/**
 * Creates an empty database on PostgreSQL, which uses the keys of the source. With
 * `migratedDatabase` as the template, it has the schema.
 */
export async function newServer(
  { folder }: Pick<FilePlace, "folder">,
  template?: string,
): Promise<PostgresPlace> {
  const { url, drop } = await postgresDatabase(template);
  atEnd(drop);
  return serverPlace(url, folder);
}

export function serverPlace(url: string, keys: string): PostgresPlace {
  return placeOf({
    database: { kind: "postgresql", url },
    dataDir: temporaryFolder(),
    auditKeyFile: join(keys, "audit.key"),
    sessionSecretFile: join(keys, "session.key"),
  }) as PostgresPlace;
}

export function move(from: Place, to: Place, more: Partial<MoveRequest> = {}): Promise<MoveReport> {
  return moveDatabase({
    ...{ from, to, sessionKeyFile: from.sessionKeyFile, osUser: "ada", unverified: false },
    ...{ now: realWorld.now, fillRandom: realWorld.fillRandom },
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...more,
  });
}
