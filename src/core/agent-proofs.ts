// How an agent finds out whether a server is the one that made its token, before it shows the token to
// it: a server at another URL proves that it keeps the token's hash. The proof tells nobody the token or
// its hash, so anybody may ask.

import { agentTokenProof } from "../domain/credentials.ts";
import { findActiveToken } from "../store/agent-tokens.ts";
import type { Ctx } from "./context.ts";

/** For an agent that is not known here, or has no token, the proof is like any other and fits nothing. */
export async function proveAgentToken(
  { core }: Ctx,
  { agentId, nonce }: { agentId: string; nonce: string },
): Promise<{ proof: string }> {
  const token = await findActiveToken(core.db.read, agentId);
  const unknown = new Uint8Array(32);
  core.fillRandom(unknown);
  const tokenHash = token?.hash ?? Buffer.from(unknown).toString("hex");
  return { proof: agentTokenProof(tokenHash, agentId, nonce) };
}
