// Waits until a request for approval has ended. A restart of the server does not end the wait.

import type { Reply } from "../../../api/index.ts";
import type { Client } from "../../../client/client.ts";
import { outlastOutages } from "../../connecting/outages.ts";
import { longestWait, timeoutForWait } from "../../connecting/waits.ts";
import { printableLine } from "../../output/printable.ts";
import { Interrupted } from "../../terminal/interrupted.ts";
import type { Io } from "../../terminal/io.ts";
import { leftRunning } from "../../terminal/left-running.ts";
import type { NoteOptions } from "../../terminal/notes.ts";
import { startProgress } from "../../terminal/progress.ts";

export type Approval = Omit<Reply<"approvals.list">[number], "mayDecide">;
export type ApprovalDetail = Reply<"approvals.get">;

export interface ApprovalWait {
  io: Io;
  api: Client;
  signal: AbortSignal;
  options: NoteOptions;
}

/** On a terminal, new approvals appear within this time. */
const shownAfterSeconds = 2;

/**
 * Returns the request when it has ended, or at the deadline, which is a time of
 * `performance.now()`.
 */
export async function awaitApproval(
  wait: ApprovalWait,
  approvalId: string,
  deadline: number,
): Promise<ApprovalDetail> {
  const { io, api } = wait;
  using progress = startProgress(io, "waiting for approval");
  const read = outlastOutages({ ...wait, deadline, progress });
  let seen: ApprovalDetail | null = null;
  try {
    while (true) {
      let isOver = false;
      seen = await read(() => {
        const left = Math.max(0, Math.ceil((deadline - performance.now()) / 1000));
        isOver = left === 0;
        const slice = io.interactive ? shownAfterSeconds : longestWait;
        const wait = seen === null ? 0 : Math.min(slice, left);
        const input = { params: { approvalId }, query: { wait } };
        return api.call("approvals.get", input, timeoutForWait(wait));
      });
      if (seen.state !== "AWAITING_APPROVAL" || isOver) return seen;
      progress.say(stateLine(seen));
    }
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    const next = {
      "wait for it": `approvals wait ${approvalId}`,
      "withdraw it": `approvals withdraw ${approvalId}`,
    };
    throw leftRunning("withdraw the request for approval", next, { approvalId });
  }
}

/** For example `AWAITING_APPROVAL: restart on web-1 (production: 1 of 2)`. */
function stateLine({ state, title, requirements }: ApprovalDetail): string {
  const counts = requirements.map(
    ({ policyName, approvals, approvedBy }) =>
      `${policyName}: ${approvedBy.length} of ${approvals}`,
  );
  return `${state}: ${printableLine(title)} (${printableLine(counts.join(", "))})`;
}
