// The digest of a backup in a file beside it, as sha256sum writes and checks it: SQLite's own checks do not find
// a byte that was changed within a value.

import { rmSync } from "node:fs";
import { basename } from "node:path";
import { onOperatorsFile } from "../../lib/files/acting-user.ts";
import { CliError, exit, usageError } from "../exit.ts";
import { NewFile } from "./new-file.ts";
import { readOperatorsText } from "./operators-text.ts";

export function digestFileOf(file: string): string {
  return `${file}.sha256`;
}

/** In hexadecimal; null when there is no digest beside the file. Throws a usage error for what is none. */
export function readDigest(file: string): string | null {
  const beside = digestFileOf(file);
  const text = readOperatorsText(null, beside);
  if (text === null) return null;
  const digest = digestIn(text);
  if (digest) return digest;
  throw usageError(
    `${beside} holds no digest as sha256sum writes it: move it away, or make it anew.`,
  );
}

/** Throws a CliError when a file is there that is no digest: it would be lost. */
export function checkDigestPlace(file: string, force: boolean): void {
  const beside = digestFileOf(file);
  const text = force ? null : readOperatorsText(null, beside);
  if (text === null || digestIn(text)) return;
  throw new CliError(exit.conflict, `${beside} is there already, and is no digest.`, {
    code: "FILE_EXISTS",
  });
}

/** An older file's digest would speak against the new one. */
export function removeDigest(file: string): void {
  const beside = digestFileOf(file);
  onOperatorsFile(beside, () => rmSync(beside, { force: true }));
}

export async function writeDigest(file: string, sha256: string): Promise<void> {
  const target = NewFile.begin(digestFileOf(file), true, null);
  try {
    await target.write(Buffer.from(`${sha256}  ${basename(file)}\n`));
    await target.flush();
    target.finish();
  } finally {
    target.end();
  }
}

function digestIn(text: string): string | null {
  return /^\\?([0-9a-f]{64})\b/i.exec(text)?.[1]?.toLowerCase() ?? null;
}
