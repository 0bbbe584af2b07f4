// The nouns of the API as data. Written by scripts/write-nouns.ts from src/api: do not edit.

import type { Noun } from "./noun.ts";

export const nouns = {
  agents: {
    one: "agent",
    summary: "Agents: who is registered, and who may call",
    lead: "Programs that run next to your services and connect them to this server.",
    prefix: "agt",
    code: "code",
    name: "name",
    about: "status",
    columns: [
      {
        name: "code",
        of: "code",
        kind: "key"
      },
      {
        name: "status",
        of: "status",
        kind: "state"
      },
      {
        name: "why",
        of: {
          cell: "offlineReason"
        },
        label: "Reason"
      },
      {
        name: "last seen",
        of: "lastHeartbeatAt",
        kind: "time"
      },
      {
        name: "mode",
        of: "mode"
      },
      {
        name: "version",
        of: "version"
      },
      {
        name: "id",
        of: "id",
        kind: "key",
        wide: "page"
      },
      {
        name: "name",
        of: "name",
        wide: "terminal"
      },
      {
        name: "registered",
        of: "registeredAt",
        kind: "time",
        wide: true
      },
      {
        name: "token",
        of: {
          cell: "tokenState"
        },
        wide: true
      },
      {
        name: "labels",
        of: {
          cell: "labels"
        },
        wide: "terminal"
      }
    ],
    details: [
      {
        name: "token",
        of: {
          cell: "tokenState"
        }
      },
      {
        name: "disabled",
        of: "disabledAt",
        kind: "time"
      }
    ],
    empty: "No agents. Invite one: platformctl tokens create",
    emptyPage: "No agent has registered yet. To invite one, an operator creates a registration token for it.",
    acts: {
      disable: {
        happens: [
          "The server rejects its calls from now on and closes the poll that it holds open for the agent.",
          "Its services count as OFFLINE. New runs are rejected unless they may wait. Waiting commands expire unless you enable the agent in time.",
          "Commands that it is running may still finish, but the server rejects their results. A command ends as FAILED unless you enable the agent before the command's deadline.",
          "The agent cannot come back by registering again. It keeps its token, which works again once you enable it."
        ],
        done: "{title} is disabled.",
        when: {
          status: [
            "ONLINE",
            "OFFLINE"
          ]
        },
        danger: true
      },
      enable: {
        happens: [
          "The server accepts its calls again, with the token that it has.",
          "Commands that are waiting for it and have not expired are delivered and run.",
          "It is ONLINE if its last call is within the offline threshold, otherwise after its next call. An agent that polls every 30 s may need that long."
        ],
        done: "{title} is enabled.",
        when: {
          status: [
            "DISABLED"
          ]
        }
      },
      "revoke-token": {
        asks: "Revoke the token of {title}? It must then register again.",
        happens: [
          "Its token stops working immediately and permanently, and the server closes the poll that it holds open for the agent.",
          "Its services count as OFFLINE. Commands that it is running may still finish, but the server rejects their results until the agent has registered again.",
          "The agent must register again with a new registration token. With the same code it remains the same agent, with its services and history."
        ],
        done: "The token of {title} is revoked. The agent must register again.",
        when: {
          tokenState: [
            "ACTIVE"
          ]
        },
        danger: true
      },
      delete: {
        asks: "Delete {title} with its services and its token? Its commands stay.",
        happens: [
          "The agent is deleted, with its token and its services, including their configuration and actions.",
          "Its commands, its bus events and the audit trail are kept, with the codes of the agent and its services. Commands are deleted when their retention period ends.",
          "If it starts again, it must register with a new registration token and becomes a new agent. Bus routes that name one of its services fail until the service is reported again."
        ],
        done: "{title} is deleted.",
        when: {
          offlineReason: [
            "TOKEN_REVOKED",
            "STOPPED",
            "SILENT"
          ]
        },
        danger: true
      }
    },
    wait: {
      statuses: [
        "ONLINE",
        "OFFLINE",
        "DISABLED"
      ],
      default: "ONLINE",
      news: [
        "lastHeartbeatAt"
      ],
      lasting: [
        "OFFLINE",
        "DISABLED"
      ]
    },
    examples: {
      list: [
        "agents list --status OFFLINE",
        "agents list --token REVOKED",
        "agents list -o name"
      ],
      delete: [
        "agents delete edge-7 --yes"
      ],
      wait: [
        "agents wait edge-7 --timeout 2m"
      ]
    },
    noun: "agents",
    group: "agents",
    title: "Agents",
    param: "agentId",
    summaries: {
      list: "List agents, newest first",
      get: "Get an agent with its services and the state of its token",
      disable: "Disable an agent: its calls are refused until it is enabled",
      enable: "Enable a disabled agent; its token works again",
      "revoke-token": "Revoke an agent's token: it must register again",
      delete: "Delete an OFFLINE agent with its services and tokens; its commands stay"
    },
    access: {
      list: "viewer",
      get: "viewer",
      disable: "operator",
      enable: "operator",
      "revoke-token": "operator",
      delete: "operator"
    },
    filters: [
      {
        name: "status",
        flag: "status",
        kind: "several",
        choices: [
          "ONLINE",
          "OFFLINE",
          "DISABLED"
        ],
        summary: "ONLINE, OFFLINE, DISABLED: with any of these, separated by commas"
      },
      {
        name: "mode",
        flag: "mode",
        kind: "text",
        summary: "in this mode, such as sidecar"
      },
      {
        name: "tokenState",
        flag: "token",
        kind: "choice",
        choices: [
          "ACTIVE",
          "REVOKED",
          "NONE"
        ],
        summary: "ACTIVE, REVOKED, NONE: whether it has a token"
      },
      {
        name: "label",
        flag: "label",
        kind: "all",
        summary: "with this label; repeated, with all of them",
        hint: "key:value"
      },
      {
        name: "q",
        flag: "search",
        kind: "search",
        summary: "with this text in code or name",
        hint: "Code or name"
      }
    ],
    searches: true,
    isLong: false
  },
  "api-keys": {
    one: "API key",
    title: "API keys",
    summary: "API keys for scripts",
    lead: "Programs, and the command line on other machines, use API keys to call this server.",
    prefix: "key",
    name: "name",
    live: "ACTIVE",
    about: "status",
    columns: [
      {
        name: "id",
        of: "id",
        kind: "key",
        wide: "page"
      },
      {
        name: "status",
        of: "status",
        kind: "state"
      },
      {
        name: "name",
        of: "name"
      },
      {
        name: "role",
        of: "role"
      },
      {
        name: "user",
        of: {
          cell: "keyOwner"
        },
        label: "Belongs to"
      },
      {
        name: "expires",
        of: "expiresAt",
        kind: "time",
        none: "never"
      },
      {
        name: "used",
        of: "lastUsedAt",
        kind: "time",
        label: "Last used"
      },
      {
        name: "created",
        of: "createdAt",
        kind: "time",
        wide: "terminal"
      },
      {
        name: "by",
        of: "createdBy",
        wide: true,
        label: "Created by"
      },
      {
        name: "revoked",
        of: "revokedAt",
        kind: "time",
        wide: true
      }
    ],
    empty: "No API keys. Create one: platformctl api-keys create",
    emptyPage: "There are no API keys. Programs need one; people sign in.",
    acts: {
      revoke: {
        asks: "Revoke the API key {title}? Whatever uses it is refused from now on.",
        happens: [
          "The next call with this key is rejected, and streams that it opened are closed. This cannot be undone: every program that uses the key needs a new one."
        ],
        done: "The API key {title} is revoked.",
        when: {
          status: [
            "ACTIVE"
          ]
        },
        danger: true
      },
      delete: {
        asks: "Delete the API key {title}?",
        refusedWhen: "ACTIVE",
        happens: [
          "The key no longer works. The audit trail keeps what was done with it."
        ],
        done: "The API key {title} is deleted.",
        danger: true
      }
    },
    examples: {
      create: [
        "api-keys create --name ci --role operator --expires 90d",
        "api-keys create --name prometheus --role metrics",
        "api-keys create --name ci --role operator --db data/platform.db -o json"
      ]
    },
    noun: "api-keys",
    group: "api-keys",
    param: "keyId",
    summaries: {
      create: "Create an API key; its plain text is shown this once",
      list: "List API keys, newest first; never their plain text",
      get: "Get an API key; never its plain text",
      delete: "Delete an API key that is not ACTIVE",
      revoke: "Revoke an API key: the next call with it is refused"
    },
    access: {
      create: "owner",
      list: "owner",
      get: "owner",
      delete: "owner",
      revoke: "owner"
    },
    filters: [
      {
        name: "status",
        flag: "status",
        kind: "several",
        choices: [
          "ACTIVE",
          "EXPIRED",
          "REVOKED"
        ],
        summary: "ACTIVE, EXPIRED, REVOKED: with any of these, separated by commas"
      },
      {
        name: "userId",
        flag: "user",
        kind: "id",
        of: "users",
        summary: "the keys that belong to this user"
      }
    ],
    searches: false,
    isLong: false,
    create: {
      fields: [
        {
          name: "name",
          kind: "text",
          required: true,
          maxLength: 200,
          hint: "What it is for.",
          default: "platformctl"
        },
        {
          name: "role",
          kind: "choice",
          required: true,
          choices: [
            "viewer",
            "operator",
            "owner",
            "metrics"
          ],
          hint: "What it can do; `metrics` only reads the metrics.",
          meanings: {
            viewer: "reads",
            operator: "also runs actions",
            owner: "everything",
            metrics: "only reads the metrics"
          }
        },
        {
          name: "expiresAt",
          kind: "time"
        },
        {
          name: "expiresInSeconds",
          kind: "number"
        }
      ],
      expires: "never",
      reminder: "Scripts pass it in PLATFORM_API_KEY.",
      idempotent: true,
      shownOnce: "key"
    }
  },
  "bus-events": {
    group: "events",
    one: "event",
    title: "Events",
    summary: "Events of the event bus, and what came of them (experimental)",
    lead: "What agents have published, and what each route made of it.",
    prefix: "bev",
    about: {
      cell: "eventSummary"
    },
    opens: "type",
    columns: [
      {
        name: "id",
        of: "id",
        kind: "key",
        wide: "page"
      },
      {
        name: "type",
        of: "type"
      },
      {
        name: "source",
        of: "source"
      },
      {
        name: "subject",
        of: "subject"
      },
      {
        name: "received",
        of: "receivedAt",
        kind: "time"
      },
      {
        name: "outcome",
        of: {
          cell: "eventOutcome"
        }
      },
      {
        name: "depth",
        of: "depth",
        kind: "number",
        wide: true
      },
      {
        name: "cause",
        of: "causationId",
        wide: true
      },
      {
        name: "correlation",
        of: "correlationId",
        wide: true
      },
      {
        name: "source id",
        of: "sourceEventId",
        wide: true
      },
      {
        name: "agent",
        of: "agentId",
        kind: "key",
        wide: true,
        link: {
          to: "agents",
          id: "agentId"
        }
      }
    ],
    empty: "No events. Agents publish them, or: platformctl events publish",
    emptyPage: "No event has been received yet. Agents publish them.",
    examples: {
      get: [
        "events get bev_01K0EJ3A6V9FJ7PC0Y7K2P4W6R -o json | jq .event"
      ]
    },
    noun: "bus-events",
    bus: true,
    param: "eventId",
    summaries: {
      list: "List events of the bus, newest first",
      get: "Get an event with its envelope and what came of it",
      publish: "Publish an event in the name of a service's agent"
    },
    access: {
      list: "viewer",
      get: "viewer",
      publish: "operator"
    },
    filters: [
      {
        name: "type",
        flag: "type",
        kind: "text",
        summary: "of this type, such as order.created"
      },
      {
        name: "source",
        flag: "source",
        kind: "text",
        summary: "about the service with this code",
        hint: "Code of a service"
      },
      {
        name: "agentId",
        flag: "agent",
        kind: "id",
        of: "agents",
        summary: "published by this agent"
      },
      {
        name: "routeId",
        flag: "route",
        kind: "id",
        of: "bus-routes",
        summary: "that matched this route"
      },
      {
        name: "from",
        flag: "from",
        kind: "time",
        summary: "at this time or later"
      },
      {
        name: "to",
        flag: "to",
        kind: "time",
        summary: "before this time"
      }
    ],
    searches: false,
    isLong: true,
    acts: {}
  },
  "bus-routes": {
    group: "routes",
    one: "bus route",
    title: "Routes",
    summary: "Routes of the event bus: which events become which commands (experimental)",
    lead: "Which events become which commands. A route makes at most one command from an event.",
    prefix: "brt",
    name: "name",
    about: "state",
    columns: [
      {
        name: "name",
        of: "name",
        kind: "key"
      },
      {
        name: "state",
        of: "state",
        kind: "state"
      },
      {
        name: "type",
        of: "match.type",
        label: "Event type"
      },
      {
        name: "source",
        of: "match.source",
        wide: "terminal"
      },
      {
        name: "target",
        of: {
          cell: "routeTarget"
        },
        label: "Runs"
      },
      {
        name: "updated",
        of: "updatedAt",
        kind: "time"
      },
      {
        name: "id",
        of: "id",
        kind: "key",
        wide: "page"
      },
      {
        name: "version",
        of: "version",
        kind: "number",
        wide: true
      },
      {
        name: "created",
        of: "createdAt",
        kind: "time",
        wide: true
      },
      {
        name: "description",
        of: "description",
        wide: true
      }
    ],
    empty: "No routes. Create one: platformctl routes create -f route.yaml",
    emptyPage: "There is no route yet. Create one, test it, and put it in dry run before you enable it.",
    acts: {
      delete: {
        asks: "Delete the route {title}? The commands that it made stay.",
        happens: [
          "It makes no more commands. The commands that it made stay, and events keep its name. This cannot be undone."
        ],
        done: "{title} is deleted.",
        danger: true
      }
    },
    examples: {
      list: [
        "routes list --state ENABLED"
      ],
      get: [
        "routes get rotate-full-logs -o yaml > route.yaml"
      ]
    },
    noun: "bus-routes",
    bus: true,
    param: "routeId",
    summaries: {
      list: "List routes of the bus, newest first",
      create: "Create a route, DISABLED unless it says otherwise",
      "test-draft": "Say what a route that is not saved would do with an event; writes nothing",
      replay: "Say what a route would have done with the events of a window; writes nothing",
      get: "Get a route",
      update: "Replace a route, if it is still in the version that was seen",
      delete: "Delete a route; the commands that it made stay",
      test: "Say what a route would do with an event; writes nothing"
    },
    access: {
      list: "viewer",
      create: "operator",
      "test-draft": "viewer",
      replay: "viewer",
      get: "viewer",
      update: "operator",
      delete: "operator",
      test: "viewer"
    },
    filters: [
      {
        name: "state",
        flag: "state",
        kind: "several",
        choices: [
          "DISABLED",
          "DRY_RUN",
          "ENABLED"
        ],
        summary: "DISABLED, DRY_RUN, ENABLED: with any of these, separated by commas",
        options: {
          DISABLED: "Disabled",
          DRY_RUN: "Dry run",
          ENABLED: "Enabled"
        }
      },
      {
        name: "q",
        flag: "search",
        kind: "search",
        summary: "with this text in code or name",
        hint: "Name"
      }
    ],
    searches: true,
    isLong: false
  },
  commands: {
    one: "command",
    summary: "Commands for agents, and their results",
    lead: "Every action that was run, by whom, and how it ended. The type Prepare lists the requests for the form and state of an action.",
    prefix: "cmd",
    about: {
      cell: "commandSummary"
    },
    opens: "action",
    columns: [
      {
        name: "id",
        of: "id",
        kind: "key",
        wide: "page"
      },
      {
        name: "status",
        of: "status",
        kind: "state"
      },
      {
        name: "service",
        of: "serviceCode",
        link: {
          to: "services",
          id: "serviceId"
        }
      },
      {
        name: "action",
        of: "action"
      },
      {
        name: "created",
        of: "createdAt",
        kind: "time"
      },
      {
        name: "took",
        of: {
          cell: "commandDuration"
        },
        kind: "number",
        label: "Duration"
      },
      {
        name: "error",
        of: "errorCode"
      },
      {
        name: "type",
        of: "type",
        kind: "key",
        values: {
          ACTION_PREPARE: "Prepare",
          ACTION_EXECUTE: "Execute"
        }
      },
      {
        name: "agent",
        of: "agentCode",
        wide: "terminal",
        link: {
          to: "agents",
          id: "agentId"
        }
      },
      {
        name: "message",
        of: "errorMessage",
        wide: true
      },
      {
        name: "by",
        of: {
          cell: "commandMaker"
        },
        wide: "terminal"
      },
      {
        name: "event",
        of: "source.eventId",
        kind: "key",
        wide: true,
        link: {
          to: "bus-events",
          id: "source.eventId"
        }
      },
      {
        name: "route",
        of: "source.routeId",
        kind: "key",
        wide: true,
        link: {
          to: "bus-routes",
          id: "source.routeId"
        }
      },
      {
        name: "reason",
        of: "reason",
        wide: true
      },
      {
        name: "cancelled",
        of: "cancelOutcome",
        wide: true
      },
      {
        name: "deliveries",
        of: "deliveries",
        kind: "number",
        wide: true
      },
      {
        name: "retry of",
        of: "retryOf",
        kind: "key",
        wide: true,
        link: {
          to: "commands",
          id: "retryOf"
        }
      }
    ],
    empty: "No commands. Run an action: platformctl actions run SERVICE ACTION",
    emptyPage: "No action has been run yet. Open a service and choose one of its actions.",
    acts: {
      cancel: {
        completes: "open-command",
        verb: "Cancel command",
        keep: "Keep it running",
        happens: {
          PENDING: [
            "The agent has not fetched it yet. Once cancelled, it never runs."
          ],
          RUNNING: [
            "The agent is working on it, and may still finish what it is doing. The result of a cancelled command no longer counts; a result that still arrives is kept as a late result."
          ]
        },
        done: "The command is cancelled.",
        when: {
          status: [
            "PENDING",
            "RUNNING"
          ]
        },
        danger: true
      }
    },
    examples: {
      list: [
        "commands list --status FAILED --from 24h",
        "commands list --all -o jsonl"
      ]
    },
    noun: "commands",
    group: "commands",
    title: "Commands",
    param: "commandId",
    summaries: {
      list: "List commands, newest first",
      get: "Get a command; `wait` holds the answer until it has ended",
      cancel: "Cancel a command that has not ended; the first writer wins",
      retry: "Run a FAILED or CANCELLED execution again, as a new command"
    },
    access: {
      list: "viewer",
      get: "viewer",
      cancel: "operator",
      retry: "operator"
    },
    filters: [
      {
        name: "status",
        flag: "status",
        kind: "several",
        choices: [
          "PENDING",
          "RUNNING",
          "SUCCEEDED",
          "FAILED",
          "CANCELLED"
        ],
        summary: "PENDING, RUNNING, SUCCEEDED, FAILED, CANCELLED: with any of these, separated by commas"
      },
      {
        name: "type",
        flag: "type",
        kind: "several",
        choices: [
          "ACTION_PREPARE",
          "ACTION_EXECUTE"
        ],
        summary: "ACTION_PREPARE, ACTION_EXECUTE: of any of these types, separated by commas; ACTION_EXECUTE alone when absent",
        options: {
          "": "Execute",
          ACTION_PREPARE: "Prepare",
          "ACTION_EXECUTE,ACTION_PREPARE": "Both"
        }
      },
      {
        name: "action",
        flag: "action",
        kind: "text",
        summary: "of this action",
        hint: "Its name"
      },
      {
        name: "agentId",
        flag: "agent",
        kind: "id",
        of: "agents",
        summary: "of this agent"
      },
      {
        name: "serviceId",
        flag: "service",
        kind: "id",
        of: "services",
        summary: "of this service"
      },
      {
        name: "eventId",
        flag: "event",
        kind: "id",
        of: "bus-events",
        summary: "made by the bus from this event"
      },
      {
        name: "routeId",
        flag: "route",
        kind: "id",
        of: "bus-routes",
        summary: "made by the bus for this route"
      },
      {
        name: "from",
        flag: "from",
        kind: "time",
        summary: "at this time or later"
      },
      {
        name: "to",
        flag: "to",
        kind: "time",
        summary: "before this time"
      }
    ],
    searches: false,
    isLong: true
  },
  "registration-tokens": {
    group: "tokens",
    one: "registration token",
    summary: "Registration tokens: single-use invitations for agents",
    lead: "Each token lets one agent register, once. The agent then gets a token of its own.",
    prefix: "rtk",
    name: "name",
    live: "ACTIVE",
    about: "status",
    columns: [
      {
        name: "id",
        of: "id",
        kind: "key",
        wide: "page"
      },
      {
        name: "status",
        of: "status",
        kind: "state"
      },
      {
        name: "name",
        of: "name"
      },
      {
        name: "for",
        of: {
          cell: "tokenScope"
        }
      },
      {
        name: "expires",
        of: "expiresAt",
        kind: "time",
        none: "never"
      },
      {
        name: "created",
        of: "createdAt",
        kind: "time"
      },
      {
        name: "by",
        of: "createdBy",
        label: "Created by"
      },
      {
        name: "used",
        of: "usedAt",
        kind: "time",
        wide: "terminal"
      },
      {
        name: "agent",
        of: "usedByAgentId",
        kind: "key",
        wide: "terminal",
        label: "Used by",
        link: {
          to: "agents",
          id: "usedByAgentId"
        }
      },
      {
        name: "revoked",
        of: "revokedAt",
        kind: "time",
        wide: true
      }
    ],
    empty: "No registration tokens. Create one: platformctl tokens create",
    emptyPage: "No registration token has been created yet.",
    acts: {
      revoke: {
        asks: "Revoke the registration token {title}?",
        happens: {
          ACTIVE: [
            "No agent can register with it from now on. This cannot be undone."
          ],
          USED: [
            "An agent has already registered with it and keeps its own token. To lock that agent out, revoke the agent's token on the agent's page."
          ]
        },
        done: "The registration token {title} is revoked.",
        when: {
          status: [
            "ACTIVE",
            "USED"
          ]
        },
        danger: true
      },
      delete: {
        asks: "Delete the registration token {title}?",
        refusedWhen: "ACTIVE",
        happens: [
          "It disappears from this list. The audit trail keeps what was done with it, and an agent that registered with it stays."
        ],
        done: "The registration token {title} is deleted.",
        danger: true
      }
    },
    examples: {
      list: [
        "tokens list --status ACTIVE"
      ],
      create: [
        "tokens create --name edge-7 --expires 1h",
        "tokens create --agent 'edge-*'",
        "tokens create --agent edge-7 --replace",
        "tokens create -o json | jq -r .token"
      ]
    },
    noun: "registration-tokens",
    title: "Registration tokens",
    param: "tokenId",
    summaries: {
      create: "Create a registration token; its plain text is shown this once",
      list: "List registration tokens, newest first",
      get: "Get a registration token; never its plain text",
      revoke: "Revoke a registration token; an agent that it let in keeps its own token",
      delete: "Delete a registration token that is not ACTIVE"
    },
    access: {
      create: "operator",
      list: "viewer",
      get: "viewer",
      revoke: "operator",
      delete: "operator"
    },
    filters: [
      {
        name: "status",
        flag: "status",
        kind: "several",
        choices: [
          "ACTIVE",
          "USED",
          "REVOKED",
          "EXPIRED"
        ],
        summary: "ACTIVE, USED, REVOKED, EXPIRED: with any of these, separated by commas"
      }
    ],
    searches: false,
    isLong: false,
    create: {
      fields: [
        {
          name: "name",
          kind: "text",
          maxLength: 200,
          hint: "What it is for."
        },
        {
          name: "agentCode",
          kind: "text",
          hint: "Only for this agent, or for all codes with this beginning if it ends with a *.",
          flag: "agent",
          completes: "agents"
        },
        {
          name: "replace",
          kind: "flag",
          hint: "Let an agent take over a code whose current agent is online, and revoke that agent's token."
        },
        {
          name: "expiresAt",
          kind: "time"
        },
        {
          name: "expiresInSeconds",
          kind: "number"
        }
      ],
      expires: "the server's",
      reminder: "It registers one agent.",
      idempotent: true,
      shownOnce: "token"
    }
  },
  services: {
    one: "service",
    summary: "Managed services and their state",
    lead: "What your agents manage, as they report it.",
    prefix: "svc",
    code: "code",
    name: "name",
    about: "status",
    columns: [
      {
        name: "code",
        of: "code",
        kind: "key"
      },
      {
        name: "status",
        of: "status",
        kind: "state"
      },
      {
        name: "version",
        of: "version"
      },
      {
        name: "agent",
        of: "agentCode",
        link: {
          to: "agents",
          id: "agentId"
        }
      },
      {
        name: "reported",
        of: "lastReportedAt",
        kind: "time",
        label: "Last report"
      },
      {
        name: "message",
        of: "healthMessage"
      },
      {
        name: "name",
        of: "name",
        wide: "terminal"
      },
      {
        name: "health",
        of: "healthStatus",
        wide: "terminal",
        label: "Reported health"
      },
      {
        name: "health since",
        of: "healthChangedAt",
        kind: "time",
        wide: true
      },
      {
        name: "stored",
        of: "storedStatus",
        kind: "state",
        wide: true,
        label: "Stored status"
      },
      {
        name: "id",
        of: "id",
        kind: "key",
        wide: true
      }
    ],
    empty: "No services. They appear when an agent reports them.",
    emptyPage: "No service has been reported yet. Agents report theirs after they have registered.",
    acts: {
      delete: {
        asks: "Delete {title} of {agentCode}? Its commands stay.",
        happens: [
          "The service is deleted, with its configuration and its actions.",
          "Its commands, its bus events and the audit trail are kept, with its code. Commands are deleted when their retention period ends.",
          "If an agent reports it again, it comes back as a new service. Until then, bus routes that name it fail."
        ],
        done: "{title} is deleted.",
        when: {
          status: [
            "OFFLINE",
            "STALE"
          ]
        },
        danger: true
      }
    },
    wait: {
      statuses: [
        "HEALTHY",
        "UNHEALTHY",
        "STALE",
        "OFFLINE",
        "UNKNOWN"
      ],
      default: "HEALTHY",
      news: [
        "lastReportedAt",
        "healthChangedAt"
      ],
      lasting: [
        "STALE",
        "OFFLINE"
      ]
    },
    examples: {
      list: [
        "services list --status UNHEALTHY",
        "services list -o json"
      ],
      delete: [
        "services delete log-collector --yes"
      ],
      wait: [
        "services wait log-collector --timeout 2m"
      ]
    },
    noun: "services",
    group: "services",
    title: "Services",
    param: "serviceId",
    summaries: {
      list: "List managed services with their effective status",
      get: "Get a managed service with its configs, actions and health",
      delete: "Delete a service that is OFFLINE or STALE; its commands stay",
      move: "Give a service to another agent, which must be online"
    },
    access: {
      list: "viewer",
      get: "viewer",
      delete: "operator",
      move: "operator"
    },
    filters: [
      {
        name: "status",
        flag: "status",
        kind: "several",
        choices: [
          "HEALTHY",
          "UNHEALTHY",
          "STALE",
          "OFFLINE",
          "UNKNOWN"
        ],
        summary: "HEALTHY, UNHEALTHY, STALE, OFFLINE, UNKNOWN: with any of these, separated by commas"
      },
      {
        name: "healthStatus",
        flag: "health",
        kind: "text",
        summary: "as last reported, such as UP",
        hint: "UP, DOWN …",
        suggests: [
          "UP",
          "DEGRADED",
          "DOWN"
        ]
      },
      {
        name: "agentId",
        flag: "agent",
        kind: "id",
        of: "agents",
        summary: "of this agent"
      },
      {
        name: "q",
        flag: "search",
        kind: "search",
        summary: "with this text in code or name",
        hint: "Code or name"
      }
    ],
    searches: true,
    isLong: false
  },
  users: {
    one: "user",
    summary: "Users: the people who administer",
    lead: "People who can sign in here. Programs use API keys.",
    prefix: "usr",
    code: "username",
    fold: "username",
    about: "role",
    columns: [
      {
        name: "username",
        of: "username",
        kind: "key"
      },
      {
        name: "role",
        of: "role"
      },
      {
        name: "status",
        of: "status",
        kind: "state"
      },
      {
        name: "last login",
        of: "lastLoginAt",
        kind: "time",
        none: "never"
      },
      {
        name: "created",
        of: "createdAt",
        kind: "time"
      },
      {
        name: "id",
        of: "id",
        kind: "key",
        wide: "page"
      },
      {
        name: "password set",
        of: "passwordChangedAt",
        kind: "time",
        wide: true
      },
      {
        name: "changed",
        of: "updatedAt",
        kind: "time",
        wide: true
      }
    ],
    empty: "No users. Create one: platformctl users create --username NAME --role owner",
    acts: {
      "end-sessions": {
        question: "End all sessions of {title}?",
        happens: [
          "The user is signed out of every browser at once, and can sign in again."
        ],
        done: "Sessions ended: {ended}."
      },
      disable: {
        happens: [
          "The user is signed out everywhere at once, and cannot sign in until enabled again."
        ],
        done: "The user {title} is disabled.",
        when: {
          status: [
            "ACTIVE"
          ]
        },
        sets: {
          status: "DISABLED"
        },
        danger: true
      },
      enable: {
        happens: [
          "The user can sign in again, with the same password as before."
        ],
        done: "The user {title} is enabled.",
        when: {
          status: [
            "DISABLED"
          ]
        },
        sets: {
          status: "ACTIVE"
        }
      },
      delete: {
        happens: [
          "The user is signed out at once. The audit trail keeps what the user did, under that name. This cannot be undone: to lock somebody out for a while, disable the user instead."
        ],
        done: "The user {title} is deleted.",
        danger: true,
        typed: true
      }
    },
    noun: "users",
    group: "users",
    title: "Users",
    param: "userId",
    summaries: {
      list: "List users, newest first",
      create: "Create a user",
      get: "Get a user",
      update: "Rename a user, change the role, disable or enable",
      delete: "Delete a user, end the sessions and revoke the user's API keys",
      "set-password": "Set a user's password; sessions go on",
      sessions: "List a user's sessions, the last used first",
      "end-sessions": "End all sessions of a user"
    },
    access: {
      list: "owner",
      create: "owner",
      get: "owner",
      update: "owner",
      delete: "owner",
      "set-password": "owner",
      sessions: "owner",
      "end-sessions": "owner"
    },
    filters: [
      {
        name: "role",
        flag: "role",
        kind: "choice",
        choices: [
          "owner",
          "operator",
          "viewer"
        ],
        summary: "owner, operator, viewer: with this role"
      },
      {
        name: "status",
        flag: "status",
        kind: "several",
        choices: [
          "ACTIVE",
          "DISABLED"
        ],
        summary: "ACTIVE, DISABLED: with any of these, separated by commas"
      },
      {
        name: "q",
        flag: "search",
        kind: "search",
        summary: "with this text in code or name",
        hint: "Part of a username"
      }
    ],
    searches: true,
    isLong: false,
    create: {
      fields: [
        {
          name: "username",
          kind: "text",
          required: true
        },
        {
          name: "password",
          kind: "text",
          required: true,
          maxLength: 512
        },
        {
          name: "role",
          kind: "choice",
          required: true,
          choices: [
            "owner",
            "operator",
            "viewer"
          ]
        }
      ],
      idempotent: true
    }
  }
} as const satisfies Record<string, Noun>;

export type NounName = keyof typeof nouns;
