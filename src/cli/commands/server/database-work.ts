// Commands that cli/files/child-processes.ts runs in child processes, because they take a long
// time.

import { placeOf } from "../../../domain/storage/place.ts";
import type { Invocation } from "../../command.ts";
import { printFactSheet } from "../../output/fact-sheet.ts";

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
  const { file, auditKey: auditKeyFile, incremental = false } = given;
  const { DATABASE_URL = "" } = io.env;
  const place = placeOf({
    database:
      file === undefined ? { kind: "postgresql", url: DATABASE_URL } : { kind: "file", file },
    dataDir: ".",
    auditKeyFile,
    // Reading the trail needs no other key.
    sessionSecretFile: null,
  });
  const walk = await walkTrailOf({ place, incremental }, signal);
  printFactSheet(io, options, walk, walk.broken ? "BROKEN" : "SOUND");
}

export async function readDatabaseFile({ options }: Invocation): Promise<void> {
  const { file } = options as { file: string };
  const { answerReads } = await import("../../files/reader-child.ts");
  await answerReads(file);
}
