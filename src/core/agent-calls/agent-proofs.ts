// Proves to an agent that this server issued the agent's token, before the agent sends the token to
// a new URL. Each proof is valid for only one URL of this server, because a rogue server could
// otherwise get one by forwarding the agent's request.

import { agentTokenProof, type ProofQuestion } from "../../domain/access/credentials.ts";
import { AppError } from "../../domain/errors.ts";
import { findActiveToken } from "../../store/tables/access/agent-tokens.ts";
import type { Ctx } from "../context.ts";

/** For an agent that is unknown or has no token, the proof is random. Throws MISDIRECTED_HOST. */
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
    `${server} is not a URL of this server. Its URLs are the address that it listens on and those ` +
      "in PLATFORM_PUBLIC_URL and PLATFORM_ALLOWED_HOSTS.",
  );
}
