// Commands: what was, is or will be run.

export const commands = {
  types: { ACTION_PREPARE: "Prepare", ACTION_EXECUTE: "Execute" },
  duration: "Duration",
  by: "By",
  bus: (route: string) => `Route ${route}`,
  unknownSource: "unknown",
  error: "Error",
  deliveries: "Deliveries",
  detail: {
    title: (action: string, service: string) => `${action} on ${service}`,
    result: "Result",
    lateResult: "Late result",
    lateWhy:
      "This came after the command had ended another way. It is kept to be seen, and changes nothing.",
    noPayload: "Empty.",
    withheld: "Secrets are not shown. When the command has ended, they are deleted.",
    trail: "Trail",
    facts: "Details",
    succeeded: "It succeeded, and gave no output.",
    noResult: "It has ended without a result.",
    errorDetails: "What the agent adds",
    truncated: "The output was too large, and has been cut by the agent.",
    id: "Command",
    reason: "Reason",
    created: "Created",
    started: "Started",
    completed: "Ended",
    expires: "Must end",
    prepare: "Prepared by",
    retryOf: "Retry of",
    cancelOutcome: {
      UNCONFIRMED:
        "It was cancelled while it ran. The agent has not said yet whether it stopped: it may still finish.",
      STOPPED: "It was cancelled while it ran, and the agent stopped it.",
      FINISHED:
        "It was cancelled while it ran, and had already ended by itself: see the late result.",
      NOT_STOPPED:
        "It was cancelled while it ran, and did not end when the agent told it to: it may still run.",
      UNKNOWN:
        "It was cancelled while it ran, and lost with its agent: how far it came is not known.",
    },
    openAction: "Open the action",
  },
  live: {
    pending: (agent: string) => `Waiting for ${agent} to fetch it …`,
    running: (agent: string) => `${agent} has it, and works on it …`,
    elapsed: (elapsed: string, limit: string) => `${elapsed} of ${limit} at most`,
    progress: "Time that it has taken",
    deliveries: (count: number) => `Delivered ${count} times: the agent has lost it before.`,
  },
  secret: {
    label: "One-time secret",
    warning:
      "This secret is shown this once. It is not stored anywhere: when you leave this page or load it again it is gone.",
    gone: "The result has a secret that is shown once only. It has been shown, or nobody asked for it in time, and cannot be shown again.",
    forbidden: "The result has a one-time secret. Only operators and owners can be shown it.",
  },
  retry: {
    button: "Run it again",
    title: (action: string) => `Run ${action} again?`,
    what: (action: string, service: string, agent: string) =>
      `A new command runs “${action}” on the service ${service}, by the agent ${agent}, with the same payload.`,
    maybeDone:
      "It was cancelled or timed out while it ran: the work may have been done already, and would be done twice.",
    verb: "Run it again",
    secrets: "The secrets of the payload were deleted when the command ended. Give them again:",
  },
  steps: {
    created: "Created",
    delivered: "Delivered to the agent",
    redelivered: "Delivered again: the agent had lost it",
    completed: "Succeeded",
    failed: "Failed",
    cancelled: "Cancelled",
    expired: "Its time was over",
    late: "A result came late",
    retried: "Run again",
    ended: "Ended",
  },
  retriedAs: "as",
};
