// `platformctl users set-password`: somebody else's, or one's own, for which the present one is asked.

import type { Reply } from "../../../api/index.ts";
import type { Client } from "../../../client/client.ts";
import { usernameKey } from "../../../domain/users.ts";
import type { Invocation } from "../../command.ts";
import { resolveUser } from "../../names/resolve.ts";
import { type OutputOptions, printOne, type View } from "../../output/output.ts";
import { readNewPassword, readPasswordChange } from "../../terminal/new-password.ts";
import { userView } from "./users.ts";

type Me = Reply<"auth.me">;

const changedView: View<{ changed: boolean }> = {
  columns: [{ name: "changed", value: ({ changed }) => changed }],
  nameOf: ({ changed }) => String(changed),
};

export async function setPassword({
  io,
  args,
  options,
  signal,
  client,
}: Invocation): Promise<void> {
  const fromStdin = options.passwordStdin === true;
  const api = await client();
  const me = await api.call("auth.me");
  const userId = await userIdOf(api, me, args[0] ?? "");
  if (isSignedIn(me) && userId === me.user.id) {
    const body = await readPasswordChange(io, me.user.username, fromStdin, signal);
    const changed = await api.call("auth.password", { body });
    printOne(io, options as OutputOptions, changed, changedView);
    return;
  }
  const { username } = await api.call("users.get", { params: { userId } });
  const password = await readNewPassword(io, username, fromStdin, signal);
  const user = await api.call("users.set-password", { params: { userId }, body: { password } });
  printOne(io, options as OutputOptions, user, userView);
}

/** One's own name is known without looking at the users, which only owners may. */
async function userIdOf(api: Client, me: Me, given: string): Promise<string> {
  const isOwnName = usernameKey(given) === usernameKey(me.user.username);
  return isSignedIn(me) && isOwnName ? me.user.id : resolveUser(api, given);
}

/** API keys and the database file have no password of their own. */
function isSignedIn({ csrfToken }: Me): boolean {
  return csrfToken !== null;
}
