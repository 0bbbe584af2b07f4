// The nouns of the API as data. Written by scripts/write-nouns.ts from src/api: do not edit.

import type { Noun } from "./noun.ts";

export const nouns = {
  "registration-tokens": {
    group: "tokens",
    one: "registration token",
    summary: "Registration tokens: single-use invitations for agents",
    prefix: "rtk",
    name: "name",
    live: "ACTIVE",
    about: "status",
    columns: [
      {
        name: "id",
        of: "id",
        kind: "key"
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
        of: "createdBy"
      },
      {
        name: "used",
        of: "usedAt",
        kind: "time",
        wide: true
      },
      {
        name: "agent",
        of: "usedByAgentId",
        kind: "key",
        wide: true
      },
      {
        name: "revoked",
        of: "revokedAt",
        kind: "time",
        wide: true
      }
    ],
    empty: "No registration tokens. Create one: platformctl tokens create",
    acts: {
      revoke: {
        asks: "Revoke the registration token {title}?"
      },
      delete: {
        asks: "Delete the registration token {title}?",
        refusedWhen: "ACTIVE"
      }
    },
    examples: {
      list: [
        "tokens list --status ACTIVE"
      ]
    },
    noun: "registration-tokens",
    param: "tokenId",
    summaries: {
      create: "Create a registration token; its plain text is shown this once",
      list: "List registration tokens, newest first",
      get: "Get a registration token; never its plain text",
      revoke: "Revoke a registration token; an agent that it let in keeps its own token",
      delete: "Delete a registration token that is not ACTIVE"
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
    isLong: false
  },
  agents: {
    one: "agent",
    summary: "Agents: who is registered, and who may call",
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
        }
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
        kind: "key"
      },
      {
        name: "name",
        of: "name",
        wide: true
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
        wide: true
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
    acts: {
      disable: {},
      enable: {},
      "revoke-token": {
        asks: "Revoke the token of {title}? It must then register again."
      },
      delete: {
        asks: "Delete {title} with its services and its token? Its commands stay."
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
    param: "agentId",
    summaries: {
      list: "List agents, newest first",
      get: "Get an agent with its services and the state of its token",
      disable: "Disable an agent: its calls are refused until it is enabled",
      enable: "Enable a disabled agent; its token works again",
      "revoke-token": "Revoke an agent's token: it must register again",
      delete: "Delete an OFFLINE agent with its services and tokens; its commands stay"
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
        summary: "with this label; repeated, with all of them"
      },
      {
        name: "q",
        flag: "search",
        kind: "search",
        summary: "with this text in code or name"
      }
    ],
    searches: true,
    isLong: false
  },
  services: {
    one: "service",
    summary: "Managed services and their state",
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
        of: "agentCode"
      },
      {
        name: "reported",
        of: "lastReportedAt",
        kind: "time"
      },
      {
        name: "message",
        of: "healthMessage"
      },
      {
        name: "name",
        of: "name",
        wide: true
      },
      {
        name: "health",
        of: "healthStatus",
        wide: true
      },
      {
        name: "stored",
        of: "storedStatus",
        kind: "state",
        wide: true
      },
      {
        name: "id",
        of: "id",
        kind: "key",
        wide: true
      }
    ],
    empty: "No services. They appear when an agent reports them.",
    acts: {
      delete: {
        asks: "Delete {title} of {agentCode}? Its commands stay."
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
    param: "serviceId",
    summaries: {
      list: "List managed services with their effective status",
      get: "Get a managed service with its configs, actions and health",
      delete: "Delete a service that is OFFLINE or STALE; its commands stay",
      move: "Give a service to another agent, which must be online"
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
        summary: "as last reported, such as UP"
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
        summary: "with this text in code or name"
      }
    ],
    searches: true,
    isLong: false
  },
  commands: {
    one: "command",
    summary: "Commands for agents, and their results",
    prefix: "cmd",
    about: {
      cell: "commandSummary"
    },
    columns: [
      {
        name: "id",
        of: "id",
        kind: "key"
      },
      {
        name: "status",
        of: "status",
        kind: "state"
      },
      {
        name: "service",
        of: "serviceCode"
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
        }
      },
      {
        name: "error",
        of: "errorCode"
      },
      {
        name: "type",
        of: "type",
        kind: "key"
      },
      {
        name: "agent",
        of: "agentCode",
        wide: true
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
        wide: true
      },
      {
        name: "event",
        of: "source.eventId",
        kind: "key",
        wide: true
      },
      {
        name: "route",
        of: "source.routeId",
        kind: "key",
        wide: true
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
        wide: true
      },
      {
        name: "retry of",
        of: "retryOf",
        kind: "key",
        wide: true
      }
    ],
    empty: "No commands. Run an action: platformctl actions run SERVICE ACTION",
    acts: {
      cancel: {
        completes: "open-command"
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
    param: "commandId",
    summaries: {
      list: "List commands, newest first",
      get: "Get a command; `wait` holds the answer until it has ended",
      cancel: "Cancel a command that has not ended; the first writer wins",
      retry: "Run a FAILED or CANCELLED execution again, as a new command"
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
        summary: "ACTION_PREPARE, ACTION_EXECUTE: of any of these types, separated by commas; ACTION_EXECUTE alone when absent"
      },
      {
        name: "action",
        flag: "action",
        kind: "text",
        summary: "of this action"
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
        summary: "created at this time or later"
      },
      {
        name: "to",
        flag: "to",
        kind: "time",
        summary: "created before this time"
      }
    ],
    searches: false,
    isLong: true
  },
  users: {
    one: "user",
    summary: "Users: the people who administer",
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
        kind: "key"
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
      "end-sessions": {}
    },
    noun: "users",
    group: "users",
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
        summary: "with this text in code or name"
      }
    ],
    searches: true,
    isLong: false
  },
  "bus-routes": {
    group: "routes",
    one: "bus route",
    summary: "Routes of the event bus: which events become which commands (experimental)",
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
        of: "match.type"
      },
      {
        name: "source",
        of: "match.source",
        wide: true
      },
      {
        name: "target",
        of: {
          cell: "routeTarget"
        }
      },
      {
        name: "updated",
        of: "updatedAt",
        kind: "time"
      },
      {
        name: "id",
        of: "id",
        kind: "key"
      },
      {
        name: "version",
        of: "version",
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
    acts: {
      delete: {
        asks: "Delete the route {title}? The commands that it made stay."
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
        summary: "DISABLED, DRY_RUN, ENABLED: with any of these, separated by commas"
      },
      {
        name: "q",
        flag: "search",
        kind: "search",
        summary: "with this text in code or name"
      }
    ],
    searches: true,
    isLong: false
  },
  "bus-events": {
    group: "events",
    one: "event",
    summary: "Events of the event bus, and what came of them (experimental)",
    prefix: "bev",
    about: {
      cell: "eventSummary"
    },
    columns: [
      {
        name: "id",
        of: "id",
        kind: "key"
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
        wide: true
      }
    ],
    empty: "No events. Agents publish them, or: platformctl events publish",
    examples: {
      get: [
        "events get bev_01K0EJ3A6V9FJ7PC0Y7K2P4W6R -o json | jq .event"
      ]
    },
    noun: "bus-events",
    param: "eventId",
    summaries: {
      list: "List events of the bus, newest first",
      get: "Get an event with its envelope and what came of it",
      publish: "Publish an event in the name of a service's agent"
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
        summary: "about the service with this code"
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
        summary: "received at this time or later"
      },
      {
        name: "to",
        flag: "to",
        kind: "time",
        summary: "received before this time"
      }
    ],
    searches: false,
    isLong: true,
    acts: {}
  },
  "api-keys": {
    one: "API key",
    summary: "API keys for scripts",
    prefix: "key",
    name: "name",
    live: "ACTIVE",
    about: "status",
    columns: [
      {
        name: "id",
        of: "id",
        kind: "key"
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
        }
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
        kind: "time"
      },
      {
        name: "created",
        of: "createdAt",
        kind: "time",
        wide: true
      },
      {
        name: "by",
        of: "createdBy",
        wide: true
      },
      {
        name: "revoked",
        of: "revokedAt",
        kind: "time",
        wide: true
      }
    ],
    empty: "No API keys. Create one: platformctl api-keys create",
    acts: {
      revoke: {
        asks: "Revoke the API key {title}? Whatever uses it is refused from now on."
      },
      delete: {
        asks: "Delete the API key {title}?",
        refusedWhen: "ACTIVE"
      }
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
    isLong: false
  }
} as const satisfies Record<string, Noun>;

export type NounName = keyof typeof nouns;
