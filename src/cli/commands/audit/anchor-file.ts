// An anchor of the audit trail in a file: the number and hash of a row, kept where who can write the
// database cannot. (docs/audit.md "Anchors")

import type { ChainLink } from "../../../domain/audit/audit-events.ts";
import { CliError, exit, usageError } from "../../exit.ts";
import { NewFile } from "../../files/new-file.ts";
import { readOperatorsText, requireOperatorsText } from "../../files/operators-text.ts";
import type { Io } from "../../terminal/io.ts";

/**
 * Reads what `writeAnchor` wrote, what `audit verify -o json` printed, or lines of the server's log, of
 * which the last counts; `-` is stdin; waiting for that ends with `signal`. Throws a usage error.
 */
export async function readAnchor(io: Io, path: string, signal: AbortSignal): Promise<ChainLink> {
  const text = path === "-" ? await io.readStdin(signal) : requireOperatorsText("--anchor", path);
  const anchor = anchorIn(text) ?? anchorIn(text.trimEnd().split("\n").at(-1) ?? "");
  if (anchor) return anchor;
  throw usageError(`--anchor: ${path} holds no anchor, such as {"seq":81000,"hash":"519d…"}.`);
}

/** Writes the anchor, over an older one. Throws when something else is there. */
export async function writeAnchor(path: string, { seq, hash }: ChainLink): Promise<void> {
  const file = NewFile.begin(path, true, null);
  try {
    await file.write(Buffer.from(`${JSON.stringify({ seq, hash })}\n`));
    await file.flush();
    file.finish();
  } finally {
    file.end();
  }
}

/** Throws when a file is there that is no anchor: it would be lost. */
export function checkAnchorPlace(path: string): void {
  const text = readOperatorsText("--save-anchor", path);
  if (text === null || anchorIn(text)) return;
  throw new CliError(exit.conflict, `--save-anchor: ${path} is there and is no anchor.`, {
    code: "FILE_EXISTS",
  });
}

function anchorIn(text: string): ChainLink | null {
  try {
    const value = JSON.parse(text);
    const { seq, hash } = value.head ?? value;
    return Number.isSafeInteger(seq) && seq > 0 && /^[0-9a-f]{64}$/.test(hash)
      ? { seq, hash }
      : null;
  } catch {
    return null;
  }
}
