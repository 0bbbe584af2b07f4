// Operators can give a code, or a unique name, wherever a call takes an id.
// (docs/decisions/0002-contract.md)

import { mayActAs, roleOf } from "../domain/access/principals.ts";
import { looksLikeId } from "../domain/fleet/agents.ts";
import type { Reader } from "../store/database.ts";
import { findUserByName } from "../store/tables/access/users.ts";
import { findPolicyByName } from "../store/tables/approvals/approval-policies.ts";
import { findAgentByCode } from "../store/tables/fleet/agents.ts";
import { findServiceByCode } from "../store/tables/fleet/services.ts";
import { findScheduleByName } from "../store/tables/schedules/schedules.ts";
import type { Ctx } from "./context.ts";

type FindByCode = (db: Reader, code: string) => Promise<{ id: string } | null>;

/** The fields of parameters, queries and bodies that take the id of an object that has a code. */
const codedFields: Readonly<Record<string, FindByCode>> = {
  agentId: findAgentByCode,
  serviceId: findServiceByCode,
  serviceIds: findServiceByCode,
  policyId: findPolicyByName,
  scheduleId: findScheduleByName,
  userId: findUserByName,
  makerId: findUserByName,
  requesterId: findUserByName,
};

/** The validated parts of a call. */
interface Parts {
  params: unknown;
  query: unknown;
  body: unknown;
}

/**
 * Returns an operator's call with ids in place of codes. An unknown code stays, and the use case
 * treats it like an unknown id.
 */
export async function withIds<Input extends Parts>(ctx: Ctx, input: Input): Promise<Input> {
  const { params, query, body } = input;
  const [inParams, inQuery, inBody] = await Promise.all(
    [params, query, body].map((part) => withIdsIn(ctx, part)),
  );
  return { ...input, params: inParams, query: inQuery, body: inBody };
}

async function withIdsIn(ctx: Ctx, part: unknown): Promise<unknown> {
  const names = fieldsWithCodes(part);
  if (names.length === 0) return part;
  const fields = part as Record<string, unknown>;
  const ids: Record<string, unknown> = {};
  for (const name of names) {
    const findByCode = codedFields[name] as FindByCode;
    // Only owners may learn which users exist.
    if (findByCode === findUserByName && !mayActAs(roleOf(ctx.principal), "owner")) continue;
    const value = fields[name];
    const idOf = async (text: unknown) =>
      isCode(text) ? ((await findByCode(ctx.core.db.read, text))?.id ?? text) : text;
    ids[name] = Array.isArray(value) ? await Promise.all(value.map(idOf)) : await idOf(value);
  }
  return { ...fields, ...ids };
}

function fieldsWithCodes(part: unknown): string[] {
  if (typeof part !== "object" || part === null) return [];
  const fields = part as Record<string, unknown>;
  return Object.keys(fields).filter((name) => {
    if (!Object.hasOwn(codedFields, name)) return false;
    const value = fields[name];
    return Array.isArray(value) ? value.some(isCode) : isCode(value);
  });
}

/** A text with the form of an id is never a code, so no code can hide the object with that id. */
function isCode(value: unknown): value is string {
  return typeof value === "string" && !looksLikeId(value);
}
