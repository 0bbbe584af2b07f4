// After a change of the URL, the server must prove that it issued the agent's token before it gets
// the token. No server in between can relay the proof.

import { hash, randomBytes } from "node:crypto";
import { agentTokenProof } from "../../domain/access/credentials.ts";
import type { Settings } from "../settings.ts";
import { isCode, isPassing } from "./failures.ts";
import { openClient } from "./own-client.ts";
import type { Identity } from "./token-store.ts";

/**
 * Returns why the server must not get the token; null if it has proved that it issued the token.
 * Throws errors that a retry may fix, and the signal's reason.
 */
export async function problemOfServer(
  { server: url, way }: Pick<Settings, "server" | "way">,
  { agentId, agentToken, server: before }: Identity,
  signal: AbortSignal,
): Promise<string | null> {
  const nonce = randomBytes(32).toString("hex");
  await using client = openClient(url, way);
  try {
    const body = { agentId, server: url, nonce };
    const { proof } = await client.call("agent.proof", { body }, { signal });
    const isProved = proof === agentTokenProof(hash("sha256", agentToken, "hex"), body);
    return isProved ? null : `The agent's token is from ${before}, but ${url} does not know it.`;
  } catch (error) {
    if (isCode(error, "MISDIRECTED_HOST")) return unnamed(url, before);
    // An older server has no such route.
    if (signal.aborted || (isPassing(error) && !isCode(error, "NOT_FOUND"))) throw error;
    return `The agent's token is from ${before}, but ${url} cannot prove that it is the same server.`;
  }
}

function unnamed(url: string, before: string): string {
  return (
    `The agent's token is from ${before}. The server at ${url} does not accept that URL as its ` +
    "own, so it does not get the token. If it is the same server, set PLATFORM_PUBLIC_URL there to " +
    "this URL, and restart the server and the agent. If PLATFORM_ALLOWED_HOSTS is set, or the " +
    "server listens on a loopback address, first add the old host to PLATFORM_ALLOWED_HOSTS, " +
    "because other agents still use it."
  );
}
