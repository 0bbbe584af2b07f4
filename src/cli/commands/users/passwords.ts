// `users set-password`. To change your own password, you also enter the current one.

import type { Reply } from "../../../api/index.ts";
import type { Client } from "../../../client/client.ts";
import { usernameKey } from "../../../domain/access/users.ts";
import type { Invocation } from "../../command.ts";
import { getNamed } from "../../names/resolve.ts";
import { answerView, printRow } from "../../nouns/view.ts";
import { printOne } from "../../output/output.ts";
import { readNewPassword, readPasswordChange } from "../../terminal/new-password.ts";

type Me = Reply<"auth.me">;

export async function setPassword(invocation: Invocation): Promise<void> {
  const { io, args, options, signal, client } = invocation;
  const fromStdin = options.passwordStdin === true;
  const api = await client();
  const me = await api.call("auth.me");
  const user = await userOf(api, me, args[0] ?? "");
  if (isSignedIn(me) && user.id === me.user.id) {
    const body = await readPasswordChange(io, me.user.username, fromStdin, signal);
    const changed = await api.call("auth.password", { body });
    printOne(io, options, changed, answerView({ changed: true }));
    return;
  }
  const password = await readNewPassword(io, user.username, fromStdin, signal);
  const changed = await api.call("users.set-password", {
    params: { userId: user.id },
    body: { password },
  });
  printRow(io, options, "users", changed);
}

/** Only owners can read users, so your own name is not looked up. */
async function userOf(
  api: Client,
  me: Me,
  given: string,
): Promise<{ id: string; username: string }> {
  const isOwnName = usernameKey(given) === usernameKey(me.user.username);
  return isSignedIn(me) && (isOwnName || given === me.user.id)
    ? me.user
    : getNamed(api, "users", given);
}

/** API keys and the database file have no password. */
function isSignedIn({ csrfToken }: Me): boolean {
  return csrfToken !== null;
}
