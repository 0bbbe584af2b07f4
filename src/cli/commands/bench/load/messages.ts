// The messages between `platform bench` and the processes that simulate its agents.

import type { SessionCredential } from "../../../../client/transport-http.ts";
import type { TallyData } from "../stats/tally.ts";

interface Place {
  url: string;
  ca?: string | undefined;
  /** The operator's credential: an API key or a session. */
  bearer?: string | undefined;
  session?: SessionCredential | undefined;
}

/** The part of the load that one process generates. */
export interface LoadPlan {
  place: Place;
  run: string;
  /** The numbers of its agents: `from`, `from + 1`, … */
  from: number;
  agents: number;
  actionsPerSecond: number;
  eventsPerSecond: number;
  /** How many registration tokens the process may create per second; null if there is no limit. */
  tokensPerSecond: number | null;
}

export type ToLoad =
  | { kind: "register"; plan: LoadPlan }
  /** Starts the actions and the events. */
  | { kind: "work" }
  /** Lets open actions end, and reports all agents OFFLINE. */
  | { kind: "stop" };

export interface LoadState {
  registered: number;
  /** Agents with an open long poll. */
  held: number;
  /** The share of time that the event loop was busy since the last message, 0 to 1. */
  busy: number;
  residentBytes: number;
  cpuSeconds: number;
}

export type FromLoad =
  /** The process listens for messages. */
  | { kind: "ready"; descriptors: number | null }
  | { kind: "tally"; tally: TallyData; state: LoadState }
  /** An error that no retry can fix. */
  | { kind: "failed"; message: string }
  | { kind: "stopped" };
