// Fixed limits on requests and stored values. config/config.ts has the configurable ones.

export const bodyLimitBytes = {
  register: 512 * 1024,
  heartbeat: 64 * 1024,
  report: 1024 * 1024,
  busEvent: 256 * 1024,
  /**
   * A plan contains a payload, and the form and the state from a prepare command, which can be as
   * large as a result.
   */
  plan: 2 * 1024 * 1024,
  commandOutput: 512 * 1024,
  declarations: 1024 * 1024,
  /** Applies before the sender is known. */
  login: 16 * 1024,
  default: 256 * 1024,
} as const;

/**
 * How many documents, services, rows and users one call may examine in total. Most of them take
 * about a microsecond each. A service of a rollout takes 50 microseconds, because its payload is
 * checked.
 */
export const workLimits = {
  /** 1000 documents that each choose from 10,000 services. */
  declarations: 10_000_000,
  /** Several times the size of a large fleet. */
  choice: 1_000_000,
  /** A page of a replay ends long before this limit. */
  replay: 100_000,
} as const;

/** How many heavy calls of one credential can wait for the one that runs. */
export const maxHeavyCallsWaiting = 8;

/** How many downloads (exports, backups, metrics) of one credential can be in progress. */
export const maxDownloadsPerCredential = 20;

/** How many bytes a result's envelope may add to its content. */
export const resultEnvelopeBytes = 1024;

/** The limits on clients. Refusals are counted for each of them. */
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
  "heavyCalls",
  "commandOutput",
  "logLines",
] as const;
export type LimitName = (typeof limitNames)[number];

export const maxIssues = 50;

export const jsonMaxDepth = 32;
/** A body's byte limit divided by this is its limit on objects, arrays and keys. */
export const jsonBytesPerPart = 16;
/** The same for results, so that rows of 16 bytes with two fields fit. */
export const resultBytesPerPart = 5;

export const maxServicesPerReport = 256;
export const maxClaimsShown = 100;
export const maxActionsPerService = 256;
/** A category is a short word, such as `diagnostics`. */
export const categoryMaxLength = 100;
export const actionOrderMax = 1_000_000;
export const maxConfigsPerService = 512;
/** The maximum number of services in one rollout. */
export const maxRolloutTargets = 10_000;
export const maxRolloutWaves = 20;
export const rolloutNameLength = 200;
/**
 * A rollout stores at most this many of the services that it leaves out, each with a text of at
 * most this length.
 */
export const leftOutServices = { shown: 20, text: 500 };
export const rolloutParallel = { default: 10, max: 1000 };
export const rolloutHealthSeconds = { min: 10, default: 180, max: 3600 };

export const scheduleEverySeconds = { min: 60, max: 366 * 86_400 };
/** How late a run can start. After this time, the run counts as missed. */
export const scheduleLateMs = 60_000;
/** Missed runs are counted up to this number. */
export const maxMissedRuns = 100;
export const scheduleNextRuns = { default: 5, max: 20 } as const;

/**
 * Limits on what operators can create. Rollouts, requests and tokens that have ended do not count.
 */
export const maxOpenRollouts = 200;
export const maxSchedules = 2000;
/** The maximum for one requester. One apply can request approval for all of its schedules. */
export const maxOpenApprovals = 1000;
export const maxActiveRegistrationTokens = 5000;

/** Limits on approval policies. */
export const maxApprovalPolicies = 200;
export const maxApprovers = 100;
export const policyOrder = { min: 0, default: 100, max: 1_000_000 };
export const approvalExpirySeconds = { min: 60, default: 86_400, max: 30 * 86_400 };
/** The overview counts the bypasses of this many days, and lists the newest ones. */
export const bypassesShown = { days: 7, newest: 5 } as const;

export const duplicatedAgentsShown = 10;

export const maxFeaturesPerAgent = 32;
/** The maximum for each agent and each service. */
export const maxLabels = 64;
export const maxOperatorLabels = 32;
export const maxSelectorLength = 2000;
export const maxSelectorRequirements = 20;
export const maxSelectorValues = 100;
export const inputSchemaMaxBytes = 64 * 1024;

/** How much of a structured result is shown at once. JSON shows everything. */
export const resultLimits = {
  fields: 50,
  rows: 200,
  /**
   * The maximum for a table in a browser, including the actions of its rows. A cell has up to five
   * elements.
   */
  cells: 2000,
  /** The maximum for each row, and for the whole list. */
  actions: 20,
  labelLength: 200,
  textLength: 1000,
} as const;

export const maxEventAttributes = 200;

/** Limits on routes of the bus. Each event is compared with all of them. */
export const maxBusRoutes = 500;
export const routeRuleMaxBytes = 16 * 1024;
export const maxDataClauses = 32;
export const maxPayloadFields = 100;
/** In UTF-16 code units of JSON. No event is larger, even if redaction has lengthened it. */
export const mappedPayloadMaxLength = 1024 * 1024;
/** How many routes can create a command from one event. The event fails at all other routes. */
export const maxLiveMatches = 20;
/** How many stored events one call can replay. */
export const replayLimit = { default: 200, max: 1000 } as const;

export const errorCodeMaxLength = 80;
export const errorMessageMaxLength = 500;

export const pollWaitSeconds = { default: 25, max: 60 } as const;
export const pollLimit = { default: 10, max: 10 } as const;
/** Larger than the number of commands that an agent can have at the same time. */
export const maxHeldCommands = 100;

/** How long the server keeps telling an agent that a command was cancelled while it ran. */
export const cancelNoticeMs = 60 * 60 * 1000;

export const maxRedeliveries = 3;

/** Saved views that only their user sees, and those that all users see. */
export const maxSavedViewsPerUser = 200;
export const maxSharedViews = 500;
/** The maximum for one apply. */
export const maxDeclarations = 1000;
export const maxDeclarationIssues = 1000;
/** A preview or apply has warnings for at most this many of its changes. */
export const maxChangesWarned = 20;

/** Limits on the output that agents send while commands run. Lengths are in UTF-16 code units. */
export const commandOutput = {
  /** Each call can have this many chunks of at most this length. */
  maxChunks: 256,
  maxChunkLength: 16 * 1024,
  /** The maximum for all commands of one agent together. */
  callsPerAgent: { calls: 200, seconds: 10 },
  /** How many calls one server stores at the same time, and how many more can wait. */
  storedAtOnce: 4,
  mostWaiting: 64,
  /** How long an ended command still accepts output that was on its way. */
  graceSeconds: 60,
  /** How long readers of an ended command wait for output that the agent has announced. */
  lateSeconds: 10,
  /** A page is full at this length. Only the first and the last pages of long output are kept. */
  pageLength: 16 * 1024,
  firstPages: 16,
  lastPages: 48,
  /** How many pages one response can contain. */
  pagesPerRead: 8,
} as const;

export const actionTimeoutSeconds = { default: 300, max: 24 * 60 * 60 } as const;
export const prepareTimeoutSeconds = { default: 30, max: 60 } as const;

/** A page of the results of a rollout ends before its outputs are longer than this. */
export const rolloutResultsBytes = 4 * 1024 * 1024;

/** How much of the last line of an output is shown, in UTF-16 code units. */
export const lastLineLength = 200;

/** In characters. A fingerprint identifies the state of a service. */
export const stateFingerprintMaxLength = 200;
/** How long after a prepare command its form and state can be the basis of an execution. */
export const planSeconds = 60 * 60;

export const commandWaitSecondsMax = 60;

export const pageSize = { default: 20, max: 200 } as const;

/**
 * Limits on one search: its results, the services and agents that it reads, and the actions whose
 * names it reads.
 */
export const searchLimit = { default: 20, max: 50 } as const;
export const searchedRows = 50_000;
export const searchedActionNames = 500;

/** The maximum cost of one page of a long list: the rows counted in an index, and the rows read. */
export const maxRowsCounted = 10_000;
export const maxRowsSearched = 2_500;

export const oneTimeSecretSeconds = 300;

export const idempotencyKeySeconds = 24 * 60 * 60;

/**
 * The length of the text as it is sent. One typed character can become several characters in it.
 */
export const passwordTextMaxLength = 512;
export const sessionMaxSeconds = 7 * 24 * 60 * 60;

/**
 * How long creating a backup may take (`making`, and `perGigabyte` of the database if that is
 * longer); how long a client waits for it; and how long its reader may pause.
 */
export const backupSeconds = {
  making: 900,
  perGigabyte: 600,
  client: 21_600,
  stalled: 60,
} as const;

export const registrationFailuresPerMinute = 60;
/** The maximum for one account from one network. */
export const loginFailuresPerAccount = { failures: 5, seconds: 15 * 60 } as const;
/** All networks from which the user has never signed in are counted together. */
export const loginFailuresElsewhere = { failures: 50, seconds: 15 * 60 } as const;
/** The most recently used networks are kept. */
export const familiarNetworksPerUser = 20;
export const loginFailuresPerAddress = { failures: 20, seconds: 60 } as const;
/** Failed sign-ins beyond this many in a minute are summarized in one audit row. */
export const failedLoginsAuditedPerMinute = 60;
/** How many separate audit rows per minute one actor gets for each kind of repeated event. */
export const maxAuditSumsInFull = 20;

/** A client that falls behind by more than the buffer is disconnected. */
export const streamLimits = {
  maxOpen: 200,
  /** The maximum for one user (with several tabs) or one API key (with several programs). */
  maxOpenPerCredential: 20,
  maxBufferedBytes: 1024 * 1024,
  /** A client that has not answered when the next ping is due is disconnected. */
  pingSeconds: 30,
  /** How long the server waits for the client to close the connection as well. */
  closingSeconds: 1,
  /** Clients need not send anything. */
  maxIncomingBytes: 1024,
  /** How many services are sent again after an event about their agent. */
  maxServicesOfAgent: 1000,
} as const;

/** Above this time, the server's health is DEGRADED instead of UP. */
export const databaseDegradedMs = 250;

/** Limits on the overview, whose responses are not split into pages. */
export const healthMapServices = 5000;
export const overviewCommands = 5000;
/** At most this many services that need attention are read. The rest are left out. */
export const attentionServices = 20_000;
/**
 * How much of what needs attention is shown: the groups, and the first services, agents and labels
 * of each group.
 */
export const attentionShown = {
  groups: 30,
  services: 5,
  agents: 5,
  labels: 3,
  candidates: 8,
} as const;
/** The maximum number of services that one request can name. */
export const maxNotedServices = 200;
export const noteMaxLength = 500;

export const commandDurationSamples = 1000;
export const topCommandErrors = 10;
