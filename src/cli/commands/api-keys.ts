// `platformctl api-keys …`

import type { Routes } from "../../api/index.ts";
import type { ReplyData } from "../../api/route.ts";
import type { Role } from "../../domain/principals.ts";
import type { Invocation } from "../command.ts";
import { expiryOf } from "../expiry.ts";
import { printPages } from "../listing.ts";
import { isForPeople, type ListView, type OutputOptions, printOne, type View } from "../output.ts";
import { confirmOrRefuse } from "../prompts.ts";
import { resolveApiKey } from "../resolve.ts";

type Created = ReplyData<Routes["api-keys.create"]>;
type ApiKey = ReplyData<Routes["api-keys.list"]>[number];

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
    { name: "expires", value: (key) => key.expiresAt ?? "never", kind: "time" },
    { name: "used", value: (key) => key.lastUsedAt, kind: "time" },
    { name: "created", value: (key) => key.createdAt, kind: "time", wide: true },
    { name: "by", value: (key) => key.createdBy, wide: true },
    { name: "revoked", value: (key) => key.revokedAt, kind: "time", wide: true },
  ],
  nameOf: (key) => key.id,
  whenEmpty: "No API keys. Create one: platformctl api-keys create",
};

export async function createApiKey({ io, options, client }: Invocation): Promise<void> {
  const { name, role, expires } = options as { name: string; role: Role; expires?: string };
  const body = { name, role, ...expiryOf(expires) };
  const created = await (await client()).call("api-keys.create", { body });
  printOne(io, options as OutputOptions, created, createdView);
  if (isForPeople(options as OutputOptions)) {
    io.note("\nKeep it now: it is shown this once. Scripts take it from PLATFORM_API_KEY.\n");
  }
}

export async function listApiKeys(invocation: Invocation): Promise<void> {
  const api = await invocation.client();
  await printPages(invocation, view, {}, (query) => api.page("api-keys.list", { query }));
}

export async function revokeApiKey({ io, args, options, client }: Invocation): Promise<void> {
  const api = await client();
  const given = args[0] ?? "";
  const keyId = await resolveApiKey(api, given);
  const title = given === keyId ? keyId : `${given} (${keyId})`;
  const question = `Revoke the API key ${title}? Whoever uses it is refused from now on.`;
  await confirmOrRefuse(io, question, options.yes === true);
  const revoked = await api.call("api-keys.revoke", { params: { keyId } });
  printOne(io, options as OutputOptions, revoked, view);
}
