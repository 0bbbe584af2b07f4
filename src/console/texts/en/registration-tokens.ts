// The page of registration tokens.

import { expiries } from "./shared/expiries.ts";

export const registrationTokens = {
  toAgent: "Go to the agent",
  create: "Create a registration token",

  form: {
    title: "Create a registration token",
    nameHint: "For people: for which agent it is, or for whom.",
    agent: "Only for the agent",
    agentHint: "A code, such as edge-7, or the beginning of one and a *: edge-*. Empty: any agent.",
    replace: "Let it replace an agent that is online",
    replaceHint:
      "Otherwise a code belongs to the agent that has it while that agent is online. The token of the one that is replaced ends.",
    expiresHint: "After that it lets nobody in. An agent that has registered is not affected.",
    choices: {
      "3600": expiries.hour,
      "86400": expiries.day,
      "604800": expiries.week,
      "0": expiries.never,
      at: "At an exact moment",
    },
    at: "Moment",
    atHint: (zone: string) => `Your own time (${zone}).`,
  },

  once: {
    title: "The registration token",
    label: "Registration token",
    warning: "It is shown this once. When you close this, it will not be shown again: copy it now.",
    registered: (agent: string) => `The agent ${agent} has registered with it.`,
    expires: "It expires",
    sidecar: "With the sidecar",
    sidecarLead:
      "On the host of the agent, where platform is installed. The file that the first command writes works as it is; look into it before you run the second one.",
    copySidecar: "Copy both commands",
    curl: "With an agent of your own",
    curlLead: (code: string) =>
      `This call registers the agent. Put its own code in the place of ${code}, and keep the agentToken of the answer: nobody is shown it again.`,
    copyCurl: "Copy the call",
    loopback:
      "This address is that of your own computer only. On another host, put the address there at which it reaches this server.",
    exampleCode: "my-agent",
  },
};
