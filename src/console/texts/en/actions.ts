// Running an action.

export const actions = {
  danger: (level: string) => `${level} danger`,
  on: (service: string, agent: string) => `On ${service}, by the agent ${agent}.`,
  state: "Current state",
  input: "Input",
  reason: "Reason",
  reasonHint: "Kept with the command and in the audit trail.",
  runThis: (label: string) => `Run ${label}`,
  prepareAgain: "Prepare again",
  preparing: {
    title: "Preparing",
    asking: "Asking the agent for the form and the current state …",
    waiting: "The command waits for the agent to fetch it.",
    running: "The agent has it, and makes the form.",
    elapsed: (elapsed: string, limit: string) => `${elapsed} of ${limit} at most`,
    progress: "Time that the agent has taken",
  },
  failed: {
    title: "It could not be prepared",
    agentSays: "The agent says",
    code: "Its code",
    command: "Command",
    without: "Go on without preparing",
    withoutWhy:
      "The form then comes from the catalogue of the service, and nothing is known of its current state.",
    advice: {
      ACTION_PREPARE_TIMEOUT:
        "The agent did not answer in time. It may be busy, or the service hangs. Look at the agent, then prepare again.",
      ACTION_PREPARE_FAILED:
        "The agent has tried and failed. What it says below comes from the service itself.",
      AGENT_OFFLINE:
        "The agent is not connected, so nobody can be asked. You can go on without preparing, and queue the command for when it is back.",
      AGENT_DISABLED: "The agent is disabled. It must be enabled before it gets commands.",
      ACTION_NOT_FOUND: "The service does not offer this action any more.",
      SERVICE_NOT_FOUND: "There is no such service any more.",
      COMMAND_ALREADY_COMPLETED: "Somebody has cancelled the preparation.",
    } as Readonly<Record<string, string | undefined>>,
    toAgent: "Look at the agent",
  },
  unprepared: "Not prepared: this form comes from the catalogue of the service.",
  confirm: {
    title: (label: string) => `Run ${label}?`,
    what: (label: string, service: string, agent: string) =>
      `“${label}” will run on the service ${service}, by the agent ${agent}.`,
    high: "It is marked as HIGH danger: it may not be possible to take it back.",
    payload: "With this payload",
    empty: "With an empty payload.",
    word: (service: string) => `Write the code ${service} to go on`,
    verb: "Run it",
  },
  queue: {
    title: "The agent cannot be reached",
    what: (agent: string) =>
      `${agent} cannot be reached now. The command can wait in the queue: it runs as soon as the agent is back, unless it expires before.`,
    disabled: (agent: string) =>
      `${agent} is disabled or has no token. The command can wait in the queue, and expires unless the agent comes back before.`,
    verb: "Queue it",
  },
};
