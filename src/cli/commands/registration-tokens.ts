// `platformctl tokens …`

import type { QueryInput, ReplyData } from "../../api/contract/route.ts";
import type { Routes } from "../../api/index.ts";
import type { Client } from "../../client/client.ts";
import type { Invocation } from "../command.ts";
import { expiryOf } from "../expiry.ts";
import { resolveRegistrationToken } from "../names/resolve.ts";
import { printPages } from "../output/listing.ts";
import {
  isForPeople,
  type ListView,
  type OutputOptions,
  printOne,
  type View,
} from "../output/output.ts";
import { confirmOrRefuse } from "../terminal/prompts.ts";
import { deletedView } from "./deleted.ts";

type Created = ReplyData<Routes["registration-tokens.create"]>;
type Token = ReplyData<Routes["registration-tokens.get"]>;
type Query = NonNullable<QueryInput<Routes["registration-tokens.list"]>>;

const createdView: View<Created> = {
  columns: [
    { name: "token", value: (token) => token.token, kind: "key" },
    { name: "id", value: (token) => token.id, kind: "key" },
    { name: "name", value: (token) => token.name },
    { name: "for", value: scopeOf },
    { name: "expires", value: (token) => token.expiresAt ?? "never", kind: "time" },
  ],
  nameOf: (token) => token.id,
};

const view: ListView<Token> = {
  columns: [
    { name: "id", value: (token) => token.id, kind: "key" },
    { name: "status", value: (token) => token.status, kind: "state" },
    { name: "name", value: (token) => token.name },
    { name: "for", value: scopeOf },
    { name: "expires", value: (token) => token.expiresAt ?? "never", kind: "time" },
    { name: "created", value: (token) => token.createdAt, kind: "time" },
    { name: "by", value: (token) => token.createdBy },
    { name: "used", value: (token) => token.usedAt, kind: "time", wide: true },
    { name: "agent", value: (token) => token.usedByAgentId, kind: "key", wide: true },
    { name: "revoked", value: (token) => token.revokedAt, kind: "time", wide: true },
  ],
  nameOf: (token) => token.id,
  whenEmpty: "No registration tokens. Create one: platformctl tokens create",
};

/** Whom it lets in. */
function scopeOf({ agentCode, replace }: Pick<Token, "agentCode" | "replace">): string {
  const whom = agentCode ?? "any agent";
  return replace ? `${whom}, replacing it` : whom;
}

export async function createToken({ io, options, client }: Invocation): Promise<void> {
  const { name, expires, agent, replace } = options as {
    name?: string;
    expires?: string;
    agent?: string;
    replace?: boolean;
  };
  const body = {
    ...(name === undefined ? {} : { name }),
    ...(agent === undefined ? {} : { agentCode: agent }),
    ...(replace === undefined ? {} : { replace }),
    ...expiryOf(expires),
  };
  const created = await (await client()).call("registration-tokens.create", { body });
  printOne(io, options as OutputOptions, created, createdView);
  if (isForPeople(options as OutputOptions)) {
    io.note("\nKeep it now: it is shown this once, and registers one agent.\n");
  }
}

export async function listTokens(invocation: Invocation): Promise<void> {
  const { status } = invocation.options as { status?: string };
  const filters = { status };
  const api = await invocation.client();
  await printPages(invocation, view, filters, (page) =>
    api.page("registration-tokens.list", { query: { ...page, ...filters } as Query }),
  );
}

export async function getToken(invocation: Invocation): Promise<void> {
  const { token } = await findToken(invocation);
  printOne(invocation.io, invocation.options as OutputOptions, token, view);
}

export async function revokeToken(invocation: Invocation): Promise<void> {
  const { io, options } = invocation;
  const { api, token } = await findToken(invocation);
  const question = `Revoke the registration token ${titleOf(token)}?`;
  await confirmOrRefuse(io, question, options.yes === true);
  const params = { tokenId: token.id };
  const revoked = await api.call("registration-tokens.revoke", { params });
  printOne(io, options as OutputOptions, revoked, view);
}

export async function deleteToken(invocation: Invocation): Promise<void> {
  const { io, options } = invocation;
  const { api, token } = await findToken(invocation);
  // The API refuses one that is ACTIVE: no question whose answer does not matter.
  const agreed = options.yes === true || token.status === "ACTIVE";
  await confirmOrRefuse(io, `Delete the registration token ${titleOf(token)}?`, agreed);
  const params = { tokenId: token.id };
  const deleted = await api.call("registration-tokens.delete", { params });
  printOne(io, options as OutputOptions, deleted, deletedView);
}

async function findToken({ args, client }: Invocation): Promise<{ api: Client; token: Token }> {
  const api = await client();
  const tokenId = await resolveRegistrationToken(api, args[0] ?? "");
  return { api, token: await api.call("registration-tokens.get", { params: { tokenId } }) };
}

function titleOf({ id, name }: Token): string {
  return name === null ? id : `${name} (${id})`;
}
