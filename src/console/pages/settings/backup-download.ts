// Receives a backup, and compares what arrived with the digest that the server has told.

import { Unreachable } from "../../client/api-error.ts";
import { callResponse, fileNameOf } from "../../client/call.ts";
import type { Sink } from "./backup-sink.ts";

export type BackupVerdict =
  | "same"
  | "other"
  /** The server has told none. */
  | "unsent"
  /** Pages that came over plain HTTP from another host may not compute digests. */
  | "insecure"
  /** To compare it, it would have to be held in memory. */
  | "large";

export interface ReceivedBackup {
  fileName: string;
  sizeBytes: number;
  /** As the server has told it, in hexadecimal digits; null when it has not. */
  sha256: string | null;
  verdict: BackupVerdict;
}

/** Told while it arrives; the whole size is null where the server does not say. */
export type OnProgress = (doneBytes: number, allBytes: number | null) => void;

const comparedBytes = 1024 * 1024 * 1024;

/**
 * Puts a new backup into the sink. Throws ApiError when the server makes none, Unreachable when it breaks
 * off; nothing stays in the sink then.
 */
export async function receiveBackup(
  sink: Sink,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<ReceivedBackup> {
  try {
    const response = await callResponse("backup.create", {}, signal);
    const sizeBytes = await pour(response, sink, signal, onProgress);
    const { blob, fileName } = await sink.finish(fileNameOf(response) ?? "backup.db");
    const told = digestOf(response.headers.get("repr-digest"));
    return { fileName, sizeBytes, sha256: told, verdict: await compare(blob, told) };
  } catch (error) {
    await sink.discard().catch(() => undefined);
    throw error;
  }
}

/** Answers how many bytes came. */
async function pour(
  response: Response,
  sink: Sink,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<number> {
  const length = Number(response.headers.get("content-length") ?? Number.NaN);
  const all = Number.isNaN(length) ? null : length;
  const reader = response.body?.getReader();
  let done = 0;
  for (;;) {
    const chunk = await reader?.read().catch((cause: unknown) => {
      signal.throwIfAborted();
      throw new Unreachable(cause);
    });
    if (!chunk || chunk.done) break;
    await sink.write(chunk.value);
    done += chunk.value.byteLength;
    onProgress(done, all);
  }
  if (all !== null && done !== all) throw new Unreachable(new Error(`${done} of ${all} bytes`));
  return done;
}

/** Of `sha-256=:BASE64:`, as RFC 9530 writes it. */
function digestOf(header: string | null): string | null {
  const base64 = /sha-256=:([A-Za-z0-9+/=]+):/.exec(header ?? "")?.[1];
  return base64 === undefined
    ? null
    : [...atob(base64)].map((byte) => hex(byte.charCodeAt(0))).join("");
}

async function compare(blob: Blob, told: string | null): Promise<BackupVerdict> {
  if (told === null) return "unsent";
  if (!isSecureContext) return "insecure";
  if (blob.size > comparedBytes) return "large";
  const digest = await crypto.subtle.digest("SHA-256", await blob.arrayBuffer());
  const found = [...new Uint8Array(digest)].map(hex).join("");
  return found === told ? "same" : "other";
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, "0");
}
