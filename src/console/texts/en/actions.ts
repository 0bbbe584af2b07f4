export const actions = {
  danger: (level: string) => `${level} danger`,
  on: (service: string, agent: string) =>
    `Runs on the service ${service}, through the agent ${agent}.`,
  state: "Current state",
  input: "Input",
  reason: "Reason",
  reasonHint: "Stored with the command and in the audit trail.",
  ifUnchanged: "Only if the state is unchanged",
  ifUnchangedHint:
    "The agent compares the state again immediately before it runs the action. If it has changed, nothing runs.",
  runThis: (label: string) => `Run ${label}`,
  prepareAgain: "Prepare again",
  preparing: {
    title: "Preparing",
    asking: "Asking the agent for the form and the current state …",
    waiting: "Waiting for the agent to fetch the command …",
    running: "The agent is preparing the form …",
  },
  failed: {
    title: "The action could not be prepared",
    agentSays: "Agent message",
    code: "Error code",
    command: "Command",
    without: "Continue without preparing",
    withoutWhy:
      "The form then comes from the service's catalogue, and the current state is unknown.",
    advice: {
      ACTION_PREPARE_TIMEOUT:
        "The agent did not respond in time. It may be busy, or the service may not respond. Check the agent, then prepare again.",
      ACTION_PREPARE_FAILED:
        "The agent could not prepare the action. The message comes from the service.",
      AGENT_OFFLINE:
        "The agent is offline and cannot prepare the form. You can continue without preparing, and queue the command. It runs when the agent is back, unless it expires first.",
      AGENT_DISABLED: "The agent is disabled. Enable it before you send it commands.",
      ACTION_NOT_FOUND: "The service no longer offers this action. Choose another one on its page.",
      SERVICE_NOT_FOUND: "The service no longer exists.",
      COMMAND_ALREADY_COMPLETED:
        "Someone cancelled the preparation. Prepare the action again to continue.",
    } as Readonly<Record<string, string | undefined>>,
  },
  unprepared: "The action was not prepared, so this form comes from the service's catalogue.",
  confirm: {
    title: (label: string) => `Run ${label}?`,
    what: (label: string, service: string, agent: string) =>
      `The agent ${agent} will run “${label}” on the service ${service}.`,
    unchanged: "It runs only if the state is still the one shown here.",
    high: "The danger level of this action is HIGH. You may not be able to undo it.",
    empty: "The payload is empty.",
    word: (service: string) => `Type the code ${service} to confirm`,
    verb: "Run action",
  },
  queue: {
    title: "The agent cannot be reached",
    what: (agent: string, expiresIn: string) =>
      `${agent} cannot be reached at the moment. You can queue the command. It runs when the agent is back, unless it expires first, after ${expiresIn}.`,
    disabled: (agent: string, expiresIn: string) =>
      `${agent} is disabled or has no token. You can queue the command. It runs when the agent is back, unless it expires first, after ${expiresIn}.`,
    verb: "Queue command",
  },
};
