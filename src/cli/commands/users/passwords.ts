// `users set-password`. To change your own password, you also enter the current one.

import type { Reply } from "../../../api/index.ts";
import type { Client } from "../../../client/client.ts";
import { usernameKey } from "../../../domain/users.ts";
import type { Invocation } from "../../command.ts";
import { resolveUser } from "../../names/resolve.ts";
import { answerView, printRow } from "../../nouns/view.ts";
import { printOne } from "../../output/output.ts";
import { readNewPassword, readPasswordChange } from "../../terminal/new-password.ts";

type Me = Reply<"auth.me">;

export async function setPassword(invocation: Invocation): Promise<void> {
  const { io, args, options, signal, client } = invocation;
  const fromStdin = options.passwordStdin === true;
  const api = await client();
  const me = await api.call("auth.me");
  const userId = await userIdOf(api, me, args[0] ?? "");
  if (isSignedIn(me) && userId === me.user.id) {
    const body = await readPasswordChange(io, me.user.username, fromStdin, signal);
    const changed = await api.call("auth.password", { body });
    printOne(io, options, changed, answerView({ changed: true }));
    return;
  }
  const { username } = await api.call("users.get", { params: { userId } });
  const password = await readNewPassword(io, username, fromStdin, signal);
  const user = await api.call("users.set-password", { params: { userId }, body: { password } });
  printRow(io, options, "users", user);
}

/** Only owners can read users, so your own name is not looked up. */
async function userIdOf(api: Client, me: Me, given: string): Promise<string> {
  const isOwnName = usernameKey(given) === usernameKey(me.user.username);
  return isSignedIn(me) && isOwnName ? me.user.id : resolveUser(api, given);
}

/** API keys and the database file have no password. */
function isSignedIn({ csrfToken }: Me): boolean {
  return csrfToken !== null;
}
