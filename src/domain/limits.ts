// Every number that bounds a request or a stored value. Units are in the names. Configurable limits are
// in config/config.ts.

export const bodyLimitBytes = {
  register: 512 * 1024,
  heartbeat: 64 * 1024,
  report: 1024 * 1024,
  busEvent: 256 * 1024,
  /** Read before it is known who sends it. */
  login: 16 * 1024,
  default: 256 * 1024,
} as const;

/** A result's envelope may be this much larger than the configured maximum of its content. */
export const resultEnvelopeBytes = 1024;

/** The limits on clients that are counted when they are reached. */
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

/** What is wrong with a request is told of so many places. */
export const maxIssues = 50;

export const jsonMaxDepth = 32;
/** A body may have one object, array or key for so many bytes of what its route allows. */
export const jsonBytesPerPart = 16;

export const maxServicesPerReport = 256;
/** Agents that a service's page names because they report it in vain. */
export const maxClaimsShown = 100;
export const maxActionsPerService = 256;
export const maxConfigsPerService = 512;
export const maxLabelsPerAgent = 64;
export const inputSchemaMaxBytes = 64 * 1024;

/** Of an envelope, known ones and extensions. */
export const maxEventAttributes = 200;

/** A route of the bus: the size of its body, and how much it may look at and hand on. */
export const routeRuleMaxBytes = 16 * 1024;
export const maxDataClauses = 32;
export const maxPayloadFields = 100;
/** Routes that one event may be carried out by; it fails at all others that it matches. */
export const maxLiveMatches = 20;
/** Stored events that one call replays at most. */
export const replayLimit = { default: 200, max: 1000 } as const;

export const errorCodeMaxLength = 80;
export const errorMessageMaxLength = 500;

export const pollWaitSeconds = { default: 25, max: 60 } as const;
export const pollLimit = { default: 10, max: 10 } as const;
/** More ids than an agent can hold in hand; the query string is bounded by the header size too. */
export const maxHeldCommands = 100;

/** For so long agents hear of commands that were cancelled while they ran. */
export const cancelNoticeMs = 60 * 60 * 1000;

/** A command that was delivered is delivered again at most this often. */
export const maxRedeliveries = 3;

export const actionTimeoutSeconds = { default: 300, max: 24 * 60 * 60 } as const;
export const prepareTimeoutSeconds = { default: 30, max: 60 } as const;

export const commandWaitSecondsMax = 60;

export const pageSize = { default: 20, max: 200 } as const;

/** What a page of a long list costs at most: rows that are counted in an index, and rows that are read. */
export const maxRowsCounted = 10_000;
export const maxRowsSearched = 2_500;

export const oneTimeSecretSeconds = 300;

/** How long the first answer to an Idempotency-Key is returned again. */
export const idempotencyKeySeconds = 24 * 60 * 60;

/** A password as it is sent: a keyboard may send a character in several parts. */
export const passwordTextMaxLength = 512;
export const sessionMaxSeconds = 7 * 24 * 60 * 60;

/** How long a backup may take to make, and its reader take nothing of it. */
export const backupSeconds = { making: 900, stalled: 60 } as const;

export const registrationFailuresPerMinute = 60;
/** Of one account from one network. */
export const loginFailuresPerAccount = { failures: 5, seconds: 15 * 60 } as const;
/** Of one account from all networks that it has not signed in from before. */
export const loginFailuresElsewhere = { failures: 50, seconds: 15 * 60 } as const;
/** The networks that each user has signed in from; the longest unused is forgotten. */
export const familiarNetworksPerUser = 20;
export const loginFailuresPerAddress = { failures: 20, seconds: 60 } as const;
/** More failed logins than this are summed into one audit row a minute. */
export const failedLoginsToldPerMinute = 60;
/** Refused calls, late results and repeated events that one actor has audit rows of in a minute. */
export const maxAuditSumsInFull = 20;

/** Live streams. A reader who is further behind than the buffer allows is dropped. */
export const streamLimits = {
  maxOpen: 200,
  /** Of one user or API key: tabs, and programs that share a key. */
  maxOpenPerCredential: 20,
  maxBufferedBytes: 1024 * 1024,
  /** Who has not answered one ping when the next is due is gone. */
  pingSeconds: 30,
  /** For the other end to close as well, before it is hung up on. */
  closingSeconds: 1,
  /** Clients have nothing to say. */
  maxIncomingBytes: 1024,
  /** Told anew when something happens to their agent. */
  maxServicesOfAgent: 1000,
} as const;

/** What a service must answer in to be UP rather than DEGRADED. */
export const databaseDegradedMs = 250;

/** What the overview shows at most: so much is read and sent in one turn of the event loop. */
export const healthMapServices = 5000;
export const overviewCommands = 5000;

/** What the metrics look at. */
export const commandDurationSamples = 1000;
export const topCommandErrors = 10;
