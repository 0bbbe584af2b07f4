import type { Role } from "../../../domain/access/principals.ts";
import { type User, type UserStatus, usernameKey } from "../../../domain/access/users.ts";
import type { Reader, Tx } from "../../database.ts";
import { Filters, type Listed, type Page, type Sorts } from "../../filters.ts";
import { countOf, deleter, finder, inserter, pageOf } from "../../rows.ts";
import { run } from "../../sql-tag.ts";

export interface UserWithPassword extends User {
  passwordHash: string;
}

const columns = `id, username, display_name AS "displayName", role, status, version,
  created_at AS "createdAt", updated_at AS "updatedAt", password_changed_at AS "passwordChangedAt",
  last_login_at AS "lastLoginAt"`;

const withPassword = `${columns}, password_hash AS "passwordHash"`;

const findUserByKey = finder<UserWithPassword>(
  `SELECT ${withPassword} FROM users WHERE username_key = ?`,
);

export function findUserByName(db: Reader, username: string): Promise<UserWithPassword | null> {
  return findUserByKey(db, usernameKey(username));
}

export const findUserWithPassword = finder<UserWithPassword>(
  `SELECT ${withPassword} FROM users WHERE id = ?`,
);

export const findUser = finder<User>(`SELECT ${columns} FROM users WHERE id = ?`);

interface UserFilter extends Page {
  role?: Role | undefined;
  status?: readonly UserStatus[] | undefined;
  /** Matches a part of the username or the display name. */
  q?: string | undefined;
}

export async function listUsers(db: Reader, filter: UserFilter): Promise<Listed<User>> {
  const filters = new Filters()
    .add("role = ?", filter.role)
    .oneOf("status", filter.status)
    .search(["username", "display_name"], filter.q);
  return pageOf(db, [columns, "users", "id"], filters, filter, (row: User) => row, sorts);
}

const sorts: Sorts = {
  username: "username_key",
  displayName: ["display_name"],
  role: "role",
  createdAt: "id",
};

export function listUsernames(db: Reader): Promise<Pick<User, "id" | "username">[]> {
  return db.all("SELECT id, username FROM users");
}

export async function hasUsers(db: Reader): Promise<boolean> {
  return (await db.get("SELECT 1 FROM users LIMIT 1")) !== undefined;
}

export function countActiveOwners(db: Reader): Promise<number> {
  return countOf(db, "users", new Filters().always("role = 'owner' AND status = 'ACTIVE'"));
}

const insert = inserter("users", [
  "id username username_key display_name role status password_hash",
  "created_at updated_at password_changed_at",
]);

export async function insertUser(
  tx: Tx,
  user: Pick<UserWithPassword, "id" | "username" | "displayName" | "role" | "passwordHash">,
): Promise<void> {
  const times = { createdAt: tx.now, updatedAt: tx.now, passwordChangedAt: tx.now };
  const key = usernameKey(user.username);
  await insert(tx, { ...user, ...times, usernameKey: key, status: "ACTIVE" });
}

/** Writes the names, role and status, and increments the version. */
export async function updateUser(
  tx: Tx,
  user: Pick<User, "id" | "username" | "displayName" | "role" | "status">,
): Promise<void> {
  await run(tx)`UPDATE users SET username = ${user.username},
       username_key = ${usernameKey(user.username)}, display_name = ${user.displayName},
       role = ${user.role}, status = ${user.status}, version = version + 1,
       updated_at = ${tx.now} WHERE id = ${user.id}`;
}

/** Returns false if the stored hash is no longer `from`. Null accepts any hash. */
export async function setPasswordHash(
  tx: Tx,
  id: string,
  hash: string,
  from: string | null,
): Promise<boolean> {
  const changed = await run(tx)`UPDATE users SET password_hash = ${hash},
       password_changed_at = ${tx.now}, updated_at = ${tx.now}, version = version + 1
     WHERE id = ${id} AND password_hash = COALESCE(${from}, password_hash)`;
  return changed === 1;
}

/** Also deletes the user's sessions. */
export const deleteUser = deleter("users");

export async function noteLogin(tx: Tx, userId: string): Promise<void> {
  await run(tx)`UPDATE users SET last_login_at = ${tx.now} WHERE id = ${userId}`;
}
