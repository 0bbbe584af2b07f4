// Receives a backup and compares it with the digest that the server sent. The backup goes to a file
// that the user chose, or to memory and then to a normal download.

import { Unreachable } from "../../client/api-error.ts";
import { callResponse, fileNameOf } from "../../client/call.ts";
import { saveFile } from "../../client/save-file.ts";

type BackupVerdict =
  | "same"
  | "other"
  /** The server sent no digest. */
  | "unsent"
  /** Browsers compute no digests for pages that were loaded over plain HTTP from another host. */
  | "insecure"
  /** The backup is too large to be compared in memory. */
  | "large";

export interface ReceivedBackup {
  fileName: string;
  sizeBytes: number;
  /** The server's digest in hexadecimal digits; null if the server sent none. */
  sha256: string | null;
  verdict: BackupVerdict;
}

/** `allBytes` is null if the server did not send the size. */
type OnProgress = (doneBytes: number, allBytes: number | null) => void;
type Chunk = Uint8Array<ArrayBuffer>;
type PickSave = (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;

const comparedBytes = 1024 * 1024 * 1024;

/** Returns null if the browser cannot write to files. */
export function filePicker(): PickSave | null {
  const { showSaveFilePicker } = window as { showSaveFilePicker?: PickSave };
  return showSaveFilePicker?.bind(window) ?? null;
}

/**
 * Requests a new backup and writes it to the file, or to memory if `file` is null. Throws ApiError
 * if the server refuses, or Unreachable if the download is interrupted. The file is then unchanged.
 */
export async function receiveBackup(
  file: FileSystemFileHandle | null,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<ReceivedBackup> {
  const response = await callResponse("backup.create", {}, signal);
  // The browser replaces the file when the stream is closed, but not when it is aborted.
  const written = await file?.createWritable().catch(() => null);
  const chunks: Chunk[] = [];
  const memory = new WritableStream<Chunk>({ write: (chunk) => void chunks.push(chunk) });
  await streamOf(response, signal, onProgress).pipeTo(written ?? memory, { signal });
  let fileName = fileNameOf(response) ?? "backup.db";
  let blob: Blob;
  if (file && written) [blob, fileName] = [await file.getFile(), file.name];
  else {
    blob = new Blob(chunks, { type: "application/vnd.sqlite3" });
    saveFile(blob, fileName);
  }
  const sha256 = digestOf(response.headers.get("repr-digest"));
  return { fileName, sizeBytes: blob.size, sha256, verdict: await compare(blob, sha256) };
}

/** The stream fails if the body is incomplete. */
function streamOf({ body, headers }: Response, signal: AbortSignal, onProgress: OnProgress) {
  const length = headers.get("content-length");
  const all = length === null ? null : Number(length);
  const reader = body?.getReader();
  let done = 0;
  return new ReadableStream<Chunk>({
    async pull(controller) {
      const chunk = await reader?.read().catch((cause: unknown) => {
        signal.throwIfAborted();
        throw new Unreachable(cause);
      });
      if (chunk?.value) {
        done += chunk.value.byteLength;
        controller.enqueue(chunk.value);
        onProgress(done, all);
      } else if (all !== null && done !== all) {
        throw new Unreachable(new Error(`${done} of ${all} bytes`));
      } else controller.close();
    },
    cancel: (reason) => reader?.cancel(reason),
  });
}

/** Reads the digest from `sha-256=:BASE64:` (RFC 9530). */
function digestOf(header: string | null): string | null {
  const base64 = /sha-256=:([A-Za-z0-9+/=]+):/.exec(header ?? "")?.[1];
  return base64 === undefined ? null : Uint8Array.fromBase64(base64).toHex();
}

async function compare(blob: Blob, expected: string | null): Promise<BackupVerdict> {
  if (expected === null) return "unsent";
  if (!isSecureContext) return "insecure";
  if (blob.size > comparedBytes) return "large";
  const digest = await crypto.subtle.digest("SHA-256", await blob.arrayBuffer());
  return new Uint8Array(digest).toHex() === expected ? "same" : "other";
}
