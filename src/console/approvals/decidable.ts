// Which of the waiting requests the user can decide about. Only the details of a request say that.

import { useQueries } from "@tanstack/react-query";
import { call } from "../client/call.ts";
import { useMay } from "../client/session.ts";
import { type ApprovalSummary, useIsOwn } from "./approval.ts";

/** The details of more requests are not read. */
const most = 25;

export function useDecidable(
  requests: readonly ApprovalSummary[],
): (request: Pick<ApprovalSummary, "id">) => boolean {
  const may = useMay("operator");
  const isOwn = useIsOwn();
  const asked = may ? requests.filter((each) => !isOwn(each)).slice(0, most) : [];
  const details = useQueries({
    queries: asked.map(({ id }) => {
      const input = { params: { approvalId: id }, query: {} };
      return {
        // The same key as in `useApproval`.
        queryKey: ["approvals.get", input],
        queryFn: ({ signal }: { signal: AbortSignal }) => call("approvals.get", input, signal),
      };
    }),
  });
  const ids = new Set(details.flatMap(({ data }) => (data?.mayDecide ? [data.id] : [])));
  return ({ id }) => ids.has(id);
}
