import type { Body, Reply } from "../../../api/index.ts";
import type { Client } from "../../../client/client.ts";
import {
  type KeyRole,
  mayActAs,
  mayHoldKey,
  type Role,
} from "../../../domain/access/principals.ts";
import { counted } from "../../../lib/counted.ts";
import type { CommandFunction, Invocation } from "../../command.ts";
import { usageError } from "../../exit.ts";
import { getNamed } from "../../names/resolve.ts";
import { printAnswer, printRow } from "../../nouns/view.ts";
import { firstNames } from "../../output/first-names.ts";
import { isForPeople } from "../../output/output.ts";
import type { Io } from "../../terminal/io.ts";
import { readNewPassword } from "../../terminal/new-password.ts";
import { confirmOrRefuse } from "../../terminal/prompts.ts";

type User = Reply<"users.get">;

export async function createUser({ io, args, options, signal, client }: Invocation): Promise<void> {
  const given = options as {
    username?: string;
    displayName?: string;
    role?: Role;
    passwordStdin?: true;
  };
  const { displayName, role, passwordStdin } = given;
  if (args[0] && given.username) throw usageError("give NAME or --username, not both.");
  const username = args[0] || given.username;
  if (!username) throw usageError("the username is missing: users create NAME --role ROLE.");
  if (!role) throw usageError("--role is missing: owner, operator or viewer.");
  const api = await client();
  const password = await readNewPassword(io, username, passwordStdin === true, signal);
  // Older servers do not know the field.
  const named = displayName ? { displayName } : {};
  const created = await api.call("users.create", {
    body: { username, ...named, password, role },
  });
  printRow(io, options, "users", created);
}

/** Asks before a change that takes access away. Fails if the user was changed meanwhile. */
export async function updateUser(invocation: Invocation): Promise<void> {
  await change(invocation, changeOf(invocation.options));
}

export const disableUser: CommandFunction = (one) => change(one, { status: "DISABLED" });
export const enableUser: CommandFunction = (one) => change(one, { status: "ACTIVE" });

async function change(invocation: Invocation, wanted: UserChange): Promise<void> {
  const { io, options } = invocation;
  const { api, user } = await findUser(invocation);
  const question = await losses(api, user, wanted);
  if (question !== null) await confirmOrRefuse(io, question, options.yes === true);
  const updated = await api.call("users.update", {
    params: { userId: user.id },
    body: { ...wanted, version: user.version },
  });
  printRow(io, options, "users", updated);
  if (isForPeople(options)) noteEnded(io, updated);
}

/** Returns the question to ask before the change; null if it takes no access away. */
async function losses(api: Client, user: User, change: UserChange): Promise<string | null> {
  const { username, role, status } = user;
  const isLower = change.role && !mayActAs(change.role, role);
  if (change.status === "DISABLED" && status === "ACTIVE") {
    const lowered = isLower ? `, change the role to ${change.role},` : "";
    return `Disable ${username} (${role})${lowered} and end the sessions?${await keysOf(api, user)}`;
  }
  if (!change.role || !isLower) return null;
  const kept = change.role;
  const keys = await keysOf(api, user, (keyRole) => !mayHoldKey(kept, keyRole));
  return `Change ${username} from ${role} to ${kept}?${keys}`;
}

/** Names the active API keys that will be revoked: the user's own, and those made for others. */
async function keysOf(
  api: Client,
  { id: userId }: User,
  goes: (role: KeyRole) => boolean = () => true,
): Promise<string> {
  const query = { status: "ACTIVE" as const, pageSize: 200 };
  const { data: owned } = await api.page("api-keys.list", { query: { ...query, userId } });
  const { data: made } = await api.page("api-keys.list", { query: { ...query, makerId: userId } });
  // Older servers ignore these filters, and return neither field.
  const own = owned.filter(({ user, role }) => user?.id === userId && goes(role));
  const isForOther = (key: (typeof made)[number]) =>
    key.makerId === userId && key.user?.id !== userId;
  const forOthers = goes("owner") ? made.filter(isForOther) : [];
  const names = [...own, ...forOthers].map(({ name }) => name);
  if (names.length === 0) return "";
  return ` ${counted(names.length, "API key")} will be revoked: ${firstNames(names, 5)}.`;
}

/** Older servers do not return these counts. */
function noteEnded(io: Io, ended: { sessionsEnded?: number; apiKeysRevoked?: number }): void {
  const { sessionsEnded, apiKeysRevoked } = ended;
  if (sessionsEnded === undefined || apiKeysRevoked === undefined) return;
  if (sessionsEnded + apiKeysRevoked === 0) return;
  const sessions = counted(sessionsEnded, "session");
  io.note(`\nEnded ${sessions}, revoked ${counted(apiKeysRevoked, "API key")}.\n`);
}

export async function deleteUser(invocation: Invocation): Promise<void> {
  const { io, options } = invocation;
  const { api, user } = await findUser(invocation);
  const question = `Delete the user ${user.username} (${user.role})?${await keysOf(api, user)}`;
  await confirmOrRefuse(io, question, options.yes === true);
  const deleted = await api.call("users.delete", { params: { userId: user.id } });
  printAnswer(io, options, deleted);
}

type UserChange = Omit<Body<"users.update">, "version">;

function changeOf(options: Record<string, unknown>): UserChange {
  const given = options as UserChange & { enable?: true; disable?: true };
  const { username, displayName, role, enable, disable } = given;
  if (enable && disable) throw usageError("give --enable or --disable, not both.");
  const change: UserChange = {
    ...(username === undefined ? {} : { username }),
    ...(displayName === undefined ? {} : { displayName: displayName || null }),
    ...(role ? { role } : {}),
    ...(enable ? { status: "ACTIVE" } : {}),
    ...(disable ? { status: "DISABLED" } : {}),
  };
  if (Object.keys(change).length > 0) return change;
  throw usageError("give a change: --username, --display-name, --role, --disable or --enable.");
}

async function findUser({ args, client }: Invocation): Promise<{ api: Client; user: User }> {
  const api = await client();
  return { api, user: await getNamed(api, "users", args[0] ?? "") };
}
