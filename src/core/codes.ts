// Operators can give a code, or a name that only one thing has, wherever a call takes an id.
// (docs/decisions/0002-contract.md)

import { looksLikeId } from "../domain/agents.ts";
import { mayActAs, roleOf } from "../domain/principals.ts";
import type { Reader } from "../store/database.ts";
import { findAgentByCode } from "../store/tables/agents.ts";
import { findPolicyByName } from "../store/tables/approval-policies.ts";
import { findScheduleByName } from "../store/tables/schedules.ts";
import { findServiceByCode } from "../store/tables/services.ts";
import { findUserByName } from "../store/tables/users.ts";
import type { Ctx } from "./context.ts";

type FindByCode = (db: Reader, code: string) => Promise<{ id: string } | null>;

/** The fields of parameters, queries and bodies that have the id of a thing with a code. */
const codedFields: Readonly<Record<string, FindByCode>> = {
  agentId: findAgentByCode,
  serviceId: findServiceByCode,
  serviceIds: findServiceByCode,
  policyId: findPolicyByName,
  scheduleId: findScheduleByName,
  userId: findUserByName,
  makerId: findUserByName,
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

async function withIdsIn(ctx: Ctx, fields: unknown): Promise<unknown> {
  if (typeof fields !== "object" || fields === null) return fields;
  const ids: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    const find = Object.hasOwn(codedFields, name) ? codedFields[name] : undefined;
    if (find === undefined || value === undefined) continue;
    // Only owners may learn which users exist.
    if (find === findUserByName && !mayActAs(roleOf(ctx.principal), "owner")) continue;
    const read = (text: unknown) => idOf(ctx, find, text);
    ids[name] = Array.isArray(value) ? await Promise.all(value.map(read)) : await read(value);
  }
  return Object.keys(ids).length === 0 ? fields : { ...fields, ...ids };
}

/** A text with the form of an id is never a code, so no code can hide the thing with that id. */
async function idOf(ctx: Ctx, find: FindByCode, text: unknown): Promise<unknown> {
  if (typeof text !== "string" || looksLikeId(text)) return text;
  return (await find(ctx.core.db.read, text))?.id ?? text;
}
