// Reads files that somebody else writes: never one that could keep us waiting, never more than asked for.

import { constants } from "node:fs";
import { open, stat } from "node:fs/promises";
import { formatBytes } from "../../lib/bytes.ts";
import { messageOf } from "../errors.ts";

export interface FileText {
  text: string;
  /** There was more of it. */
  cut: boolean;
}

/**
 * The beginning of a regular file as UTF-8, without a byte order mark. Throws an Error whose message
 * says what is the matter with the file ("there is no such file") without naming it.
 */
export async function readRegularFile(path: string, maxBytes: number): Promise<FileText> {
  try {
    // Looked at first: to open a device may do something, to open a pipe waits for its other end.
    if (!(await stat(path)).isFile()) throw new Error("it is not a regular file");
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const buffer = Buffer.alloc(maxBytes + 1);
    let length = 0;
    while (length <= maxBytes) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    const bytes = buffer.subarray(0, Math.min(length, maxBytes));
    return { text: new TextDecoder().decode(bytes), cut: length > maxBytes };
  } catch (error) {
    throw new Error(reasonOf(error), { cause: error });
  }
}

/** The same, whole. A file over the limit is refused. */
export async function readWholeFile(path: string, maxBytes: number): Promise<string> {
  const { text, cut } = await readRegularFile(path, maxBytes);
  if (cut) throw new Error(`it is over ${formatBytes(maxBytes)}`);
  return text;
}

const reasons: Record<string, string> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  EACCES: "permission denied",
  EPERM: "permission denied",
};

function reasonOf(error: unknown): string {
  const { code = "" } = error as { code?: string };
  return reasons[code] ?? messageOf(error);
}
