// Requests for approval, as pages show them.

import type { Reply } from "../client/call.ts";
import { useCall, usePage } from "../client/queries.ts";
import { useMe } from "../client/session.ts";
import { personName } from "../format/person.ts";
import { texts } from "../texts/index.ts";

export type Approval = Reply<"approvals.get">;
export type ApprovalSummary = Reply<"approvals.list">[number];
type Approvers = Approval["requirements"][number]["approvers"];

const words = texts.approvals;

export function useApproval(id: string | null) {
  return useCall(
    "approvals.get",
    { params: { approvalId: id ?? "" }, query: {} },
    { enabled: id !== null },
  );
}

/** The newest requests that wait for approval, newest first. */
export function useWaiting() {
  return usePage("approvals.list", { query: { state: "AWAITING_APPROVAL", pageSize: 50 } });
}

/** How many requests of other users wait for approval; null if that is not known yet. */
export function useWaitingOfOthers(): number | null {
  const { user } = useMe();
  const isOwn = useIsOwn();
  const { data } = useWaiting();
  const isPart = data !== undefined && data.pagination.total > data.data.length;
  const own = usePage(
    "approvals.list",
    { query: { state: "AWAITING_APPROVAL", requesterId: user.id, pageSize: 1 } },
    { enabled: isPart },
  );
  if (data === undefined || (isPart && own.data === undefined)) return null;
  const many = isPart ? own.data?.pagination.total : data.data.filter(isOwn).length;
  return data.pagination.total - (many ?? 0);
}

export function useIsOwn(): (approval: Pick<ApprovalSummary, "requester">) => boolean {
  const { user } = useMe();
  return ({ requester }) => requester.userId === user.id;
}

/** Returns the name of the API key, if the request was made with one. */
export function requesterName({ kind, name, displayName }: Approval["requester"]): string {
  return kind === "user" ? personName({ username: name, displayName }) : name;
}

/** Returns `any owner`, or the names of users. */
export function approversText(approvers: Approvers): string {
  if ("role" in approvers) return words.requirements.from[approvers.role];
  return approvers.users.join(texts.words.comma) || words.requirements.nobody;
}

/**
 * Returns the names of the policies that require approval for an action of a service: one name, or
 * none if no approval is required or the server has not answered yet.
 */
export function useNeeded(serviceId: string | undefined, action: string): readonly string[] {
  const { data } = useCall(
    "approval-policies.test",
    { query: { serviceId: serviceId ?? "", action } },
    { enabled: serviceId !== undefined && action !== "" },
  );
  return data?.policy ? [data.policy.name] : [];
}
