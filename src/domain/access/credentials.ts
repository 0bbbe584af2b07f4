// A token is a prefix, 43 random base62 characters, and 6 characters of CRC-32, which distinguishes
// a mistyped token from a revoked one without a database query. (docs/decisions/0011-secrets.md)

import { createHmac } from "node:crypto";
import { crc32 } from "node:zlib";
import { encodeBase62, isBase62, randomBase62 } from "../../lib/base62.ts";

export const tokenPrefixes = {
  registration: "platform_reg_",
  agent: "platform_agent_",
  apiKey: "platform_key_",
} as const;

export type TokenKind = keyof typeof tokenPrefixes;

const randomLength = 43;
const checksumLength = 6;

/** The token has 256 random bits. */
export function mintToken(kind: TokenKind, fillRandom: (bytes: Uint8Array) => void): string {
  const body = tokenPrefixes[kind] + randomBase62(randomLength, fillRandom);
  return body + checksumOf(body);
}

/** A well-formed token may still be unknown or revoked. */
export function isWellFormedToken(kind: TokenKind, text: string): boolean {
  const prefix = tokenPrefixes[kind];
  if (text.length !== prefix.length + randomLength + checksumLength) return false;
  if (!text.startsWith(prefix) || !isBase62(text.slice(prefix.length))) return false;
  const body = text.slice(0, -checksumLength);
  return text.slice(-checksumLength) === checksumOf(body);
}

/** Says why a text is not a well-formed registration token, as the end of a sentence. */
export function flawOfRegistrationToken(text: string): string {
  const prefix = tokenPrefixes.registration;
  if (text.startsWith(prefix)) return "is mistyped or cut off: its checksum is wrong";
  if (text.includes(prefix))
    return `has other characters before ${prefix}, such as quotes or a name`;
  return `does not begin with ${prefix}: it may be another credential`;
}

const kindsByPrefix = Object.entries(tokenPrefixes) as [TokenKind, string][];

export function tokenKindOf(text: string): TokenKind | null {
  for (const [kind, prefix] of kindsByPrefix) {
    if (text.startsWith(prefix)) return kind;
  }
  return null;
}

function checksumOf(body: string): string {
  return encodeBase62(BigInt(crc32(body)), checksumLength);
}

/** An agent's challenge to a server that claims to have issued the agent's token. */
export interface ProofQuestion {
  agentId: string;
  /** The URL that the agent calls. It makes the proof useless to a server at another URL. */
  server: string;
  nonce: string;
}

/** `tokenHash` is the SHA-256 of the agent's token, in hexadecimal. */
export function agentTokenProof(
  tokenHash: string,
  { agentId, server, nonce }: ProofQuestion,
): string {
  const text = `platform agent token proof\n${agentId}\n${server}\n${nonce}`;
  return createHmac("sha256", tokenHash).update(text).digest("hex");
}
