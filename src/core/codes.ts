// Operators can give a code, or a name that only one thing has, wherever a call takes an id.
// (docs/decisions/0002-contract.md)

import { looksLikeId } from "../domain/agents.ts";
import { mayActAs, roleOf } from "../domain/principals.ts";
import { type CodedThing, findIdByCode } from "../store/codes.ts";
import type { Ctx } from "./context.ts";

/** The fields of parameters, queries and bodies that have the id of a thing with a code. */
const codedFields: Readonly<Record<string, CodedThing>> = {
  agentId: "agent",
  serviceId: "service",
  serviceIds: "service",
  policyId: "approvalPolicy",
  scheduleId: "schedule",
  userId: "user",
  makerId: "user",
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
    const thing = Object.hasOwn(codedFields, name) ? codedFields[name] : undefined;
    if (thing === undefined || value === undefined) continue;
    // Only owners may learn which users exist.
    if (thing === "user" && !mayActAs(roleOf(ctx.principal), "owner")) continue;
    const find = (code: unknown) => idOf(ctx, thing, code);
    ids[name] = Array.isArray(value) ? await Promise.all(value.map(find)) : await find(value);
  }
  return Object.keys(ids).length === 0 ? fields : { ...fields, ...ids };
}

/** What has the form of an id is never taken as a code, so no code can stand for another's id. */
async function idOf(ctx: Ctx, thing: CodedThing, text: unknown): Promise<unknown> {
  if (typeof text !== "string" || looksLikeId(text)) return text;
  return (await findIdByCode(ctx.core.db.read, thing, text)) ?? text;
}
