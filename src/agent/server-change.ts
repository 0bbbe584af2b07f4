// The configuration names another URL than the one whose server made the agent's token: is it the same
// server? It must prove so before it is shown the token.

import { hash, randomBytes } from "node:crypto";
import { createClient } from "../client/client.ts";
import { httpTransport } from "../client/transport-http.ts";
import { agentTokenProof } from "../domain/credentials.ts";
import { isPassing } from "./failures.ts";
import type { Settings } from "./settings.ts";
import type { Identity } from "./token-store.ts";
import { userAgent } from "./user-agent.ts";

/**
 * Whether the server at the URL of the settings knows the token. Throws what may pass, such as
 * Unreachable, and the signal's reason.
 */
export async function knowsToken(
  { server: url, way }: Pick<Settings, "server" | "way">,
  { agentId, agentToken }: Identity,
  signal: AbortSignal,
): Promise<boolean> {
  const nonce = randomBytes(32).toString("hex");
  const client = createClient(httpTransport({ url, userAgent, ...way }));
  try {
    const body = { agentId, nonce };
    const { proof } = await client.call("agent.proof", { body }, { signal });
    return proof === agentTokenProof(hash("sha256", agentToken, "hex"), agentId, nonce);
  } catch (error) {
    if (signal.aborted || isPassing(error)) throw error;
    // A server that is older than the agent proves nothing.
    return false;
  } finally {
    await client.close();
  }
}
