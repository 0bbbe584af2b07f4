// `tokens create`, also for each agent in a file.

import type { Noun } from "../../../api/contract/noun.ts";
import type { Reply } from "../../../api/index.ts";
import { agentCodeScopePattern } from "../../../domain/fleet/agents.ts";
import type { CommandFunction, Invocation } from "../../command.ts";
import { patiently } from "../../connecting/patient-client.ts";
import { usageError } from "../../exit.ts";
import { textOfFileOrStdin } from "../../files/operators-text.ts";
import { createRow } from "../../nouns/create.ts";
import { bodyOf } from "../../nouns/fields.ts";
import { printWhole } from "../../output/listing.ts";
import { isForPeople, type ListView } from "../../output/output.ts";

const flag = "--agents-from";

type Created = Reply<"registration-tokens.create">;

const view: ListView<Created> = {
  columns: [
    { name: "agent", value: ({ agentCode }) => agentCode, kind: "key" },
    { name: "token", value: ({ token }) => token, kind: "key", once: true },
    { name: "expires", value: ({ expiresAt }) => expiresAt ?? "never", kind: "time" },
    { name: "id", value: ({ id }) => id, kind: "key", wide: true },
  ],
  nameOf: ({ token }) => token,
  whenEmpty: "The file names no agent.",
};

export function createTokens(noun: Noun): CommandFunction {
  const createOne = createRow(noun);
  return (invocation) =>
    invocation.options.agentsFrom === undefined
      ? createOne(invocation)
      : createForEach(noun, patiently(invocation));
}

/** Prints the tokens that were created even if one fails, because they are shown only once. */
async function createForEach(noun: Noun, invocation: Invocation): Promise<void> {
  const { io, options, client, signal } = invocation;
  if (options.agent !== undefined || options.requestId !== undefined) {
    throw usageError(`${flag} cannot be used with --agent or --request-id.`);
  }
  const codes = await codesIn(invocation);
  const common = await bodyOf(io, noun.create ?? { fields: [] }, options);
  const api = await client();
  const created: Created[] = [];
  try {
    for (const agentCode of codes) {
      signal.throwIfAborted();
      const body = { name: agentCode, ...common, agentCode };
      created.push(await api.call("registration-tokens.create", { body }));
    }
  } finally {
    if (created.length > 0 || codes.length === 0) printWhole(invocation, created, view);
    if (created.length > 0 && isForPeople(options)) {
      io.note("\nKeep the tokens now: they are shown only once. Each registers one agent.\n");
    }
  }
}

/** Throws before anything is created. */
async function codesIn({ io, options, signal }: Invocation): Promise<string[]> {
  const text = await textOfFileOrStdin(io, flag, String(options.agentsFrom), signal);
  const lines = text.split("\n").map((line) => line.trim());
  const wrong = lines.findIndex((line) => line !== "" && !agentCodeScopePattern.test(line));
  if (wrong >= 0) throw usageError(`${flag}, line ${wrong + 1}: ${lines[wrong]} is not a code.`);
  return [...new Set(lines.filter((line) => line !== ""))];
}
