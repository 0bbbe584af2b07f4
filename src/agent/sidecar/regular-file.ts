// Reads files that other users write, without blocking and up to a size limit.

import { constants } from "node:fs";
import { type FileHandle, open, readlink, stat } from "node:fs/promises";
import { formatBytes } from "../../lib/bytes.ts";
import { reasonFrom } from "../connection/errors.ts";
import { followTrustedLinks } from "./trusted-links.ts";

interface FileText {
  text: string;
  cut: boolean;
}

export interface ReadOptions {
  maxBytes: number;
  /** Whether to follow links that users other than root and the agent's user made. */
  followLinks: boolean;
}

/**
 * Reads UTF-8 without a byte order mark. Throws an Error with the reason ("no such file"), which
 * does not name the file.
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
    throw new Error(reasonFrom(reasons, error), { cause: error });
  }
}

/** Opening a device can have side effects, and opening a pipe can block. */
async function openRegular(path: string, flags: number): Promise<FileHandle> {
  if (!(await stat(path)).isFile()) throw new Error("it is not a regular file");
  return open(path, constants.O_RDONLY | constants.O_NONBLOCK | flags);
}

/** Opens a path that has no links, and checks that the file is still the same. */
async function openTrusted(path: string): Promise<FileHandle> {
  const file = await openRegular(path, constants.O_NOFOLLOW ?? 0);
  if (process.platform !== "linux") return file;
  const opened = await readlink(`/proc/self/fd/${file.fd}`).catch(() => path);
  if (opened === path) return file;
  await file.close();
  throw new Error("it was replaced while it was being opened");
}

export async function readWholeFile(path: string, options: ReadOptions): Promise<string> {
  const { text, cut } = await readRegularFile(path, options);
  if (cut) throw new Error(`it is larger than ${formatBytes(options.maxBytes)}`);
  return text;
}

const reasons: Record<string, string> = {
  ENOENT: "no such file",
  ENOTDIR: "no such file",
  EACCES: "permission denied",
  EPERM: "permission denied",
  ELOOP: "it is a link, or its links form a loop",
};
