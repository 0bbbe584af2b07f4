import type { Amount } from "../amounts.ts";
import { count, plural } from "./amounts.ts";

const named = (policies: readonly string[]) =>
  policies.length === 1
    ? `The policy ${policies[0]} requires`
    : `The policies ${policies.slice(0, -1).join(", ")} and ${policies.at(-1)} require`;

export const approvals = {
  pending: (many: Amount) =>
    plural(many, {
      one: "# request of others waiting for approval",
      other: "# requests of others waiting for approval",
    }),
  tabs: { label: "Approvals", inbox: "Inbox", all: "All requests" },

  inbox: {
    yours: "For you to decide",
    others: "Waiting for others",
    none: "Nothing waits for your decision.",
    noneAtAll: "No request waits for approval.",
    request: "Request",
    policies: "Policies",
    by: "Requested by",
    you: "you",
    more: (many: Amount) =>
      plural(many, {
        one: "The request that waits for approval",
        other: "All # requests that wait for approval",
        bound: "All requests that wait for approval (#)",
      }),
  },

  /** Shown before something is sent. */
  needed: {
    text: (policies: readonly string[]) =>
      `${named(policies)} approval. It runs when somebody else has approved it.`,
    verb: "Request approval",
  },

  glass: {
    label: "Break glass: run it without approval",
    loud: "This is loud. The audit trail and the server's log record it with your name and the reason, and the overview shows it to everybody for 7 days.",
    reason: "Why can it not wait?",
    verb: "Run without approval",
  },

  waiting: {
    title: "Waiting for approval",
    nothingYet: "Nothing runs before the request is approved.",
    own: "You have asked for this, so somebody else must approve it.",
    open: "Open the request",
    expires: "Expires {time}",
  },

  /** What has become of a request. */
  ended: {
    APPROVED: "The request was approved.",
    REJECTED: "The request was rejected. Nothing runs.",
    WITHDRAWN: "The request was withdrawn. Nothing runs.",
    EXPIRED: "The request expired before it was approved. Nothing runs. To run it, ask again.",
    OUTDATED:
      "What would run has changed since the request, so nothing runs. To run it as it is now, ask again.",
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
    ownPayloads: "Payloads of single services",
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
    runs: "With your approval, it runs at once, in the name of the requester.",
    counts: "Your approval counts. More approvals are needed before it runs.",
    schedule: "With your approval, the schedule runs at its times.",
    comment: "Comment",
    commentHint: "Stored with your decision and in the audit trail.",
    digest: "You approve exactly what has this digest:",
    done: "You have approved the request.",
    changed:
      "This request is not the one that you have read. The page now shows what would run: read it, then decide again.",
  },
  reject: {
    verb: "Reject",
    title: (title: string) => `Reject ${title}?`,
    what: "The request ends, and nothing runs.",
    reason: "Reason",
    reasonHint: "The requester sees it.",
    done: "You have rejected the request.",
  },
  errors: {
    OWN_REQUEST: "You have asked for this yourself, so somebody else must decide.",
    NOT_AN_APPROVER: "The policies of this request do not let you decide about it.",
    APPROVAL_WRONG_STATE: "The request has already ended. The page now shows its state.",
    AGENT_OFFLINE:
      "The agent is offline, so the action cannot run now. Your approval was not recorded: approve it when the agent is back.",
    AGENT_DISABLED: "The agent is disabled. Your approval was not recorded.",
  } as Readonly<Record<string, string | undefined>>,
};
