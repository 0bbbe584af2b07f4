// Reads a request's body: bounded, UTF-8, strict JSON. (docs/decisions/0002-contract.md)

import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { AppError } from "../../domain/errors.ts";
import { jsonBytesPerPart, jsonMaxDepth } from "../../domain/limits.ts";
import { parseStrictJson } from "../../lib/json/strict-json.ts";

/** The connection went away in the middle of the body: nobody is there to be answered. */
export class RequestCut extends Error {}

/** The body was longer than allowed; what is left of it is not read. */
export class BodyTooLarge extends Error {}

/** Told of the bytes that are announced, and of those that arrive; throws when there is no room for them. */
interface ArrivingBody {
  expect(bytes: number): void;
  add(bytes: number): void;
}

/**
 * The JSON value of the body; undefined when there is none. Throws what `pending` throws, BodyTooLarge,
 * RequestCut, or AppError UNSUPPORTED_MEDIA_TYPE or INVALID_JSON.
 */
export async function readJsonBody(
  request: IncomingMessage,
  limitBytes: number,
  pending?: ArrivingBody,
): Promise<unknown> {
  const bytes = await readBytes(request, limitBytes, pending);
  if (bytes.length === 0) return undefined;
  if (bytes.length > largeBytes) await ownTurn();
  const contentType = request.headers["content-type"] ?? "";
  if (!isJson(contentType)) {
    throw new AppError(
      "UNSUPPORTED_MEDIA_TYPE",
      `The body must be JSON: send Content-Type: application/json, not ${contentType || "none"}.`,
    );
  }
  if (!isUtf8(bytes)) throw new AppError("INVALID_JSON", "The body is not UTF-8.");
  const text = bytes.toString();
  if (bytes.length > largeBytes) free(bytes);
  return parseJsonText(text, limitBytes);
}

/** The value of the text of a body that may be so large. Throws AppError INVALID_JSON. */
export function parseJsonText(text: string, limitBytes = Number.POSITIVE_INFINITY): unknown {
  const maxParts = Math.floor(limitBytes / jsonBytesPerPart);
  const parsed = parseStrictJson(text, jsonMaxDepth, maxParts);
  if (parsed.ok) return parsed.value;
  throw new AppError("INVALID_JSON", parsed.message);
}

/** Whether there is more of the body to come. Known once the turn is over in which the head came. */
export function isStillSending({ headers, complete }: IncomingMessage): boolean {
  const announced = headers["content-length"] ?? headers["transfer-encoding"];
  return announced !== undefined && announced !== "0" && !complete;
}

/** Frees what has come of a body that nobody reads, and pauses its connection. */
export function dropBody(request: IncomingMessage): void {
  request.on("data", (chunk: Buffer<ArrayBuffer>) => {
    request.socket.pause();
    free(chunk);
  });
}

/** Frees the memory of bytes that are not needed any more: V8 lets some 60 MiB of them pile up before it does. */
function free({ buffer, length }: Buffer<ArrayBuffer>): void {
  // Never of a buffer that others have parts of. Node.js 20 cannot do it.
  if (length === buffer.byteLength) buffer.transfer?.(0);
}

const nothing = Buffer.alloc(0);

function isJson(contentType: string): boolean {
  if (contentType === "application/json") return true;
  const type = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return type === "application/json" || /^application\/[a-z0-9.+-]+\+json$/.test(type);
}

/** What takes milliseconds to parse. */
const largeBytes = 64 * 1024;

let lastTurn: Promise<void> = Promise.resolve();

/** Large bodies that come together are parsed in one turn of the event loop each: others get between them. */
function ownTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => nextTurn());
  return lastTurn;
}

async function readBytes(
  request: IncomingMessage,
  limitBytes: number,
  pending: ArrivingBody | undefined,
): Promise<Buffer<ArrayBuffer>> {
  const declared = Number(request.headers["content-length"] ?? 0);
  if (declared > limitBytes) throw new BodyTooLarge();
  if (request.destroyed) throw new RequestCut();
  pending?.expect(declared);
  return new Promise((resolve, reject) => {
    let first: Buffer<ArrayBuffer> | null = null;
    let chunks: Buffer<ArrayBuffer>[] | null = null;
    let length = 0;
    request.on("data", (chunk: Buffer<ArrayBuffer>) => {
      length += chunk.length;
      try {
        if (length > limitBytes) throw new BodyTooLarge();
        pending?.add(chunk.length);
      } catch (refusal) {
        request.pause();
        chunks = null;
        first = null;
        reject(refusal);
        return;
      }
      if (first === null) {
        first = chunk;
      } else {
        chunks ??= [first];
        chunks.push(chunk);
      }
    });
    const cut = () => {
      if (!request.readableEnded) reject(new RequestCut());
    };
    request.on("end", () => resolve(chunks ? joined(chunks) : (first ?? nothing)));
    request.on("error", cut);
    request.on("close", cut);
  });
}

function joined(chunks: Buffer<ArrayBuffer>[]): Buffer<ArrayBuffer> {
  const bytes = Buffer.concat(chunks);
  for (const chunk of chunks) free(chunk);
  return bytes;
}
