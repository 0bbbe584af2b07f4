// A backup's digest in a file beside it, in the format of sha256sum. SQLite's own checks do not
// notice a changed byte inside a value.

import { rmSync } from "node:fs";
import { basename } from "node:path";
import { trueName } from "../../lib/files/true-name.ts";
import { CliError, exit, usageError } from "../exit.ts";
import { replaceFile } from "./new-file.ts";
import { readOperatorsText } from "./operators-text.ts";

/** The digest of a link's target is beside the target. */
function digestFileOf(file: string): string {
  return `${trueName(file)}.sha256`;
}

/** Returns null if there is no digest file, neither beside the file nor beside a link to it. */
export function readDigest(file: string): { sha256: string; from: string } | null {
  for (const from of [digestFileOf(file), `${file}.sha256`]) {
    const text = readOperatorsText(null, from);
    if (text === null) continue;
    const sha256 = digestIn(text);
    if (sha256) return { sha256, from };
    throw usageError(
      `${from} has no digest in the format of sha256sum: move the file away, or recreate it.`,
    );
  }
  return null;
}

/**
 * Returns whether an older digest may be removed. Throws a CliError if a file that is not a digest
 * would be overwritten.
 */
export function checkDigestPlace(file: string, force: boolean): boolean {
  const beside = digestFileOf(file);
  const text = force ? null : readOperatorsText(null, beside);
  if (text === null || digestIn(text)) return force || text !== null;
  const message = `${beside} already exists, and is not a digest.`;
  throw new CliError(exit.conflict, message, { code: "FILE_EXISTS" });
}

/** Removes the digest of an older file, which would not match the new file. */
export function removeDigest(file: string): void {
  rmSync(digestFileOf(file), { force: true });
}

export async function writeDigest(file: string, sha256: string): Promise<void> {
  await replaceFile(digestFileOf(file), `${sha256}  ${basename(trueName(file))}\n`);
}

function digestIn(text: string): string | null {
  return /^\\?([0-9a-f]{64})\b/i.exec(text)?.[1]?.toLowerCase() ?? null;
}
