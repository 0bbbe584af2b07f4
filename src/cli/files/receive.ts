// Receives a download, and checks its size and digest.

import { createHash } from "node:crypto";
import type { Downloaded } from "../../client/client.ts";
import type { CopiedFile } from "../../domain/storage/restores.ts";
import { formatBytes } from "../../lib/bytes.ts";
import { CliError, exit } from "../exit.ts";

interface Receiving {
  /** The next piece waits until the promise resolves. */
  take: (piece: Uint8Array) => Promise<void>;
  /** `total` is undefined if the response does not contain the size. */
  onProgress: (done: number, total: number | undefined) => void;
  signal: AbortSignal;
}

/** Throws a CliError if the download is incomplete or does not match its digest. */
export async function receive(download: Downloaded, receiving: Receiving): Promise<CopiedFile> {
  const { take, onProgress, signal } = receiving;
  const length = download.headers["content-length"];
  const total = length === undefined ? undefined : Number(length);
  const digest = createHash("sha256");
  let sizeBytes = 0;
  for await (const piece of unbroken(download.chunks, () => sizeBytes, signal)) {
    signal.throwIfAborted();
    digest.update(piece);
    await take(piece);
    sizeBytes += piece.length;
    onProgress(sizeBytes, total);
  }
  signal.throwIfAborted();
  if (total !== undefined && total !== sizeBytes) {
    throw failed(`received ${formatBytes(sizeBytes)} of ${formatBytes(total)}`);
  }
  const sha256 = digest.digest("hex");
  const promised = digestIn(download.headers["repr-digest"]);
  if (promised === null) throw failed("the response has no digest (Repr-Digest)");
  if (promised !== sha256) throw failed("the file does not match its digest");
  return { sizeBytes, sha256 };
}

/** Reports only errors of the connection as a broken download, not errors of `take`. */
async function* unbroken(
  chunks: AsyncIterable<Uint8Array>,
  sizeBytes: () => number,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    signal.throwIfAborted();
    const { message } = error as Error;
    throw failed(`the connection broke off after ${formatBytes(sizeBytes())} (${message})`);
  }
}

function failed(what: string): CliError {
  const message = `the download failed and was discarded: ${what}. Try again.`;
  return new CliError(exit.failed, message, { code: "DOWNLOAD_BROKEN" });
}

/** Reads the SHA-256 of a `Repr-Digest` (RFC 9530). */
function digestIn(header: string | undefined): string | null {
  const value = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/=]+):/.exec(header ?? "")?.[1];
  return value === undefined ? null : Buffer.from(value, "base64").toString("hex");
}
