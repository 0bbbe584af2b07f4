import type { Amount } from "../amounts.ts";
import { count, plural } from "./amounts.ts";

const named = (policies: readonly string[]) =>
  policies.length === 1
    ? `The policy ${policies[0]} requires`
    : `The policies ${policies.slice(0, -1).join(", ")} and ${policies.at(-1)} require`;

export const approvals = {
  pending: (many: Amount) =>
    plural(many, {
      one: "# request from others is waiting for approval",
      other: "# requests from others are waiting for approval",
    }),
  tabs: { label: "Approvals", inbox: "Inbox", all: "All requests" },

  inbox: {
    yours: "For you to decide",
    others: "Waiting for others",
    none: "Nothing is waiting for your decision.",
    noneAtAll: "No requests are waiting for approval.",
    request: "Request",
    policies: "Policies",
    by: "Requested by",
    you: "you",
    more: (many: Amount) =>
      plural(many, {
        one: "The request waiting for approval",
        other: "All # requests waiting for approval",
        bound: "All requests waiting for approval (#)",
      }),
  },

  /** Shown before something is sent. */
  needed: {
    text: (policies: readonly string[]) =>
      `${named(policies)} approval. Nothing runs until someone else has approved your request.`,
    verb: "Request approval",
  },

  glass: {
    label: "Break glass: run without approval",
    loud: "The audit trail and the server's log record this with your name and the reason, and the overview shows it to everyone for 7 days.",
    reason: "Why this cannot wait",
    verb: "Run without approval",
  },

  waiting: {
    title: "Waiting for approval",
    nothingYet: "Nothing runs until the request is approved.",
    own: "You requested this, so someone else must approve it.",
    open: "Open the request",
    expires: "Expires {time}",
  },

  /** What has become of a request. */
  ended: {
    APPROVED: "The request was approved.",
    REJECTED: "The request was rejected. Nothing runs.",
    WITHDRAWN: "The request was withdrawn. Nothing runs.",
    EXPIRED:
      "The request expired before it was approved. Nothing runs. To run it, request approval again.",
    OUTDATED:
      "What would run has changed since the request was made, so nothing runs. To run it as it is now, request approval again.",
    FAILED: "The request was approved, but it could not run.",
    BYPASSED: "An owner ran it without approval.",
  },
  runsRollout: "Rollout",
  runsSchedule: "Schedule",
  because: (reason: string) => `Reason: ${reason}`,

  detail: {
    what: "What will run",
    whatRan: "What was requested",
    command: "Command",
    asked: "Requested",
    by: "Requested by",
    withKey: "{user} with the API key {name}",
    expires: "Expires",
    ended: "Ended",
    digest: "Digest",
    digestHint: "Identifies exactly what runs. An approval is only valid for this digest.",
    withheld: "Secrets are not shown. They are part of the digest.",
    ifUnchanged: "Only if the state is unchanged",
    retryOf: "Retry of",
    timeout: "Timeout",
    ownPayloads: "Payloads of individual services",
    targets: "Targets by wave",
    wave: "Wave",
    services: "Services",
    codes: "Codes",
    gone: "The rollout no longer exists. This is what was requested:",
    dues: "Next runs",
  },

  requirements: {
    title: "Required approvals",
    /** `1 of 2 approvals`. */
    progress: (done: Amount, needed: Amount) =>
      `${count(done)} of ${plural(needed, { one: "# approval", other: "# approvals" })}`,
    from: { operator: "any operator or owner", owner: "any owner" },
    nobody: "nobody, because these users were deleted",
    who: (who: string) => `from ${who}`,
    by: (names: string) => `approved by ${names}`,
  },

  decisions: {
    title: "Decisions",
    none: "Nobody has decided yet.",
    who: "User",
    what: "Decision",
    when: "When",
    comment: "Comment",
    words: { APPROVE: "APPROVED", REJECT: "REJECTED" } as const,
  },

  approve: {
    verb: "Approve",
    title: (title: string) => `Approve ${title}?`,
    runs: "With your approval, it runs immediately, on behalf of the requester.",
    counts: "Your approval is recorded, but more approvals are needed before it runs.",
    schedule: "With your approval, the schedule runs when it is due.",
    comment: "Comment",
    commentHint: "Stored with your decision and in the audit trail.",
    digest: "You approve exactly what this digest identifies:",
    done: "You have approved the request.",
    changed:
      "The request has changed since you read it. The page now shows what would run. Read it, then decide again.",
  },
  reject: {
    verb: "Reject",
    title: (title: string) => `Reject ${title}?`,
    what: "The request ends, and nothing runs.",
    reason: "Reason",
    reasonHint: "Shown to the requester.",
    done: "You have rejected the request.",
  },
  errors: {
    OWN_REQUEST: "You requested this yourself, so someone else must decide.",
    NOT_AN_APPROVER:
      "The policies of this request do not let you decide. Ask one of its approvers.",
    APPROVAL_WRONG_STATE: "The request has already ended. The page now shows its state.",
    AGENT_OFFLINE:
      "The agent is offline, so the action cannot run now. Your approval was not recorded. Approve the request again when the agent is back.",
    AGENT_DISABLED:
      "The agent is disabled. Your approval was not recorded. Enable the agent, then approve the request again.",
  } as Readonly<Record<string, string | undefined>>,
};
