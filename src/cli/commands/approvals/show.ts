// Shows a request for approval: what would run, what it needs, and the decisions.

import type { Reply } from "../../../api/index.ts";
import type { Client } from "../../../client/client.ts";
import { counted } from "../../../lib/counted.ts";
import type { Invocation } from "../../command.ts";
import { getNamed } from "../../names/resolve.ts";
import { printRow } from "../../nouns/view.ts";
import { allRows } from "../../output/listing.ts";
import { isForPeople, type OutputOptions } from "../../output/output.ts";
import { printableLine } from "../../output/printable.ts";
import { relativeTime } from "../../output/relative-time.ts";
import { wrapLines } from "../../output/text-width.ts";
import { tableSection } from "../../output/values.ts";
import type { Io } from "../../terminal/io.ts";
import { dueTimesText } from "../schedules/due-times.ts";
import { contentText } from "./content.ts";
import type { ApprovalDetail } from "./wait-for-approval.ts";

export async function getApproval({ io, args, options, client }: Invocation): Promise<void> {
  const api = await client();
  const approval = await getNamed(api, "approvals", args[0] ?? "");
  const more = isForPeople(options) ? await subjectText(api, approval) : "";
  printApproval(io, options, approval, more);
}

/** `subject` is the result of `subjectText`. */
export function printApproval(
  io: Io,
  options: OutputOptions,
  approval: ApprovalDetail,
  subject = "",
): void {
  printRow(io, options, "approvals", approval, () => [
    contentText(io, approval, options.output === "wide"),
    wrapLines(subject + requirementsText(approval), io.width),
    decisionsText(io, approval),
  ]);
}

/** Returns facts that the content lacks: a rollout's services, or a schedule's due times. */
export async function subjectText(
  api: Client,
  { kind, state, subjectId }: ApprovalDetail,
): Promise<string> {
  if (subjectId === null) return "";
  if (kind === "rollout") {
    const params = { rolloutId: subjectId };
    // If a running rollout needs approval again, the request covers only the remaining services.
    const only = state === "AWAITING_APPROVAL" ? { state: "WAITING" as const } : {};
    const targets = await allRows(
      (query) => api.page("rollouts.targets", { params, query: { ...query, ...only } }),
      ({ serviceId }) => serviceId,
    );
    return wavesText(targets);
  }
  // A request that has ended can be about an earlier form of the schedule.
  if (kind !== "schedule" || state !== "AWAITING_APPROVAL") return "";
  const { nextRuns, timezone } = await api.call("schedules.get", {
    params: { scheduleId: subjectId },
  });
  return dueTimesText(nextRuns, timezone);
}

/** Names every service, because the approval is about all of them. */
function wavesText(targets: Reply<"rollouts.targets">): string {
  const waves = Map.groupBy(targets, ({ wave }) => wave);
  const parts = [...waves].map(([wave, services]) => {
    const names = services.map(({ serviceCode }) => printableLine(serviceCode)).join(", ");
    return `\nwave ${wave}: ${counted(services.length, "service")}\n  ${names}\n`;
  });
  return parts.join("");
}

function requirementsText({ requirements }: ApprovalDetail): string {
  const lines = requirements.map(({ policyName, approvals, approvers, approvedBy }) => {
    const whose = "role" in approvers ? `any ${approvers.role}` : approvers.users.join(", ");
    const by = approvedBy.length === 0 ? "" : `: ${approvedBy.join(", ")}`;
    return `  ${printableLine(`${policyName}: ${approvedBy.length} of ${approvals} (${whose})${by}`)}\n`;
  });
  return `\napprovals\n${lines.join("")}`;
}

function decisionsText(io: Io, { decisions }: ApprovalDetail): string {
  const rows = decisions.map(({ username, decision, decidedAt, comment }) => [
    printableLine(username),
    decision,
    relativeTime(decidedAt, io.now()),
    printableLine(comment ?? "-"),
  ]);
  const heads = ["user", "decision", "when", "comment"];
  return tableSection(io, "decisions", heads, rows);
}
