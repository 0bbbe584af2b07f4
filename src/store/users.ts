// Users and their password hashes: the only SQL about them.

import type { Role } from "../domain/principals.ts";
import { type User, usernameKey } from "../domain/users.ts";
import type { Reader, Tx } from "./database.ts";

export interface UserWithPassword extends User {
  passwordHash: string;
}

export async function findUserByName(
  db: Reader,
  username: string,
): Promise<UserWithPassword | null> {
  const row = await db.get<UserWithPassword>(
    `SELECT id, username, role, status, password_hash AS "passwordHash" FROM users
     WHERE username_key = ?`,
    usernameKey(username),
  );
  return row ?? null;
}

export async function hasUsers(db: Reader): Promise<boolean> {
  return (await db.get("SELECT 1 FROM users LIMIT 1")) !== undefined;
}

export async function insertUser(
  tx: Tx,
  user: { id: string; username: string; role: Role; passwordHash: string },
): Promise<void> {
  await tx.run(
    `INSERT INTO users (id, username, username_key, role, status, password_hash, created_at,
       updated_at, password_changed_at) VALUES (?, ?, ?, ?, 'ACTIVE', ?, ?, ?, ?)`,
    user.id,
    user.username,
    usernameKey(user.username),
    user.role,
    user.passwordHash,
    tx.now,
    tx.now,
    tx.now,
  );
}

export async function noteLogin(tx: Tx, userId: string): Promise<void> {
  await tx.run("UPDATE users SET last_login_at = ? WHERE id = ?", tx.now, userId);
}
