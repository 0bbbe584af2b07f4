// Reads files that somebody else writes: never one that could keep us waiting, never more than asked for.

import { constants } from "node:fs";
import { type FileHandle, open, readlink, stat } from "node:fs/promises";
import { formatBytes } from "../../lib/bytes.ts";
import { messageOf } from "../connection/errors.ts";
import { followTrustedLinks } from "./trusted-links.ts";

export interface FileText {
  text: string;
  /** There was more of it. */
  cut: boolean;
}

export interface ReadOptions {
  maxBytes: number;
  /** Also links that others than root and the agent's user have made. */
  followLinks: boolean;
}

/**
 * The beginning of a regular file as UTF-8, without a byte order mark. Throws an Error whose message
 * says what is the matter with the file ("there is no such file") without naming it.
 */
export async function readRegularFile(
  path: string,
  { maxBytes, followLinks }: ReadOptions,
): Promise<FileText> {
  try {
    await using file = followLinks
      ? await openRegular(path, 0)
      : await openTrusted(await followTrustedLinks(path));
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

/** Looked at first: to open a device may do something, to open a pipe waits for its other end. */
async function openRegular(path: string, flags: number): Promise<FileHandle> {
  if (!(await stat(path)).isFile()) throw new Error("it is not a regular file");
  return open(path, constants.O_RDONLY | constants.O_NONBLOCK | flags);
}

/** `path` had no links in it a moment ago: it must have led there still when it was opened. */
async function openTrusted(path: string): Promise<FileHandle> {
  const file = await openRegular(path, constants.O_NOFOLLOW ?? 0);
  if (process.platform !== "linux") return file;
  const opened = await readlink(`/proc/self/fd/${file.fd}`).catch(() => path);
  if (opened === path) return file;
  await file.close();
  throw new Error("it was replaced while it was opened");
}

/** The same, whole. A file over the limit is refused. */
export async function readWholeFile(path: string, options: ReadOptions): Promise<string> {
  const { text, cut } = await readRegularFile(path, options);
  if (cut) throw new Error(`it is over ${formatBytes(options.maxBytes)}`);
  return text;
}

const reasons: Record<string, string> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  EACCES: "permission denied",
  EPERM: "permission denied",
  ELOOP: "it is a link, or links lead in a circle",
};

function reasonOf(error: unknown): string {
  const { code = "" } = error as { code?: string };
  return reasons[code] ?? messageOf(error);
}
