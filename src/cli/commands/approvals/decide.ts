// `approvals approve` and `approvals reject`. An approval covers exactly what the approver read.

import type { Invocation } from "../../command.ts";
import { CliError, exit, usageError } from "../../exit.ts";
import { getNamed } from "../../names/resolve.ts";
import { isForPeople } from "../../output/output.ts";
import { printableLine } from "../../output/printable.ts";
import type { Io } from "../../terminal/io.ts";
import { askText, confirmOrRefuse, requireSomebody } from "../../terminal/prompts.ts";
import { isApproved, noteEnd } from "./asked.ts";
import { printApproval, subjectText } from "./show.ts";
import type { ApprovalDetail } from "./wait-for-approval.ts";

/** Returns 0, or 1 if the request ended unapproved, for example because its subject changed. */
export async function approve({ io, args, options, client }: Invocation): Promise<number> {
  const { digest: given, comment } = options as { digest?: string; comment?: string };
  if (options.yes && given === undefined) {
    throw usageError("give --digest with --yes: the digest that `approvals get` shows.");
  }
  const api = await client();
  const approval = await getNamed(api, "approvals", args[0] ?? "");
  if (options.yes !== true) {
    requireSomebody(io, "--yes and --digest");
    const shown: Io = { ...io, out: io.note };
    printApproval(shown, { output: "table" }, approval, await subjectText(api, approval));
    io.note("\n");
    requireMayDecide(approval);
    await confirmOrRefuse(io, `Approve ${approval.title}, exactly as shown?`, false);
  }
  const decided = await api.call("approvals.approve", {
    params: { approvalId: approval.id },
    body: { digest: given ?? approval.digest, ...(comment === undefined ? {} : { comment }) },
  });
  printApproval(io, options, decided);
  if (decided.state === "AWAITING_APPROVAL") {
    if (isForPeople(options)) io.note("\nYour approval is recorded. It needs more approvals.\n");
    return exit.done;
  }
  if (!isApproved(decided)) {
    noteEnd(io, options, decided);
    return exit.failed;
  }
  if (isForPeople(options)) io.note(`\n${howToFollow(decided)}\n`);
  return exit.done;
}

/** Throws, before the user is asked, if the server would refuse the user's decision. */
function requireMayDecide({ state, mayDecide }: ApprovalDetail): void {
  if (state !== "AWAITING_APPROVAL" || mayDecide) return;
  const message =
    "you cannot decide on this request: it is your own, or its policies name other approvers.";
  throw new CliError(exit.notAllowed, message, { code: "NOT_AN_APPROVER" });
}

function howToFollow({ kind, commandId, subjectId }: ApprovalDetail): string {
  if (kind === "action") return `It runs now: platformctl commands wait ${commandId}`;
  if (kind === "rollout") return `It runs now: platformctl rollouts watch ${subjectId}`;
  return `The schedule runs at its times: platformctl schedules get ${subjectId}`;
}

export async function reject({ io, args, options, client }: Invocation): Promise<void> {
  if (options.reason === undefined) requireSomebody(io, "--reason");
  const api = await client();
  const approval = await getNamed(api, "approvals", args[0] ?? "");
  const reason = (options.reason as string | undefined) ?? (await askWhy(approval));
  const params = { approvalId: approval.id };
  printApproval(io, options, await api.call("approvals.reject", { params, body: { reason } }));
}

function askWhy({ title }: ApprovalDetail): Promise<string> {
  return askText({
    message: `Why do you reject ${printableLine(title)}?`,
    problemOf: (text) => (text.trim() === "" ? "It is required." : null),
  });
}
