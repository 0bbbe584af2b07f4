// How an agent finds out whether a server is the one that made its token, before it shows the token to
// it: a server at another URL proves that it keeps the token's hash. The proof tells nobody the token or
// its hash, so anybody may ask; also a server that only passes the agent's question on. It therefore holds
// for one URL, and is given only for one that leads here.

import { agentTokenProof, type ProofQuestion } from "../../domain/credentials.ts";
import { AppError } from "../../domain/errors.ts";
import { findActiveToken } from "../../store/tables/agent-tokens.ts";
import type { Ctx } from "../context.ts";

/**
 * For an agent that is not known here, or has no token, the proof is like any other and fits nothing. Throws
 * AppError MISDIRECTED_HOST.
 */
export async function proveAgentToken(
  { core }: Ctx,
  question: ProofQuestion,
  isOwnUrl: (url: string) => boolean,
): Promise<{ proof: string }> {
  const { agentId, server } = question;
  if (!isOwnUrl(server)) throw notOurs(server);
  const token = await findActiveToken(core.db.read, agentId);
  const unknown = new Uint8Array(32);
  core.fillRandom(unknown);
  const tokenHash = token?.hash ?? Buffer.from(unknown).toString("hex");
  return { proof: agentTokenProof(tokenHash, question) };
}

function notOurs(server: string): AppError {
  return new AppError(
    "MISDIRECTED_HOST",
    `This server does not know ${server} as a URL of its own: PLATFORM_PUBLIC_URL and ` +
      "PLATFORM_ALLOWED_HOSTS name those that it has besides the address it listens on.",
  );
}
