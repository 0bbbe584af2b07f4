import { expiries } from "./words.ts";

export const registrationTokens = {
  toAgent: "Go to agent",
  create: "Create registration token",

  form: {
    nameHint: "For example, which agent the token is for or who receives it.",
    agent: "Agent code",
    agentHint: "A code such as edge-7, or a prefix such as edge-*. Leave this empty for any agent.",
    labelsHint: "Assigned to the agent that registers. One in each line, such as env=prod.",
    replace: "Allow the token to replace an online agent",
    replaceHint:
      "By default, no agent can register with the code of an agent that is online. The replaced agent's token is revoked.",
    expiresHint:
      "After that, no agent can register with this token. Agents that are already registered are not affected.",
    choices: {
      "3600": expiries.hour,
      "86400": expiries.day,
      "604800": expiries.week,
      "0": expiries.never,
      at: "At a specific time",
    },
    at: "Time",
    atHint: (zone: string) => `Your local time (${zone}).`,
  },

  once: {
    title: "Registration token created",
    label: "Registration token",
    warning: "Copy the token now: it is shown only once.",
    registered: (agent: string) => `The agent ${agent} has registered with this token.`,
    expires: "The token expires {time}.",
    sidecar: "With the sidecar",
    sidecarLead:
      "Run these commands on the agent's host, where platform is installed. The first command writes a configuration file that works without changes. Read the file before you run the second command.",
    copySidecar: "Copy commands",
    curl: "With your own agent",
    curlLead: (code: string) =>
      `This call registers the agent. Replace ${code} with the agent's code, and keep the agentToken from the response: it is not shown again.`,
    copyCurl: "Copy command",
    loopback:
      "This address works only on your own computer. On another host, use the address at which that host reaches this server.",
    exampleCode: "my-agent",
  },
};
