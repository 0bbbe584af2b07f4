// Users: the first owner, without whom nobody could sign in. (`decisions.md` 5 "First start")

import { randomBase62 } from "../lib/base62.ts";
import { hasUsers, insertUser } from "../store/users.ts";
import { audit } from "./audit-trail.ts";
import { type Core, systemContext } from "./context.ts";

/**
 * With no user in the database, makes an owner. Answers its name, and its password when that was
 * made up here; null when there are users already.
 */
export async function createFirstOwner(
  core: Core,
  wanted: { username?: string | undefined; password?: string | undefined },
): Promise<{ username: string; generatedPassword: string | null } | null> {
  if (await hasUsers(core.db.read)) return null;
  const username = wanted.username ?? "admin";
  const generatedPassword = wanted.password ? null : randomBase62(24, core.fillRandom);
  const passwordHash = await core.passwords.hash(wanted.password ?? generatedPassword ?? "");
  const ctx = systemContext(core);
  const created = await core.db.write(async (tx) => {
    if (await hasUsers(tx)) return false;
    const id = core.newId("usr");
    await insertUser(tx, { id, username, role: "owner", passwordHash });
    await audit(ctx, tx, {
      action: "user.created",
      targetType: "user",
      targetId: id,
      metadata: { username, role: "owner", firstStart: true },
    });
    return true;
  });
  return created ? { username, generatedPassword } : null;
}
