// `platformctl api-keys …`

import type { ReplyData } from "../../api/contract/route.ts";
import type { Routes } from "../../api/index.ts";
import type { Client } from "../../client/client.ts";
import { type KeyRole, keyRoles } from "../../domain/principals.ts";
import type { Invocation } from "../command.ts";
import { lacksRoute } from "../connecting/older-server.ts";
import { usageError } from "../exit.ts";
import { expiryOf } from "../expiry.ts";
import { notFound } from "../names/naming.ts";
import { resolveApiKey, resolveUser } from "../names/resolve.ts";
import { allPages, printPages } from "../output/listing.ts";
import {
  isForPeople,
  type ListView,
  type OutputOptions,
  printOne,
  type View,
} from "../output/output.ts";
import type { Io } from "../terminal/io.ts";
import { askChoice, confirmOrRefuse } from "../terminal/prompts.ts";
import { deletedView } from "./deleted.ts";

type Created = ReplyData<Routes["api-keys.create"]>;
type ApiKey = ReplyData<Routes["api-keys.get"]>;

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

const view: ListView<ApiKey> = {
  columns: [
    { name: "id", value: (key) => key.id, kind: "key" },
    { name: "status", value: (key) => key.status, kind: "state" },
    { name: "name", value: (key) => key.name },
    { name: "role", value: (key) => key.role },
    { name: "user", value: userOf },
    { name: "expires", value: (key) => key.expiresAt ?? "never", kind: "time" },
    { name: "used", value: (key) => key.lastUsedAt, kind: "time" },
    { name: "created", value: (key) => key.createdAt, kind: "time", wide: true },
    { name: "by", value: (key) => key.createdBy, wide: true },
    { name: "revoked", value: (key) => key.revokedAt, kind: "time", wide: true },
  ],
  nameOf: (key) => key.id,
  whenEmpty: "No API keys. Create one: platformctl api-keys create",
};

/** The user that a key belongs to, and whether that user may still sign in. */
function userOf({ user }: ApiKey): string {
  // An older server leaves it out.
  if (!user) return "-";
  return user.status === "ACTIVE"
    ? (user.username ?? user.id)
    : `${user.username ?? user.id} (${user.status})`;
}

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

export async function listApiKeys(invocation: Invocation): Promise<void> {
  const { status, user } = invocation.options as { status?: ApiKey["status"]; user?: string };
  const api = await invocation.client();
  const userId = user === undefined ? undefined : await resolveUser(api, user);
  const filters = { status, userId };
  await printPages(invocation, view, filters, (page) =>
    api.page("api-keys.list", { query: { ...page, ...filters } }),
  );
}

export async function getApiKey(invocation: Invocation): Promise<void> {
  const { key } = await findKey(invocation);
  printOne(invocation.io, invocation.options as OutputOptions, key, view);
}

export async function revokeApiKey(invocation: Invocation): Promise<void> {
  const { io, options } = invocation;
  const { api, key } = await findKey(invocation);
  const question = `Revoke the API key ${titleOf(key)}? Whoever uses it is refused from now on.`;
  await confirmOrRefuse(io, question, options.yes === true);
  const revoked = await api.call("api-keys.revoke", { params: { keyId: key.id } });
  printOne(io, options as OutputOptions, revoked, view);
}

export async function deleteApiKey(invocation: Invocation): Promise<void> {
  const { io, options } = invocation;
  const { api, key } = await findKey(invocation);
  // The API refuses one that is ACTIVE: no question whose answer does not matter.
  const agreed = options.yes === true || key.status === "ACTIVE";
  await confirmOrRefuse(io, `Delete the API key ${titleOf(key)}?`, agreed);
  const deleted = await api.call("api-keys.delete", { params: { keyId: key.id } });
  printOne(io, options as OutputOptions, deleted, deletedView);
}

async function findKey({ args, client }: Invocation): Promise<{ api: Client; key: ApiKey }> {
  const api = await client();
  const keyId = await resolveApiKey(api, args[0] ?? "");
  return { api, key: await keyWithId(api, keyId) };
}

async function keyWithId(api: Client, keyId: string): Promise<ApiKey> {
  try {
    return await api.call("api-keys.get", { params: { keyId } });
  } catch (error) {
    if (!lacksRoute(error)) throw error;
    // An older server only lists them.
    for await (const rows of allPages((query) => api.page("api-keys.list", { query }))) {
      const found = rows.find(({ id }) => id === keyId);
      if (found) return found;
    }
    throw notFound("API key", keyId, null);
  }
}

function titleOf({ id, name }: ApiKey): string {
  return `${name} (${id})`;
}
