// The connections of a load process besides those for its agents' long polls.

/** For heartbeats, reports, results and registrations of all agents together. */
export const sharedConnections = 8;

/** The operator's calls in progress, each of which uses a connection. */
export const operatorCalls = 32;
