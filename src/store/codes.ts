// Finds the ids of things by the code or name that only one of them has.

import { usernameKey } from "../domain/users.ts";
import type { Reader } from "./database.ts";

const queries = {
  agent: "SELECT id FROM agents WHERE code = ?",
  service: "SELECT id FROM services WHERE code = ?",
  user: "SELECT id FROM users WHERE username_key = ?",
  schedule: "SELECT id FROM schedules WHERE name = ?",
  approvalPolicy: "SELECT id FROM approval_policies WHERE name = ?",
};

export type CodedThing = keyof typeof queries;

export async function findIdByCode(
  db: Reader,
  thing: CodedThing,
  code: string,
): Promise<string | null> {
  const key = thing === "user" ? usernameKey(code) : code;
  const row = await db.get<{ id: string }>(queries[thing], key);
  return row?.id ?? null;
}
