// `policies create`, `update` and `edit`.

import type { Body, Reply } from "../../../api/index.ts";
import type { Client } from "../../../client/client.ts";
import { approverRoles } from "../../../domain/approvals/policies.ts";
import type { JsonObject } from "../../../domain/payload/json.ts";
import type { Invocation } from "../../command.ts";
import { usageError } from "../../exit.ts";
import { getNamed } from "../../names/resolve.ts";
import { noteWarnings, printRow } from "../../nouns/view.ts";
import type { OutputOptions } from "../../output/output.ts";
import { editRule } from "../../rules/edit-rule.ts";
import { givenRule, withLines } from "../../rules/rule-file.ts";
import { writtenOf } from "../../rules/rule-kind.ts";
import type { Io } from "../../terminal/io.ts";
import { policyKind } from "./policy-kind.ts";

type Policy = Reply<"approval-policies.get">;
type Rule = Body<"approval-policies.create">;

interface Flags {
  name?: string;
  file?: string;
  danger?: string;
  action?: string;
  selector?: string;
  approvals?: number;
  approvers?: string[];
  expires?: number;
  order?: number;
  description?: string;
}

export async function createPolicy(invocation: Invocation): Promise<void> {
  const { io, args, options, signal, client } = invocation;
  const flags = { name: args[0], ...options } as Flags;
  const file = await givenRule(policyKind, io, flags.file, signal);
  const rule = withFlags(file?.rule ?? {}, flags);
  if (rule.name === undefined) throw usageError("give the name of the policy, or -f FILE.");
  if (rule.approvers === undefined) {
    throw usageError("give --approvers: operator, owner, or the names of users.");
  }
  const api = await client();
  const create = () => api.call("approval-policies.create", { body: rule as unknown as Rule });
  printPolicy(io, options, await withLines(flags.file, file, create));
}

/** A file replaces the policy, and flags change only what they name. */
export async function updatePolicy(invocation: Invocation): Promise<void> {
  const { io, args, options, signal, client } = invocation;
  const flags = options as Flags;
  const file = await givenRule(policyKind, io, flags.file, signal);
  if (!file && Object.keys(withFlags({}, flags)).length === 0) {
    throw usageError("give a change, such as --approvals 2, or -f FILE.");
  }
  const api = await client();
  const policy = await getNamed(api, "approval-policies", args[0] ?? "");
  const rule = withFlags(file?.rule ?? writtenOf(policyKind, policy), flags);
  const version = file?.version ?? policy.version;
  const replace = () => replacePolicy(api, policy.id, rule, version);
  printPolicy(io, options, await withLines(flags.file, file, replace));
}

export async function editPolicy(invocation: Invocation): Promise<void> {
  const { io, options } = invocation;
  const saved = await editRule(invocation, policyKind, {
    replace: (api, { id, version }, rule) => replacePolicy(api, id, rule, version),
    printUnchanged: (policy: Policy) => printPolicy(io, options, policy),
  });
  if (saved) printPolicy(io, options, saved);
}

export function printPolicy(io: Io, options: OutputOptions, policy: Policy): void {
  printRow(io, options, "approval-policies", policy);
  noteWarnings(io, options, policy.warnings);
}

function replacePolicy(api: Client, policyId: string, rule: JsonObject, version: number) {
  const body = { ...(rule as unknown as Rule), version };
  return api.call("approval-policies.update", { params: { policyId }, body });
}

/** Null resets a field. */
function withFlags(rule: JsonObject, flags: Flags): JsonObject {
  const { name, description, danger, action, selector, approvals, approvers } = flags;
  const { expires, order } = flags;
  const given = {
    name,
    order,
    approvals,
    description: orNull(description, ""),
    action: orNull(action, ""),
    selector: orNull(selector, ""),
    dangerLevel: orNull(danger, "any"),
    approvers: approvers && approversOf(approvers),
    expiresAfterSeconds: expires,
  };
  const known = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...rule, ...Object.fromEntries(known) } as JsonObject;
}

function orNull(value: string | undefined, none: string): string | null | undefined {
  return value === none ? null : value;
}

function approversOf(names: string[]): Rule["approvers"] {
  const [first] = names;
  const role = names.length === 1 ? approverRoles.find((known) => known === first) : undefined;
  return role ? { role } : { users: names };
}
