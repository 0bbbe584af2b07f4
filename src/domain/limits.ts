// The fixed limits on requests and stored values. Names contain the units. Configurable limits are
// in config/config.ts.

export const bodyLimitBytes = {
  register: 512 * 1024,
  heartbeat: 64 * 1024,
  report: 1024 * 1024,
  busEvent: 256 * 1024,
  /** The limit on a body that is read before the sender is known. */
  login: 16 * 1024,
  default: 256 * 1024,
} as const;

/** How much larger a result's envelope may be than the configured maximum of its content. */
export const resultEnvelopeBytes = 1024;

/** The limits on clients whose refusals are counted. */
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

/** How many problems in one request are reported. */
export const maxIssues = 50;

export const jsonMaxDepth = 32;
/**
 * Divides a route's body limit: a body may have one object, array or key for each of this many
 * bytes.
 */
export const jsonBytesPerPart = 16;

export const maxServicesPerReport = 256;
/** How many agents with a refused claim to a service the service's page names. */
export const maxClaimsShown = 100;
export const maxActionsPerService = 256;
export const maxConfigsPerService = 512;
export const maxLabelsPerAgent = 64;
export const inputSchemaMaxBytes = 64 * 1024;

/** The maximum number of attributes of an envelope, including extensions. */
export const maxEventAttributes = 200;

/**
 * Limits on routes of the bus: the size of the body, and how much a route can match and pass on.
 */
export const routeRuleMaxBytes = 16 * 1024;
export const maxDataClauses = 32;
export const maxPayloadFields = 100;
/**
 * How many routes can create a command from one event. The event fails at all other routes that it
 * matches.
 */
export const maxLiveMatches = 20;
/** How many stored events one call can replay. */
export const replayLimit = { default: 200, max: 1000 } as const;

export const errorCodeMaxLength = 80;
export const errorMessageMaxLength = 500;

export const pollWaitSeconds = { default: 25, max: 60 } as const;
export const pollLimit = { default: 10, max: 10 } as const;
/**
 * The maximum length of a list of running commands: more ids than an agent can have. The limit on
 * headers also bounds the query string.
 */
export const maxHeldCommands = 100;

/** How long an agent is informed of a command that was cancelled while it ran. */
export const cancelNoticeMs = 60 * 60 * 1000;

/** How often a delivered command can be delivered again. */
export const maxRedeliveries = 3;

export const actionTimeoutSeconds = { default: 300, max: 24 * 60 * 60 } as const;
export const prepareTimeoutSeconds = { default: 30, max: 60 } as const;

export const commandWaitSecondsMax = 60;

export const pageSize = { default: 20, max: 200 } as const;

/** The maximum cost of one page of a long list: the rows counted in an index, and the rows read. */
export const maxRowsCounted = 10_000;
export const maxRowsSearched = 2_500;

export const oneTimeSecretSeconds = 300;

/** How long requests with the same Idempotency-Key get the first response again. */
export const idempotencyKeySeconds = 24 * 60 * 60;

/** The maximum length of a password as sent. One typed character can become several. */
export const passwordTextMaxLength = 512;
export const sessionMaxSeconds = 7 * 24 * 60 * 60;

/** How long creating a backup may take, and how long its reader may pause. */
export const backupSeconds = { making: 900, stalled: 60 } as const;

export const registrationFailuresPerMinute = 60;
/** The maximum for one account from one network. */
export const loginFailuresPerAccount = { failures: 5, seconds: 15 * 60 } as const;
/**
 * The maximum for one account, from all networks together that its user has never signed in from.
 */
export const loginFailuresElsewhere = { failures: 50, seconds: 15 * 60 } as const;
/** How many networks that a user has signed in from are remembered: the most recently used ones. */
export const familiarNetworksPerUser = 20;
export const loginFailuresPerAddress = { failures: 20, seconds: 60 } as const;
/** Failed sign-ins beyond this many in a minute are summarized in one audit row. */
export const failedLoginsToldPerMinute = 60;
/** How many separate audit rows per minute one actor gets for each kind of repeated event. */
export const maxAuditSumsInFull = 20;

/** Limits on live streams. A client that falls behind by more than the buffer is disconnected. */
export const streamLimits = {
  maxOpen: 200,
  /** The maximum for one user (with several tabs) or one API key (with several programs). */
  maxOpenPerCredential: 20,
  maxBufferedBytes: 1024 * 1024,
  /**
   * The time between pings. A client that has not answered when the next ping is due is
   * disconnected.
   */
  pingSeconds: 30,
  /** How long the server waits for the client to close the connection as well. */
  closingSeconds: 1,
  /** The maximum size of a message from a client. Clients need not send any. */
  maxIncomingBytes: 1024,
  /** How many services are sent again after an event about their agent. */
  maxServicesOfAgent: 1000,
} as const;

/** If the database is slower than this, the server's health is DEGRADED instead of UP. */
export const databaseDegradedMs = 250;

/** Limits on the overview, which is read and sent in one turn of the event loop. */
export const healthMapServices = 5000;
export const overviewCommands = 5000;

/** How many rows the metrics read. */
export const commandDurationSamples = 1000;
export const topCommandErrors = 10;
