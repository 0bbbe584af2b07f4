// Compresses responses to operators, such as lists and the health map. Responses to agents are too
// small to gain from it.

import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, gzip, constants as zlib } from "node:zlib";
import type { RouteSpec } from "../api/contract/route.ts";
import { isForOperators } from "../domain/access/principals.ts";
import { type Coding, chooseCoding } from "./requests/accept-encoding.ts";

/** A smaller response fits into one packet anyway. */
export const leastCompressedBytes = 1400;

/** The maximum is 11. Higher qualities take several times longer and hardly make JSON smaller. */
const brotliQuality = 4;

const compressWithBrotli = promisify(brotliCompress);
const coders: Record<Exclude<Coding, "identity">, (text: string) => Promise<Buffer>> = {
  br: (text) =>
    compressWithBrotli(text, { params: { [zlib.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: promisify<string, Buffer>(gzip),
};
const available: readonly Coding[] = ["br", "gzip", "identity"];

export interface Compression {
  coding: Coding;
  /** Compresses on another thread. */
  compress: ((text: string) => Promise<Buffer>) | null;
}

/**
 * Returns null for a route whose responses are never compressed. The size of a compressed response
 * shows whether a text that somebody else chose is similar to a secret in the same response, so
 * responses with secrets are not compressed.
 */
export function compressionOf(spec: RouteSpec, request: IncomingMessage): Compression | null {
  const { access, method, holdsSecret } = spec;
  if (!isForOperators(access) || method !== "GET" || holdsSecret) return null;
  const coding = chooseCoding(request.headers["accept-encoding"]?.toString(), available);
  return { coding, compress: coding === "identity" ? null : coders[coding] };
}
