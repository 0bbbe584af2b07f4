// An anchor of the audit trail is the number and hash of a row, kept where nobody who can write to
// the database can change it. (docs/guides/audit.md "Anchors")

import type { ChainLink } from "../../../domain/audit/audit-events.ts";
import { jsonOrUndefined } from "../../../lib/json/json-or-undefined.ts";
import { CliError, exit, usageError } from "../../exit.ts";
import { replaceFile } from "../../files/new-file.ts";
import { readOperatorsText, textOfFileOrStdin } from "../../files/operators-text.ts";
import type { Io } from "../../terminal/io.ts";

/** Reads an anchor file, `audit verify -o json` output, or a log that ends with an anchor. */
export async function readAnchor(io: Io, path: string, signal: AbortSignal): Promise<ChainLink> {
  const text = await textOfFileOrStdin(io, "--anchor", path, signal);
  const anchor = anchorIn(text) ?? anchorIn(text.trimEnd().split("\n").at(-1) ?? "");
  if (anchor) return anchor;
  throw usageError(`--anchor: ${path} contains no anchor, such as {"seq":81000,"hash":"519d…"}.`);
}

export function writeAnchor(path: string, { seq, hash }: ChainLink): Promise<void> {
  return replaceFile(path, `${JSON.stringify({ seq, hash })}\n`);
}

/** Throws if the file exists and is not an anchor, because its content would be lost. */
export function checkAnchorPlace(path: string): void {
  const text = readOperatorsText("--save-anchor", path);
  if (text === null || anchorIn(text)) return;
  const message = `--save-anchor: ${path} exists and is not an anchor.`;
  throw new CliError(exit.conflict, message, { code: "FILE_EXISTS" });
}

function anchorIn(text: string): ChainLink | null {
  const value = Object(jsonOrUndefined(text));
  const { seq, hash } = value.head ?? value;
  const isAnchor = Number.isSafeInteger(seq) && seq > 0 && /^[0-9a-f]{64}$/.test(hash);
  return isAnchor ? { seq, hash } : null;
}
