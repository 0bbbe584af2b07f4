// `platformctl api-keys create`

import type { Reply } from "../../../api/index.ts";
import { type KeyRole, keyRoles } from "../../../domain/principals.ts";
import type { Invocation } from "../../command.ts";
import { usageError } from "../../exit.ts";
import { expiryOf } from "../../expiry.ts";
import { isForPeople, type OutputOptions, printOne, type View } from "../../output/output.ts";
import type { Io } from "../../terminal/io.ts";
import { askChoice } from "../../terminal/prompts.ts";

type Created = Reply<"api-keys.create">;

const createdView: View<Created> = {
  columns: [
    { name: "key", value: (key) => key.key, kind: "key" },
    { name: "id", value: (key) => key.id, kind: "key" },
    { name: "name", value: (key) => key.name },
    { name: "role", value: (key) => key.role },
    { name: "expires", value: (key) => key.expiresAt ?? "never", kind: "time" },
  ],
  nameOf: (key) => key.id,
};

const roleMeans: Record<KeyRole, string> = {
  viewer: "viewer: reads",
  operator: "operator: runs actions as well",
  owner: "owner: everything",
  metrics: "metrics: reads the metrics, and nothing else",
};

async function askRole({ interactive }: Io): Promise<KeyRole> {
  if (!interactive) throw usageError(`say what the key may do: --role ${keyRoles.join(", ")}.`);
  return askChoice({
    message: "What may the key do?",
    choices: keyRoles.map((role) => ({ name: roleMeans[role], value: role })),
  });
}

export async function createApiKey({ io, options, client }: Invocation): Promise<void> {
  const { name, role, expires } = options as { name: string; role?: KeyRole; expires?: string };
  const body = { name, role: role ?? (await askRole(io)), ...expiryOf(expires) };
  const created = await (await client()).call("api-keys.create", { body });
  printOne(io, options as OutputOptions, created, createdView);
  if (isForPeople(options as OutputOptions)) {
    io.note("\nKeep it now: it is shown this once. Scripts take it from PLATFORM_API_KEY.\n");
  }
}
