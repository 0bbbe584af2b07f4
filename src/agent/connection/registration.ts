// How an agent gets its identity: from its token file, else with a registration token.

import { createClient } from "../../client/client.ts";
import { httpTransport } from "../../client/transport-http.ts";
import { orAborted } from "../../lib/time-limit.ts";
import { abortedLater } from "../bell.ts";
import type { Emit } from "../events/events.ts";
import type { Settings } from "../settings.ts";
import { AgentError, messageOf } from "./errors.ts";
import { codeOf, isPassing } from "./failures.ts";
import { problemOfServer } from "./server-change.ts";
import type { Identity, TokenStore } from "./token-store.ts";
import { userAgent } from "./user-agent.ts";

export class Registration {
  readonly #settings: Settings;
  readonly #store: TokenStore;
  readonly #emit: Emit;
  /** Tokens that cannot be used any more: they registered, or were refused for good. */
  readonly #spent = new Set<string>();

  constructor(settings: Settings, store: TokenStore, emit: Emit) {
    this.#settings = settings;
    this.#store = store;
    this.#emit = emit;
  }

  /** The stored identity, of whichever server; null when there is none for this agent's code. */
  async stored(): Promise<Identity | null> {
    const identity = await this.#store.read();
    return identity?.agentCode === this.#settings.agent.code ? identity : null;
  }

  /**
   * The identity for the server of the settings: a token belongs to the server that made it, whatever
   * URL leads there. Where it may be another server, which is shown no token: why, for an operator.
   * Throws what may pass.
   */
  async forThisServer(identity: Identity, signal: AbortSignal): Promise<Identity | string> {
    const { server } = this.#settings;
    if (identity.server === server) return identity;
    const problem = await problemOfServer(this.#settings, identity, signal);
    if (problem !== null) return problem;
    const moved = { ...identity, server };
    await orAborted(this.#store.write(moved), signal);
    const message = `${server} knows the token that ${identity.server} made: it is the same server.`;
    this.#emit("info", message, { type: "server.moved" });
    return moved;
  }

  /**
   * Registers, once, and answers when the new token is on disk; null when there is no registration
   * token that has not been tried. What has gone to the server when the signal is aborted may end within
   * `flushMs`: the server may have used the registration token already. Throws what the server said, Unreachable, or AgentError
   * REGISTRATION_TOKEN_MISSING (the function for it failed), STATE_UNUSABLE.
   */
  async register(signal: AbortSignal): Promise<Identity | null> {
    const registrationToken = await orAborted(this.#token(), signal);
    if (registrationToken === undefined || this.#spent.has(registrationToken)) return null;
    const { server, agent, way, flushMs } = this.#settings;
    // A token that is spent and not kept would be lost.
    await this.#store.prepare?.();
    signal.throwIfAborted();
    const late = abortedLater(signal, flushMs);
    const client = createClient(httpTransport({ url: server, userAgent, ...way }));
    try {
      const body = { registrationToken, agent };
      const answer = await client.call("agent.register", { body }, { signal: late.signal });
      this.#spent.add(registrationToken);
      const { agentId, agentToken, reportIntervalSeconds, pollWaitSeconds } = answer;
      const told = { reportIntervalSeconds, pollWaitSeconds };
      const identity = { server, agentCode: agent.code, agentId, agentToken, ...told };
      await orAborted(this.#store.write(identity), late.signal);
      this.#emit("info", `Registered as ${agent.code} (${agentId}).`, {
        type: "registered",
        agentId,
      });
      return identity;
    } catch (error) {
      // The same token will do once the other agent of that code is offline.
      const isFinal = !isPassing(error) && codeOf(error) !== "AGENT_CODE_TAKEN";
      if (isFinal) this.#spent.add(registrationToken);
      throw error;
    } finally {
      late.clear();
      await client.close();
    }
  }

  async #token(): Promise<string | undefined> {
    const { registrationToken } = this.#settings;
    if (typeof registrationToken !== "function") return registrationToken;
    try {
      return await registrationToken();
    } catch (error) {
      throw new AgentError(
        "REGISTRATION_TOKEN_MISSING",
        `There is no registration token: ${messageOf(error)}`,
        error,
      );
    }
  }
}
