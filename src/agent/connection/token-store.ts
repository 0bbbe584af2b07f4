// Stores the agent's id, token and intervals, by default in a file of mode 0600.

import { chmod } from "node:fs/promises";
import { z } from "zod";
import { checkRoomFor, replaceFile } from "../../lib/files/private-file.ts";
import { readTextOrNull } from "../../lib/files/read-text.ts";
import { AgentError, messageOf } from "./errors.ts";

/** What a token store holds. */
export interface Identity {
  /** The server that issued the token. Another URL gets it only after a proof. */
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

/** An error of any method stops the start, because an agent must be able to store its token. */
export interface TokenStore {
  /** The identity written last; null if there is none. */
  read(): Promise<Identity | null>;
  /** Resolves when the identity is stored permanently. */
  write(identity: Identity): Promise<void>;
  /** Called before a registration token is used. Throws if `write` would. */
  prepare?(): Promise<void>;
}

/** An upper bound for the size of the token file. */
const mostBytes = 4096;

/** Writes the file atomically, mode 0600. All methods throw AgentError STATE_UNUSABLE. */
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
    const text = await readTextOrNull(file);
    if (text !== null) await chmod(file, 0o600);
    return text;
  } catch (error) {
    throw unusable(file, messageOf(error), error);
  }
}

function unusable(file: string, reason: string, cause: unknown): AgentError {
  return new AgentError("STATE_UNUSABLE", `Cannot use the token file ${file}: ${reason}.`, cause);
}
