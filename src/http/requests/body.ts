// Reads request bodies, which must be strict JSON in UTF-8. (docs/decisions/0002-contract.md)

import { isUtf8 } from "node:buffer";
import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { AppError } from "../../domain/errors.ts";
import { jsonBytesPerPart, jsonMaxDepth } from "../../domain/limits.ts";
import { parseStrictJson } from "../../lib/json/strict-json.ts";
import type { PendingBody } from "../connections/pending-bytes.ts";
import { FinalRefusal } from "../refusals.ts";

/** The connection was closed in the middle of the body, so no response is possible. */
export class RequestAborted extends Error {}

/** The rest of the body is not read. */
export class BodyTooLarge extends FinalRefusal {
  constructor() {
    super("PAYLOAD_TOO_LARGE", "The body exceeds the limit of this route.");
  }
}

/** The body has more objects, arrays, keys or values than its route accepts. */
export class TooManyParts extends AppError {
  readonly maxParts: number;

  constructor(message: string, maxParts: number) {
    super("INVALID_JSON", message);
    this.maxParts = maxParts;
  }
}

export interface BodyLimit {
  bytes: number;
  /** `bytes` divided by this is the limit on objects, arrays and keys. Default: 16. */
  bytesPerPart?: number;
  /** Replaces the error about a body that exceeds the limit. */
  refusal?: (error: BodyTooLarge | TooManyParts) => AppError;
}

type ArrivingBody = Pick<PendingBody, "expect" | "add">;

/** JSON that was received, but not parsed yet. */
export class JsonText {
  readonly #text: string;
  readonly #limit: BodyLimit;

  constructor(text: string, limit: BodyLimit) {
    this.#text = text;
    this.#limit = limit;
  }

  /** The SHA-1 of the text, in Base64. */
  get fingerprint(): string {
    return hash("sha1", this.#text, "base64");
  }

  /** Throws AppError INVALID_JSON, which can be TooManyParts. */
  parse(): unknown {
    return parseJsonText(this.#text, this.#limit);
  }
}

/**
 * Returns undefined for an empty body. Throws RequestAborted, UNSUPPORTED_MEDIA_TYPE, the errors of
 * `pending`, and INVALID_JSON if the body is not UTF-8. If the body exceeds the limit, throws the
 * error that the limit's `refusal` returns, or BodyTooLarge.
 */
export async function readJsonText(
  request: IncomingMessage,
  limit: BodyLimit,
  pending?: ArrivingBody,
): Promise<JsonText | undefined> {
  const bytes = await readBytes(request, limit, pending);
  if (bytes.length === 0) return undefined;
  if (bytes.length > largeBytes) await ownTurn();
  const contentType = request.headers["content-type"] ?? "";
  if (!isJson(contentType)) {
    const actual = contentType === "" ? "" : `, not ${contentType}`;
    throw new AppError(
      "UNSUPPORTED_MEDIA_TYPE",
      `The body must be JSON. Send it with Content-Type: application/json${actual}.`,
    );
  }
  if (!isUtf8(bytes)) throw new AppError("INVALID_JSON", "The body is not UTF-8.");
  const text = bytes.toString();
  if (bytes.length > largeBytes) free(bytes);
  return new JsonText(text, limit);
}

/** Throws AppError INVALID_JSON, which can be TooManyParts. */
export function parseJsonText(
  text: string,
  limit: BodyLimit = { bytes: Number.POSITIVE_INFINITY },
): unknown {
  const { bytes, bytesPerPart = jsonBytesPerPart } = limit;
  const maxParts = Math.floor(bytes / bytesPerPart);
  const parsed = parseStrictJson(text, jsonMaxDepth, maxParts);
  if (parsed.ok) return parsed.value;
  if (parsed.reason === "parts") throw exceeded(limit, new TooManyParts(parsed.message, maxParts));
  throw new AppError("INVALID_JSON", parsed.message);
}

/**
 * The result can be wrong until the end of the turn of the event loop in which the headers arrived.
 */
export function isStillSending({ headers, complete }: IncomingMessage): boolean {
  const announced = headers["content-length"] ?? headers["transfer-encoding"];
  return announced !== undefined && announced !== "0" && !complete;
}

/** Frees the rest of a body that will not be read, and pauses its connection. */
export function dropBody(request: IncomingMessage): void {
  request.on("data", (chunk: Buffer<ArrayBuffer>) => {
    request.socket.pause();
    free(chunk);
  });
}

/** Frees memory immediately. V8 would let about 60 MiB accumulate first. */
function free({ buffer, length }: Buffer<ArrayBuffer>): void {
  // A buffer that is shared with other chunks must not be freed.
  if (length === buffer.byteLength) buffer.transfer(0);
}

const nothing = Buffer.alloc(0);

function isJson(contentType: string): boolean {
  if (contentType === "application/json") return true;
  const type = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return type === "application/json" || /^application\/[a-z0-9.+-]+\+json$/.test(type);
}

/** Parsing a larger body takes milliseconds. */
const largeBytes = 64 * 1024;

let lastTurn: Promise<void> = Promise.resolve();

/**
 * Parses each large body in its own turn of the event loop, so that other requests run in between.
 */
function ownTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => nextTurn());
  return lastTurn;
}

function exceeded({ refusal }: BodyLimit, error: BodyTooLarge | TooManyParts): AppError {
  return refusal ? refusal(error) : error;
}

function readBytes(
  request: IncomingMessage,
  limit: BodyLimit,
  pending: ArrivingBody | undefined,
): Promise<Buffer<ArrayBuffer>> {
  const declared = Number(request.headers["content-length"] ?? 0);
  if (declared > limit.bytes) throw exceeded(limit, new BodyTooLarge());
  if (request.destroyed) throw new RequestAborted();
  pending?.expect(declared);
  return new Promise((resolve, reject) => {
    let first: Buffer<ArrayBuffer> | null = null;
    let chunks: Buffer<ArrayBuffer>[] | null = null;
    let length = 0;
    request.on("data", (chunk: Buffer<ArrayBuffer>) => {
      length += chunk.length;
      try {
        if (length > limit.bytes) throw exceeded(limit, new BodyTooLarge());
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
    const abort = () => {
      if (!request.readableEnded) reject(new RequestAborted());
    };
    request.on("end", () => {
      // The server has already refused the request, because it was too slow or because garbage
      // followed it.
      if (request.socket.writableEnded) reject(new RequestAborted());
      else resolve(chunks ? joined(chunks) : (first ?? nothing));
    });
    request.on("error", abort);
    request.on("close", abort);
  });
}

function joined(chunks: Buffer<ArrayBuffer>[]): Buffer<ArrayBuffer> {
  const bytes = Buffer.concat(chunks);
  for (const chunk of chunks) free(chunk);
  return bytes;
}
