// The fixed limits on requests and stored values. Names contain the units. Configurable limits are
// in config/config.ts.

export const bodyLimitBytes = {
  register: 512 * 1024,
  heartbeat: 64 * 1024,
  report: 1024 * 1024,
  busEvent: 256 * 1024,
  /** Read before the sender is known. */
  login: 16 * 1024,
  default: 256 * 1024,
} as const;

/** How much larger a result's envelope may be than the configured maximum of its content. */
export const resultEnvelopeBytes = 1024;

/** Limits on clients whose refusals are counted. */
export const limitNames = [
  "connections",
  "connectionsPerAddress",
  "idleConnections",
  "pipelinedRequests",
  "stalledOutput",
  "pendingOutput",
  "pendingBodies",
  "requestsPerCredential",
  "failedRegistrations",
  "streams",
  "logLines",
] as const;
export type LimitName = (typeof limitNames)[number];

/** How many problems of one request are reported. */
export const maxIssues = 50;

export const jsonMaxDepth = 32;
/** A body may have one object, array or key per this many bytes of its route's limit. */
export const jsonBytesPerPart = 16;

export const maxServicesPerReport = 256;
/** How many agents a service's page names that report it although it belongs to another agent. */
export const maxClaimsShown = 100;
export const maxActionsPerService = 256;
export const maxConfigsPerService = 512;
export const maxLabelsPerAgent = 64;
export const inputSchemaMaxBytes = 64 * 1024;

/** Known attributes and extensions of an envelope. */
export const maxEventAttributes = 200;

/** Routes of the bus: the size of the body, and how much a route can match and pass on. */
export const routeRuleMaxBytes = 16 * 1024;
export const maxDataClauses = 32;
export const maxPayloadFields = 100;
/** How many routes can execute one event. It fails at all others that it matches. */
export const maxLiveMatches = 20;
/** How many stored events one call can replay. */
export const replayLimit = { default: 200, max: 1000 } as const;

export const errorCodeMaxLength = 80;
export const errorMessageMaxLength = 500;

export const pollWaitSeconds = { default: 25, max: 60 } as const;
export const pollLimit = { default: 10, max: 10 } as const;
/** More ids than an agent can hold. The limit on headers bounds the query string too. */
export const maxHeldCommands = 100;

/** How long agents are informed of commands that were cancelled while they ran. */
export const cancelNoticeMs = 60 * 60 * 1000;

/** How often a delivered command can be delivered again. */
export const maxRedeliveries = 3;

export const actionTimeoutSeconds = { default: 300, max: 24 * 60 * 60 } as const;
export const prepareTimeoutSeconds = { default: 30, max: 60 } as const;

export const commandWaitSecondsMax = 60;

export const pageSize = { default: 20, max: 200 } as const;

/** The maximum cost of a page of a long list: rows counted in an index, and rows read. */
export const maxRowsCounted = 10_000;
export const maxRowsSearched = 2_500;

export const oneTimeSecretSeconds = 300;

/** How long the first response to an Idempotency-Key is returned again. */
export const idempotencyKeySeconds = 24 * 60 * 60;

/** The maximum length of a password as sent. One typed character can be several characters. */
export const passwordTextMaxLength = 512;
export const sessionMaxSeconds = 7 * 24 * 60 * 60;

/** How long making a backup may take, and how long its reader may read nothing. */
export const backupSeconds = { making: 900, stalled: 60 } as const;

export const registrationFailuresPerMinute = 60;
/** For one account from one network. */
export const loginFailuresPerAccount = { failures: 5, seconds: 15 * 60 } as const;
/** For one account from all networks that it has not signed in from before. */
export const loginFailuresElsewhere = { failures: 50, seconds: 15 * 60 } as const;
/** Networks that a user has signed in from. The least recently used one is forgotten. */
export const familiarNetworksPerUser = 20;
export const loginFailuresPerAddress = { failures: 20, seconds: 60 } as const;
/** More failed sign-ins than this in a minute are summarized in one audit row. */
export const failedLoginsToldPerMinute = 60;
/** Audit rows of its own that one actor gets per minute for each kind of repeated event. */
export const maxAuditSumsInFull = 20;

/** Live streams. A client that falls behind by more than the buffer is dropped. */
export const streamLimits = {
  maxOpen: 200,
  /** For one user or API key: tabs, and programs that share a key. */
  maxOpenPerCredential: 20,
  maxBufferedBytes: 1024 * 1024,
  /** A client that has not answered a ping when the next is due is dropped. */
  pingSeconds: 30,
  /** How long the server waits for the client to close as well. */
  closingSeconds: 1,
  /** Clients send no messages. */
  maxIncomingBytes: 1024,
  /** Services sent again after an event of their agent. */
  maxServicesOfAgent: 1000,
} as const;

/** A slower database makes the server's health DEGRADED instead of UP. */
export const databaseDegradedMs = 250;

/** Limits of the overview, because it is read and sent in one turn of the event loop. */
export const healthMapServices = 5000;
export const overviewCommands = 5000;

/** How much the metrics read. */
export const commandDurationSamples = 1000;
export const topCommandErrors = 10;
