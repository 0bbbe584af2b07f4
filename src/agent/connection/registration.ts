import { agentFeatures } from "../../domain/fleet/agents.ts";
import { orAborted } from "../../lib/time-limit.ts";
import type { AgentContext } from "../agent-context.ts";
import { abortedLater } from "../bell.ts";
import { AgentError, messageOf } from "./errors.ts";
import { codeOf, isPassing } from "./failures.ts";
import { openClient } from "./own-client.ts";
import { problemOfServer } from "./server-change.ts";
import type { Identity, TokenStore } from "./token-store.ts";

export type Registration = ReturnType<typeof createRegistration>;

/** `onRegistered` is called before the new token is stored. It must not reject. */
export function createRegistration(
  { settings, emit }: AgentContext,
  store: TokenStore,
  onRegistered: () => Promise<void>,
) {
  /** Registration tokens that are used up or that the server will never accept. */
  const spent = new Set<string>();

  /** Returns the identity that is stored for this agent's code and any server, or null. */
  async function stored(): Promise<Identity | null> {
    const identity = await store.read();
    return identity?.agentCode === settings.agent.code ? identity : null;
  }

  /**
   * Returns the identity for this server, or a message for operators that says why there is none.
   * If the URL has changed, the server gets the token only after it proves that it issued the
   * token. Throws errors that a retry may fix.
   */
  async function forThisServer(
    identity: Identity,
    signal: AbortSignal,
  ): Promise<Identity | string> {
    const { server } = settings;
    if (identity.server === server) return identity;
    const problem = await problemOfServer(settings, identity, signal);
    if (problem !== null) return problem;
    const moved = { ...identity, server };
    await orAborted(store.write(moved), signal);
    const message = `${server} is the same server as ${identity.server}: it knows the token.`;
    emit("info", message, { type: "server.moved" });
    return moved;
  }

  /**
   * Returns null if there is no untried registration token. After an abort, a call in progress may
   * continue for `flushMs`, because the server may already have used the registration token. Throws
   * the server's error, Unreachable, or AgentError REGISTRATION_TOKEN_MISSING or STATE_UNUSABLE.
   */
  async function register(signal: AbortSignal): Promise<Identity | null> {
    const registrationToken = await orAborted(token(), signal);
    if (registrationToken === undefined || spent.has(registrationToken)) return null;
    const { server, agent, way, flushMs } = settings;
    // If the new token could not be stored after the registration, it would be lost.
    await store.prepare?.();
    signal.throwIfAborted();
    const late = abortedLater(signal, flushMs);
    await using client = openClient(server, way);
    try {
      const features = [...agentFeatures];
      const body = { registrationToken, agent: { ...agent, features } };
      const reply = await client.call("agent.register", { body }, { signal: late.signal });
      spent.add(registrationToken);
      const { agentId, agentToken, reportIntervalSeconds, pollWaitSeconds } = reply;
      const intervals = { reportIntervalSeconds, pollWaitSeconds };
      const identity = { server, agentCode: agent.code, agentId, agentToken, ...intervals };
      await orAborted(onRegistered(), late.signal);
      await orAborted(store.write(identity), late.signal);
      emit("info", `Registered as ${agent.code} (${agentId}).`, {
        type: "registered",
        agentId,
      });
      return identity;
    } catch (error) {
      // The same token works once the other agent with this code is offline.
      const isFinal = !isPassing(error) && codeOf(error) !== "AGENT_CODE_TAKEN";
      if (isFinal) spent.add(registrationToken);
      throw error;
    } finally {
      late.clear();
    }
  }

  async function token(): Promise<string | undefined> {
    const { registrationToken } = settings;
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

  return { stored, forThisServer, register };
}
