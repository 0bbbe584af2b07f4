import { expiries } from "./words.ts";

export const registrationTokens = {
  toAgent: "Go to the agent",
  create: "Create a registration token",

  form: {
    title: "Create a registration token",
    nameHint: "A note for people: which agent the token is for, or who gets it.",
    agent: "Only for the agent",
    agentHint: "A code such as edge-7, or a prefix such as edge-*. Leave it empty for any agent.",
    replace: "Allow the token to replace an online agent",
    replaceHint:
      "Otherwise no other agent can take the code of an agent that is online. The replaced agent's token is revoked.",
    expiresHint:
      "After that, no agent can register with this token. Agents that are already registered are not affected.",
    choices: {
      "3600": expiries.hour,
      "86400": expiries.day,
      "604800": expiries.week,
      "0": expiries.never,
      at: "At an exact time",
    },
    at: "Time",
    atHint: (zone: string) => `Your local time (${zone}).`,
  },

  once: {
    title: "The registration token",
    label: "Registration token",
    warning: "Copy it now: it is shown only once. You cannot see it again after you close this.",
    registered: (agent: string) => `The agent ${agent} has registered with this token.`,
    expires: "The token expires",
    sidecar: "With the sidecar",
    sidecarLead:
      "Run this on the agent's host, where platform is installed. The file that the first command writes works without changes. Read the file before you run the second command.",
    copySidecar: "Copy both commands",
    curl: "With your own agent",
    curlLead: (code: string) =>
      `This call registers the agent. Replace ${code} with the agent's code, and keep the agentToken from the response: it is not shown again.`,
    copyCurl: "Copy the call",
    loopback:
      "This address works only on your own computer. On another host, use the address at which that host reaches this server.",
    exampleCode: "my-agent",
  },
};
