import { z } from "zod";
import { stateFile } from "../state-file.ts";
import { AgentError } from "./errors.ts";

export interface Identity {
  /**
   * The URL of the server that issued the token. A server at another URL gets the token only after
   * it proves that it is the same server.
   */
  server: string;
  agentCode: string;
  agentId: string;
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

/** Stores the agent's identity. If a method rejects while the agent starts, `start` rejects. */
export interface TokenStore {
  /** Returns the identity that was written last; null if there is none. */
  read(): Promise<Identity | null>;
  /** Resolves when the identity is stored permanently. */
  write(identity: Identity): Promise<void>;
  /** Called before a registration token is used. Throws if `write` would fail. */
  prepare?(): Promise<void>;
}

/**
 * Stores the identity in a file, which is written atomically with mode 0600. All methods throw
 * AgentError STATE_UNUSABLE if the file cannot be used.
 */
export function fileTokenStore(file: string): TokenStore {
  const hint = "it is not a token file; remove it and register again";
  return stateFile(file, identitySchema, hint, (reason, cause) => {
    const message = `Cannot use the token file ${file}: ${reason}.`;
    return new AgentError("STATE_UNUSABLE", message, cause);
  });
}
