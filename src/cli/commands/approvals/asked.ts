// For commands that may need approval: prints the request, and can wait until it is approved.

import type { Client } from "../../../client/client.ts";
import { printRow } from "../../nouns/view.ts";
import { isForPeople, isRaw, type OutputOptions } from "../../output/output.ts";
import { printableLine } from "../../output/printable.ts";
import type { Io } from "../../terminal/io.ts";
import { type NoteOptions, noteFacts, noteLine } from "../../terminal/notes.ts";
import {
  type Approval,
  type ApprovalDetail,
  type ApprovalWait,
  awaitApproval,
} from "./wait-for-approval.ts";

/** The server ends expired requests every second. */
const graceMs = 60_000;

type Asked = Pick<Approval, "id" | "title" | "state" | "createdAt" | "expiresAt">;

/**
 * Waits for approval until `--timeout`, or, without that flag, until the request expires. If the
 * request was not approved, prints why and returns null.
 */
export async function untilApproved(
  wait: ApprovalWait & { options: OutputOptions },
  asked: Asked,
  timeoutSeconds: number | undefined,
): Promise<ApprovalDetail | null> {
  const { io, options } = wait;
  const { id, createdAt, expiresAt } = asked;
  noteWaiting(io, options, asked);
  const waitMs =
    timeoutSeconds === undefined
      ? // The clock of this computer may differ from the server's.
        Date.parse(expiresAt) - Date.parse(createdAt) + graceMs
      : timeoutSeconds * 1000;
  const deadline = performance.now() + waitMs;
  const ended = await awaitApproval(wait, id, deadline);
  if (isApproved(ended)) return ended;
  printRow(io, options, "approvals", ended);
  noteEnd(io, options, ended);
  return null;
}

export function noteWaiting(
  io: Io,
  options: NoteOptions,
  { id, title }: Pick<Approval, "id" | "title">,
): void {
  const text = `${printableLine(title)} is waiting for approval: ${id}`;
  noteFacts(io, options, text, { approval: { id, title } });
}

/** Prints a request that nobody waits for, and how to follow it, or why it was not approved. */
export function printRequest(io: Io, options: OutputOptions, approval: ApprovalDetail): void {
  printRow(io, options, "approvals", approval);
  if (approval.state !== "AWAITING_APPROVAL") noteEnd(io, options, approval);
  else if (isForPeople(options)) io.note(`\n${whatNext(approval)}`);
  else if (isRaw(options)) io.note(whatNext(approval));
}

/** Prints how to follow the request that was created with a rollout or a schedule. */
export async function noteAsked(
  api: Client,
  io: Io,
  options: OutputOptions,
  approvalId: string,
): Promise<void> {
  if (!isForPeople(options)) return;
  const approval = await api.call("approvals.get", { params: { approvalId } });
  io.note(`\n${whatNext(approval)}`);
}

function whatNext({ id, policies }: Pick<Approval, "id" | "policies">): string {
  const names = policies.map(({ policyName }) => printableLine(policyName)).join(", ");
  return (
    `Nothing runs before somebody else approves it${names === "" ? "" : ` (${names})`}.\n` +
    `  see it:      platformctl approvals get ${id}\n` +
    `  wait for it: platformctl approvals wait ${id}\n`
  );
}

export function isApproved({ state }: Pick<Approval, "state">): boolean {
  return state === "APPROVED" || state === "BYPASSED";
}

/** Says why a request was not approved. */
export function noteEnd(io: Io, options: OutputOptions, approval: ApprovalDetail): void {
  const { id, state, stateReason, decisions } = approval;
  if (state === "AWAITING_APPROVAL") {
    const text = `It is still waiting for approval. To keep waiting: platformctl approvals wait ${id}`;
    noteLine(io, options, "APPROVAL_REQUIRED", text);
    return;
  }
  const rejector = decisions.find(({ decision }) => decision === "REJECT")?.username;
  const by = state === "REJECTED" && rejector ? ` by ${printableLine(rejector)}` : "";
  const why = stateReason === null ? "" : `: ${printableLine(stateReason).replace(/\.$/, "")}`;
  noteLine(io, options, "NOT_APPROVED", `${state}${by}${why}. Nothing was run.`);
}
