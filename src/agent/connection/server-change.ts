// The configuration names another URL than the one whose server made the agent's token: is it the same
// server? It must prove so before it is shown the token, in a way that no server in between can pass on.

import { hash, randomBytes } from "node:crypto";
import { createClient } from "../../client/client.ts";
import { httpTransport } from "../../client/transport-http.ts";
import { agentTokenProof } from "../../domain/credentials.ts";
import type { Settings } from "../settings.ts";
import { codeOf, isPassing } from "./failures.ts";
import type { Identity } from "./token-store.ts";
import { userAgent } from "./user-agent.ts";

/**
 * Why the server at the URL of the settings must not be shown the token, for an operator; null when it has
 * proved that it made it. Throws what may pass, such as Unreachable, and the signal's reason.
 */
export async function problemOfServer(
  { server: url, way }: Pick<Settings, "server" | "way">,
  { agentId, agentToken, server: before }: Identity,
  signal: AbortSignal,
): Promise<string | null> {
  const nonce = randomBytes(32).toString("hex");
  const client = createClient(httpTransport({ url, userAgent, ...way }));
  try {
    const body = { agentId, server: url, nonce };
    const { proof } = await client.call("agent.proof", { body }, { signal });
    const isProved = proof === agentTokenProof(hash("sha256", agentToken, "hex"), body);
    return isProved ? null : `The agent's token is of ${before}, and ${url} does not know it.`;
  } catch (error) {
    if (signal.aborted || isPassing(error)) throw error;
    if (codeOf(error) === "MISDIRECTED_HOST") return unnamed(url, before);
    // A server that is older than the agent proves nothing.
    return `The agent's token is of ${before}, and ${url} cannot prove that it is the same server.`;
  } finally {
    await client.close();
  }
}

function unnamed(url: string, before: string): string {
  return (
    `The agent's token is of ${before}, and the server at ${url} does not know that URL as its own, so it ` +
    "is not shown the token. If it is the same server, set PLATFORM_PUBLIC_URL there to this URL (or name " +
    "its host in PLATFORM_ALLOWED_HOSTS), and start the agent again."
  );
}
