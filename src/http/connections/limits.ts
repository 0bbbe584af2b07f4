// The number of connections that the listener accepts, from the settings and the system's limit on open files.

import { operatorConnections, refusedConnections } from "./connections.ts";

/** For the database, the log, the console's files, child processes and the runtime. */
const otherDescriptors = 64;
/** Limited even if the system allows a million, because each connection takes memory. */
const mostByDefault = 20_000;
/** The default part of all connections for one address. */
const partOfOneAddress = 0.9;

export interface WantedConnections {
  /** Null for the default, or as many as the system allows. */
  maxConnections: number | null;
  /** Null for nine tenths of all. */
  maxConnectionsPerAddress: number | null;
}

/** `isCut` if the system allows fewer than the setting. */
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
