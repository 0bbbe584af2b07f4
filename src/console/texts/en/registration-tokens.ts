// The page of registration tokens.

import { expiries } from "./shared/expiries.ts";

export const registrationTokens = {
  title: "Registration tokens",
  lead: "Each invites one agent: it lets it register, once. The agent then has a token of its own.",
  empty: "No registration token has been created yet.",
  create: "Create a registration token",
  used: "Used",
  by: "by",
  unnamed: "unnamed",
  notYet: "not yet",
  letsIn: "For",
  anyAgent: "any agent",
  replacing: "replaces an agent that is online",

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

  revoke: {
    verb: "Revoke",
    of: (name: string) => `Revoke ${name}`,
    title: (name: string) => `Revoke the registration token ${name}?`,
    happens: "Nobody can register with it any more. This cannot be taken back.",
    usedHappens:
      "An agent has registered with it already, and keeps the token of its own that it got: to keep that agent out, revoke its token, on its page.",
    toAgent: "Go to the agent",
    done: (name: string) => `The registration token ${name} is revoked.`,
  },
  remove: {
    verb: "Delete",
    of: (name: string) => `Delete ${name}`,
    title: (name: string) => `Delete the registration token ${name}?`,
    happens:
      "It goes from this list. The audit trail keeps what was done with it, and an agent that it let in stays.",
    done: (name: string) => `The registration token ${name} is deleted.`,
  },
};
