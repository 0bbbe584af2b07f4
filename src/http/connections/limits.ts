// The limits of a listener. The settings and the system's limit on open files decide how many
// connections it accepts.

import { operatorConnections, refusedConnections } from "./connections.ts";

/** The descriptors for the database, the log, the console, child processes and the runtime. */
const otherDescriptors = 64;
/** This applies even if the system allows a million, because each connection uses memory. */
const mostByDefault = 20_000;
const partOfOneAddress = 0.9;

export interface ListenerLimits {
  /** If null, the default applies, or a smaller number if the system does not allow so many. */
  maxConnections: number | null;
  /** If null, nine tenths of all connections. */
  maxConnectionsPerAddress: number | null;
  maxPendingBodyBytes: number; // of all requests together
  maxPendingOutputBytes: number; // of all connections together
  /** How long a client can leave its response unread before its connection is closed. */
  stalledOutputSeconds: number;
  maxRequestsPerSecond: number; // per credential; 0 means no limit
  largestBodyBytes: number;
}

type WantedConnections = Pick<ListenerLimits, "maxConnections" | "maxConnectionsPerAddress">;

/** `isCut` means that the system allows fewer connections than the setting. */
export function connectionLimits(
  { maxConnections, maxConnectionsPerAddress }: WantedConnections,
  descriptors: number | null,
): { most: number; mostPerAddress: number; isCut: boolean } {
  const kept = otherDescriptors + operatorConnections + refusedConnections;
  const possible =
    descriptors === null ? Number.POSITIVE_INFINITY : Math.max(16, descriptors - kept);
  const most = Math.min(maxConnections ?? mostByDefault, possible);
  const mostPerAddress = maxConnectionsPerAddress ?? Math.ceil(most * partOfOneAddress);
  return { most, mostPerAddress, isCut: maxConnections !== null && most < maxConnections };
}
