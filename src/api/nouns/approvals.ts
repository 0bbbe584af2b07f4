import type { approvals as routes } from "../approvals.ts";
import type { NounTexts } from "../contract/noun.ts";

export const approvals = {
  one: "approval",
  summary: "Requests for approval of actions, rollouts and schedules",
  lead: "Requests to run actions, rollouts and schedules that policies allow only after approval. Nobody can approve their own request.",
  name: "title",
  live: "AWAITING_APPROVAL",
  about: "state",
  columns: [
    { name: "id", of: "id", kind: "key", wide: "page" },
    { name: "state", of: "state", kind: "state" },
    { name: "title", of: "title", kind: "prose" },
    { name: "requested by", of: "requester.name", minor: true },
    { name: "created", of: "createdAt", kind: "time", minor: true },
    {
      name: "expires",
      of: "expiresAt",
      kind: "time",
      while: { state: ["AWAITING_APPROVAL", "EXPIRED"] },
    },
    { name: "reason", of: "reason", wide: true },
    { name: "kind", of: "kind", wide: true },
    { name: "action", of: "action", wide: true },
    { name: "service", of: "serviceCode", wide: true, link: { to: "services", id: "serviceId" } },
    { name: "why", of: "stateReason", wide: true, label: "Reason for the state" },
    { name: "command", of: "commandId", kind: "key", wide: true, link: { to: "commands" } },
    { name: "ended", of: "endedAt", kind: "time", wide: true },
  ],
  details: [{ name: "digest", of: "digest", kind: "key" }],
  empty: "No requests for approval.",
  emptyPage: "Nothing has needed approval yet.",
  filters: {
    action: { hint: "Its name" },
    requesterId: { label: "Requested by" },
  },
  acts: {
    withdraw: {
      asks: "Withdraw the request {title}?",
      happens: ["The request ends, and nothing runs. To run it, request approval again."],
      done: "The request is withdrawn.",
      keep: "Keep request",
      when: { state: ["AWAITING_APPROVAL"] },
      danger: true,
    },
  },
  examples: {
    list: ["approvals list --state AWAITING_APPROVAL"],
  },
} as const satisfies NounTexts<typeof routes, "approvals">;
