// Who the agent is to the server: its id and token, with what the server said about intervals when it
// registered; kept in a file of mode 0600, or wherever the program wants.

import { chmod, readFile } from "node:fs/promises";
import { z } from "zod";
import { checkRoomFor, replaceFile } from "../work/durable-file.ts";
import { AgentError, messageOf } from "./errors.ts";

/** What a token store keeps. */
export interface Identity {
  /** Where the server that made the token is. Another URL is sent it once the server there has proved to be the same. */
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
  /** Called before a registration token is spent: throws when `write` would. */
  prepare?(): Promise<void>;
}

/** More than a token file ever has. */
const mostBytes = 4096;

/** Written atomically, mode 0600. All throw AgentError STATE_UNUSABLE. */
export function fileTokenStore(file: string): TokenStore {
  const orUnusable = async (work: Promise<void>) => {
    try {
      await work;
    } catch (error) {
      throw unusable(file, messageOf(error), error);
    }
  };
  return {
    prepare: () => orUnusable(checkRoomFor(file, mostBytes)),
    write: (identity) => orUnusable(replaceFile(file, `${JSON.stringify(identity, null, 2)}\n`)),
    async read() {
      const text = await textOf(file);
      if (text === null) return null;
      try {
        return identitySchema.parse(JSON.parse(text));
      } catch (error) {
        throw unusable(file, "it is not a token file; remove it and register again", error);
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
