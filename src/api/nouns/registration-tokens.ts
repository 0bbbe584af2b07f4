import type { NounTexts } from "../contract/noun.ts";
import type { registrationTokens as routes } from "../registration-tokens.ts";

export const registrationTokens = {
  group: "tokens",
  one: "registration token",
  summary: "Registration tokens: single-use invitations for agents",
  lead: "Each token lets one agent register, once. The agent then gets its own token.",
  name: "name",
  live: "ACTIVE",
  about: "status",
  columns: [
    { name: "id", of: "id", kind: "key", wide: "page" },
    { name: "status", of: "status", kind: "state" },
    { name: "name", of: "name" },
    { name: "for", of: { cell: "tokenScope" } },
    {
      name: "expires",
      of: "expiresAt",
      kind: "time",
      none: "never",
      while: { status: ["ACTIVE", "EXPIRED"] },
    },
    { name: "created", of: "createdAt", kind: "time" },
    { name: "by", of: "createdBy", label: "Created by" },
    { name: "used", of: "usedAt", kind: "time", wide: "terminal" },
    {
      name: "agent",
      of: { cell: "tokenAgent" },
      kind: "key",
      wide: "terminal",
      label: "Used by",
      link: { to: "agents", id: "usedByAgentId" },
    },
    { name: "revoked", of: "revokedAt", kind: "time", wide: true },
    { name: "labels", of: { cell: "labels" }, wide: true },
  ],
  facts: ["for", "created", "agent"],
  empty: "No registration tokens. Create one: platformctl tokens create",
  emptyPage: "No registration token has been created yet.",
  acts: {
    revoke: {
      asks: "Revoke the registration token {title}?",
      happens: {
        ACTIVE: ["No agent can register with this token from now on. This cannot be undone."],
        USED: [
          "An agent has already registered with this token, and keeps its own token. To lock that agent out, revoke the agent's token on the agent's page.",
        ],
      },
      done: "The registration token {title} is revoked.",
      when: { status: ["ACTIVE", "USED"] },
      danger: true,
    },
    delete: {
      asks: "Delete the registration token {title}?",
      refusedWhen: "ACTIVE",
      happens: [
        "The registration token disappears from this list. The audit trail keeps the record of what was done with it, and an agent that registered with it stays.",
      ],
      done: "The registration token {title} is deleted.",
      danger: true,
    },
  },
  create: {
    fields: {
      name: { hint: "What the token is for." },
      agentCode: {
        flag: "agent",
        hint: "The code of the only agent that can use the token, or a prefix of codes followed by *.",
        completes: "agents",
      },
      replace: {
        hint: "Let the new agent replace an online agent with the same code, whose token is then revoked.",
      },
      labels: {
        flag: "label",
        hint: "A label to assign to the agent; repeatable; owners only.",
      },
    },
    expires: "the server's",
    reminder: "It registers one agent.",
  },
  examples: {
    list: ["tokens list --status ACTIVE"],
    create: [
      "tokens create --name edge-7 --expires 1h",
      "tokens create --agent 'edge-*'",
      "tokens create --agent edge-7 --replace",
      "tokens create --agents-from hosts.txt --expires 8h --no-headers",
      "tokens create --agent 'edge-*' --label env=prod --label team=shop",
      "tokens create -o json | jq -r .token",
    ],
  },
} as const satisfies NounTexts<typeof routes, "registration-tokens">;
