import type { Amount } from "../amounts.ts";
import { plural } from "./amounts.ts";

export const commands = {
  types: { ACTION_PREPARE: "Prepare", ACTION_EXECUTE: "Run" },
  duration: "Duration",
  by: "Created by",
  bus: (route: string) => `Route ${route}`,
  schedule: (name: string | null) => (name === null ? "Schedule" : `Schedule ${name}`),
  rollout: (by: string | null) => (by === null ? "Rollout" : `Rollout of ${by}`),
  unknownSource: "Unknown",
  error: "Error",
  deliveries: "Deliveries",
  detail: {
    result: "Result",
    lateResult: "Late result",
    lateWhy:
      "This result arrived after the command had ended in another way. It does not change the command's status.",
    withheld: "Secrets are not shown. The server deletes them when the command ends.",
    trail: "History",
    facts: "Details",
    succeeded: "The command succeeded without output.",
    noResult: "The command ended without a result.",
    errorDetails: "Details from the agent",
    truncated: "The output was too large, so the agent truncated it.",
    started: "Started",
    completed: "Ended",
    prepare: "Prepared by",
    retryOf: "Retry of",
    expectedState: "Required state",
    cancelOutcome: {
      UNCONFIRMED:
        "The command was cancelled while it ran. The agent has not yet reported whether the command stopped, so it may still finish.",
      STOPPED: "The command was cancelled while it ran, and the agent stopped it.",
      FINISHED:
        "The command was cancelled while it ran, but had already ended by itself: see the late result.",
      NOT_STOPPED:
        "The command was cancelled while it ran, but did not stop when the agent told it to. It may still be running.",
      UNKNOWN:
        "The command was cancelled while it ran, and the agent lost track of it. It is unknown how far it got.",
    },
    openAction: "Open action",
  },
  live: {
    pending: (agent: string) => `Waiting for ${agent} to fetch the command …`,
    running: (agent: string) => `${agent} is running the command …`,
    deliveries: (many: Amount) =>
      plural(many, {
        one: "Delivered once.",
        other: "Delivered # times, because the agent lost the command.",
      }),
  },
  stateChanges: {
    title: "Changes to the state since it was shown",
    field: "Field",
    shown: "Shown",
    now: "Now",
    whole: "(whole)",
    hidden: "Only values that are not shown are different.",
    again: "Start over with the new state",
  },
  output: {
    title: "Output",
    none: "The program has not written anything yet.",
    error: "stderr",
    follow: "Follow new output",
    hidden: (lines: Amount) =>
      plural(lines, {
        one: "# earlier line is not shown here. To see it:",
        other: "# earlier lines are not shown here. To see them:",
      }),
    openEnd: "The end may be missing: the agent did not send it.",
    LOST: (size: string) => `${size} of output is missing: it could not be sent in time.`,
    OMITTED: (size: string) => `${size} of output is missing: there was too much to keep.`,
  },
  secret: {
    label: "One-time secret",
    warning:
      "This secret is shown only once and is not stored. It is gone when you leave or reload this page.",
    gone: "The result contains a secret that is shown only once. It was already shown, or was not read in time.",
    forbidden: "The result contains a one-time secret. Only operators and owners can see it.",
  },
  retry: {
    title: (action: string) => `Run ${action} again?`,
    what: (action: string, service: string, agent: string) =>
      `The agent ${agent} will run “${action}” on the service ${service} in a new command, with the same payload.`,
    maybeDone:
      "The command was cancelled or timed out while it ran. The work may already be done. Running the command again would then do it twice.",
    verb: "Run again",
    manyWhat:
      "Each command runs again as a new command, with the same payload. If one was cancelled or timed out while it ran, its work may already be done.",
  },
  steps: {
    created: "Created",
    delivered: "Delivered to the agent",
    redelivered: "Delivered again: the agent had lost the command",
    completed: "Succeeded",
    failed: "Failed",
    cancelled: "Cancelled",
    expired: "Expired",
    late: "A late result arrived",
    retried: "Run again",
    applied: "Applied from a plan",
    ended: "Ended",
  },
  retriedAs: "Run again as {command}",
};
