// Who the agent is to the server: its id and token, with what the server said about intervals when it
// registered; kept in a file of mode 0600, or wherever the program wants.

import { chmod, readFile } from "node:fs/promises";
import { z } from "zod";
import { replaceFile } from "./durable-file.ts";
import { AgentError, messageOf } from "./errors.ts";

/** What a token store keeps. */
export interface Identity {
  /** The server that made the token; it is sent to no other. */
  server: string;
  agentCode: string;
  agentId: string;
  /** A secret. */
  agentToken: string;
  reportIntervalSeconds: number;
  pollWaitSeconds: number;
}

const identitySchema: z.ZodType<Identity> = z.object({
  server: z.string(),
  agentCode: z.string(),
  agentId: z.string(),
  agentToken: z.string(),
  reportIntervalSeconds: z.number().positive(),
  pollWaitSeconds: z.number().positive(),
});

/** What it throws stops a start: an agent that cannot keep its token would not come back. */
export interface TokenStore {
  /** What was written last; null when there is none yet. */
  read(): Promise<Identity | null>;
  /** Kept for good when it resolves. */
  write(identity: Identity): Promise<void>;
}

/** Written atomically. Both throw AgentError STATE_UNUSABLE. */
export function fileTokenStore(file: string): TokenStore {
  return {
    async read() {
      const text = await textOf(file);
      if (text === null) return null;
      try {
        return identitySchema.parse(JSON.parse(text));
      } catch (error) {
        throw unusable(file, "it is not a token file; remove it and register again", error);
      }
    },
    async write(identity) {
      try {
        await replaceFile(file, `${JSON.stringify(identity, null, 2)}\n`);
      } catch (error) {
        throw unusable(file, messageOf(error), error);
      }
    },
  };
}

async function textOf(file: string): Promise<string | null> {
  try {
    const text = await readFile(file, "utf8");
    await chmod(file, 0o600);
    return text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw unusable(file, messageOf(error), error);
  }
}

function unusable(file: string, reason: string, cause: unknown): AgentError {
  return new AgentError("STATE_UNUSABLE", `Cannot use the token file ${file}: ${reason}.`, cause);
}
