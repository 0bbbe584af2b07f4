// Commands that cli/files/child.ts runs in child processes, because they take a long time.

import { pathToFileURL } from "node:url";
import { loadConfig } from "../../../config/config.ts";
import { placeOf } from "../../../domain/storage/place.ts";
import type { Invocation } from "../../command.ts";
import { printFactSheet } from "../../output/fact-sheet.ts";
import { sourceVersion } from "../../version.ts";

/** Throws unless the copy is sound. */
export async function copyDatabaseFile({ io, options }: Invocation): Promise<void> {
  const { from, to, auditKey } = options as { from: string; to: string; auditKey: string };
  const { copyDatabase } = await import("../../../store/files/copy.ts");
  const report = await copyDatabase({ from, to, auditKeyFile: auditKey });
  printFactSheet(io, options, report, report.sha256);
}

export async function checkDatabaseFile({ io, options }: Invocation): Promise<void> {
  const given = options as { file: string; auditKey?: string; deep?: boolean; draft?: boolean };
  const { file, auditKey = null, deep = false, draft = false } = given;
  const { checkDatabase } = await import("../../../store/files/check.ts");
  const report = await checkDatabase({ file, auditKeyFile: auditKey, deep, draft });
  printFactSheet(io, options, report, report.damage ?? "sound");
}

export async function walkTrailOfFile({ io, options, signal }: Invocation): Promise<void> {
  const { walkTrailOf } = await import("../../../store/audit/verification.ts");
  const given = options as { file?: string; auditKey: string; incremental?: boolean };
  const { file, auditKey: AUDIT_KEY_FILE, incremental = false } = given;
  const { DATABASE_URL = "" } = io.env;
  const url = file === undefined ? DATABASE_URL : pathToFileURL(file).href;
  // The trail's key is the only key that this needs.
  const settings = { DATABASE_URL: url, AUDIT_KEY_FILE, SESSION_SECRET_FILE: AUDIT_KEY_FILE };
  const place = placeOf(loadConfig(settings, sourceVersion()));
  const walk = await walkTrailOf({ place, incremental }, signal);
  printFactSheet(io, options, walk, walk.broken ? "BROKEN" : "SOUND");
}

export async function readDatabaseFile({ options }: Invocation): Promise<void> {
  const { file } = options as { file: string };
  const { answerReads } = await import("../../files/reader-child.ts");
  await answerReads(file);
}
