// Deletes what benches have created: agents, with their services and tokens, and registration
// tokens. Finds them by searching the server, so this also works after a run that was killed.

import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "../../../client/client.ts";
import { AppError } from "../../../domain/errors.ts";
import { Slots } from "../../../lib/slots.ts";
import { isTemporary } from "../../connecting/outages.ts";
import { allRows } from "../../output/listing.ts";
import { agentCode, benchLabel, isBenchAgent, isBenchToken, tokenName } from "./load/names.ts";

interface Leftovers {
  agents: { id: string; code: string }[];
  tokens: { id: string; status: string }[];
}

interface CleanupOptions {
  /** Only this run; null for all runs. */
  run: string | null;
  /** The requests per second that the server accepts; null if there is no limit. */
  requestsPerSecond: number | null;
  onProgress: (done: number, all: number) => void;
}

/** How many calls are in progress at the same time. */
const atOnce = 24;
/** How long a server that does not respond may take to come back. */
const patienceMs = 30_000;

export async function findLeftovers(client: Client, run: string | null): Promise<Leftovers> {
  const label = [`${benchLabel.key}:${benchLabel.value}`];
  const agents = await allRows((page) => client.page("agents.list", { query: { ...page, label } }));
  const tokens = await allRows((page) => client.page("registration-tokens.list", { query: page }));
  const prefix = run === null ? "" : agentCode(run, 0).replace(/\d{5}$/, "");
  return {
    agents: agents.filter((agent) => isBenchAgent(agent) && agent.code.startsWith(prefix)),
    tokens: tokens.filter(
      (token) => isBenchToken(token) && (run === null || token.name === tokenName(run)),
    ),
  };
}

/** Returns how many agents and registration tokens it deleted. */
export async function cleanUp(client: Client, options: CleanupOptions) {
  const { run, requestsPerSecond, onProgress } = options;
  const { agents, tokens } = await outlasting(() => findLeftovers(client, run));
  const deletions = [
    ...agents.map((agent) => () => deleteAgent(client, agent.id)),
    ...tokens.map((token) => () => deleteToken(client, token)),
  ];
  const startedAt = performance.now();
  let done = 0;
  const carryOut = async (deletion: () => Promise<void>, index: number) => {
    if (requestsPerSecond !== null) {
      await pause(Math.max(0, startedAt + (index * 1000) / requestsPerSecond - performance.now()));
    }
    await outlasting(deletion);
    onProgress(++done, deletions.length);
  };
  const slots = new Slots(atOnce);
  await Promise.all(deletions.map((deletion, index) => slots.run(() => carryOut(deletion, index))));
  return { agents: agents.length, registrationTokens: tokens.length };
}

/** Agents left by a killed run can still count as ONLINE, and can have open commands. */
async function deleteAgent(client: Client, agentId: string): Promise<void> {
  const params = { agentId };
  const remove = () => ignoring(["AGENT_NOT_FOUND"], client.call("agents.delete", { params }));
  try {
    await remove();
  } catch (error) {
    if (codeOf(error) === "AGENT_NOT_OFFLINE") {
      await client.call("agents.revoke-token", { params });
    } else if (codeOf(error) !== "AGENT_HAS_OPEN_COMMANDS") throw error;
    await cancelCommandsOf(client, agentId);
    await remove();
  }
}

async function cancelCommandsOf(client: Client, agentId: string): Promise<void> {
  const open = await client.call("commands.list", {
    query: {
      agentId,
      status: ["PENDING", "RUNNING"],
      type: ["ACTION_EXECUTE", "ACTION_PREPARE"],
      pageSize: 200,
    },
  });
  for (const { id: commandId } of open) {
    await ignoring(
      ["COMMAND_ALREADY_COMPLETED"],
      client.call("commands.cancel", { params: { commandId } }),
    );
  }
}

async function deleteToken(client: Client, token: Leftovers["tokens"][number]): Promise<void> {
  const params = { tokenId: token.id };
  if (token.status === "ACTIVE") await client.call("registration-tokens.revoke", { params });
  await ignoring(
    ["REGISTRATION_TOKEN_NOT_FOUND"],
    client.call("registration-tokens.delete", { params }),
  );
}

async function ignoring(codes: readonly string[], call: Promise<unknown>): Promise<void> {
  await call.catch((error) => {
    if (!codes.includes(codeOf(error) ?? "")) throw error;
  });
}

/** Retries for up to `patienceMs` while the server limits the rate or does not respond. */
async function outlasting<T>(work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + patienceMs;
  while (true) {
    try {
      return await work();
    } catch (error) {
      if (!isTemporary(error) || performance.now() > deadline) throw error;
      const seconds = error instanceof AppError ? (error.retryAfterSeconds ?? 1) : 1;
      await pause(seconds * 1000);
    }
  }
}

function codeOf(error: unknown): string | null {
  return error instanceof AppError ? error.code : null;
}
