// Finds the principals of bearer tokens. A token is refused as soon as any process has revoked it:
// on SQLite, each use of the cache first checks for changes by other processes; on PostgreSQL,
// nothing is cached. (docs/decisions/0005-state-in-memory.md)

import { hash } from "node:crypto";
import type { ApiKey } from "../../domain/access/api-keys.ts";
import { isWellFormedToken } from "../../domain/access/credentials.ts";
import type { AgentPrincipal, ApiKeyPrincipal } from "../../domain/access/principals.ts";
import { AppError } from "../../domain/errors.ts";
import type { Database, Reader } from "../../store/database.ts";
import {
  type AgentTokenState,
  findAgentTokenById,
  findAgentTokens,
  findAgentTokensById,
} from "../../store/tables/access/agent-tokens.ts";
import { findApiKeysByHash } from "../../store/tables/access/api-keys.ts";
import { InvalidatedMap } from "../changes/invalidated-map.ts";
import type { Presence } from "../presence/presence.ts";

const maxRemembered = 100_000;
const keyUseEveryMs = 60_000;

interface RememberedKey {
  principal: ApiKeyPrincipal;
  expiresAt: number | null;
}

export class Credentials {
  readonly #db: Database;
  readonly #presence: Presence;
  readonly #now: () => number;
  /** Both caches are keyed by the hash of the token, and stay empty on PostgreSQL. */
  readonly #agents: InvalidatedMap<string, AgentPrincipal>;
  readonly #keys: InvalidatedMap<string, RememberedKey>;
  readonly #agentTokens: TurnLookups<string, AgentTokenState>;
  readonly #apiKeys: TurnLookups<string, ApiKey>;
  /**
   * When the last use of each key was noted, in Unix milliseconds. `forget` does not clear this.
   */
  readonly #keyUses = new Map<string, number>();

  constructor(db: Database, presence: Presence, now: () => number) {
    this.#db = db;
    this.#presence = presence;
    this.#now = now;
    const room = db.engine === "sqlite" ? maxRemembered : 0;
    this.#agents = new InvalidatedMap(room);
    this.#keys = new InvalidatedMap(room);
    this.#agentTokens = new TurnLookups((hashes) => findAgentTokens(db.read, hashes));
    this.#apiKeys = new TurnLookups((hashes) => findApiKeysByHash(db.read, hashes));
  }

  forget(): void {
    this.#agents.clear();
    this.#keys.clear();
  }

  /** Returns a promise only if the agent is not cached. */
  agent(token: string): AgentPrincipal | Promise<AgentPrincipal> {
    this.#db.checkForeignChange();
    const tokenHash = hashToken(token);
    return this.#agents.get(tokenHash) ?? this.#findAgent(token, tokenHash);
  }

  async apiKey(token: string): Promise<ApiKeyPrincipal> {
    this.#db.checkForeignChange();
    const keyHash = hashToken(token);
    const remembered = this.#keys.get(keyHash) ?? (await this.#findKey(token, keyHash));
    const now = this.#now();
    if (remembered.expiresAt !== null && remembered.expiresAt <= now) {
      throw new AppError("UNAUTHORIZED", "The API key has expired.");
    }
    this.#noteUse(remembered.principal.keyId, now);
    return remembered.principal;
  }

  #noteUse(keyId: string, now: number): void {
    const last = this.#keyUses.get(keyId);
    // The difference is absolute, so that a use is also noted after the clock is set back.
    if (last !== undefined && Math.abs(now - last) < keyUseEveryMs) return;
    this.#keyUses.set(keyId, now);
    this.#presence.keys.add(keyId, now);
  }

  async #findAgent(token: string, tokenHash: string): Promise<AgentPrincipal> {
    if (!isWellFormedToken("agent", token)) {
      const message = "The agent token is mistyped or cut off: its checksum is wrong.";
      throw new AppError("UNAUTHORIZED", message);
    }
    const { generation } = this.#agents;
    const found = refuseUnusable(await this.#agentTokens.find(tokenHash));
    const { agentId, agentCode, tokenId } = found;
    const principal: AgentPrincipal = { kind: "agent", agentId, agentCode, tokenId };
    this.#agents.set(tokenHash, principal, generation);
    return principal;
  }

  async #findKey(token: string, keyHash: string): Promise<RememberedKey> {
    if (!isWellFormedToken("apiKey", token)) {
      const message = "The API key is mistyped or cut off: its checksum is wrong.";
      throw new AppError("UNAUTHORIZED", message);
    }
    const { generation } = this.#keys;
    const key = await this.#apiKeys.find(keyHash);
    if (!key) throw new AppError("UNAUTHORIZED", "The API key is not known to this server.");
    if (key.revokedAt !== null) throw new AppError("UNAUTHORIZED", "The API key was revoked.");
    const { id: keyId, name, role, userId, makerId, expiresAt } = key;
    const principal: ApiKeyPrincipal = { kind: "apiKey", keyId, name, role, userId, makerId };
    const remembered: RememberedKey = { principal, expiresAt };
    this.#keys.set(keyHash, remembered, generation);
    return remembered;
  }
}

/** Checks again, in a transaction or after a wait, that the agent's token is still usable. */
export async function recheckAgent(
  db: Reader,
  principal: AgentPrincipal,
): Promise<AgentTokenState> {
  return refuseUnusable(await findAgentTokenById(db, principal.tokenId));
}

/**
 * Like `recheckAgent`, but for several agents: the returned function throws for an agent whose
 * token is no longer usable.
 */
export async function recheckAgents(
  db: Reader,
  principals: readonly AgentPrincipal[],
): Promise<(principal: AgentPrincipal) => AgentTokenState> {
  const states = await statesOf(db, principals);
  return ({ tokenId }) => refuseUnusable(states.get(tokenId) ?? null);
}

/** Returns a function that reports whether the token of one of these agents is still usable. */
export async function whoMayStillCall(
  db: Reader,
  principals: readonly AgentPrincipal[],
): Promise<(principal: AgentPrincipal) => boolean> {
  const states = await statesOf(db, principals);
  return ({ tokenId }) => refusalOf(states.get(tokenId) ?? null) === null;
}

function statesOf(
  db: Reader,
  principals: readonly AgentPrincipal[],
): Promise<ReadonlyMap<string, AgentTokenState>> {
  return findAgentTokensById(db, [...new Set(principals.map(({ tokenId }) => tokenId))]);
}

function refuseUnusable(state: AgentTokenState | null): AgentTokenState {
  const refusal = refusalOf(state);
  if (refusal !== null) throw refusal;
  return state as AgentTokenState;
}

function refusalOf(state: AgentTokenState | null): AppError | null {
  if (!state) return new AppError("UNAUTHORIZED", "The agent token is not known to this server.");
  if (state.revoked) {
    const message = "The agent token was revoked: register the agent again.";
    return new AppError("UNAUTHORIZED", message);
  }
  if (state.agentStatus === "DISABLED") {
    const message = "The agent is disabled: ask an operator to enable it.";
    return new AppError("AGENT_DISABLED", message);
  }
  return null;
}

/** Returns the SHA-256 hash in hexadecimal, the only form in which a token is stored. */
export function hashToken(token: string): string {
  return hash("sha256", token, "hex");
}

/**
 * Combines the lookups of one turn of the event loop into one query. The query begins after all of
 * them have been requested, so no lookup returns an outdated value.
 */
class TurnLookups<Key, Value> {
  readonly #find: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>;
  #next: { keys: Set<Key>; found: Promise<ReadonlyMap<Key, Value>> } | null = null;

  constructor(find: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>) {
    this.#find = find;
  }

  async find(key: Key): Promise<Value | null> {
    this.#next ??= this.#begin();
    this.#next.keys.add(key);
    return (await this.#next.found).get(key) ?? null;
  }

  #begin() {
    const keys = new Set<Key>();
    const { promise: found, resolve } = Promise.withResolvers<ReadonlyMap<Key, Value>>();
    setImmediate(() => {
      this.#next = null;
      resolve(this.#find([...keys]));
    });
    return { keys, found };
  }
}
