// Derives the number of connections that the listener accepts from the settings and the system's
// limit on open files.

import { operatorConnections, refusedConnections } from "./connections.ts";

/** Open files reserved for the database, the log, the console, child processes and the runtime. */
const otherDescriptors = 64;
/**
 * The default maximum. It applies even if the system allows a million, because each connection uses
 * memory.
 */
const mostByDefault = 20_000;
/** The default share of all connections for one address. */
const partOfOneAddress = 0.9;

export interface WantedConnections {
  /** The configured maximum. Null for the default, or less if the system allows fewer. */
  maxConnections: number | null;
  /** The configured maximum for one address; null for nine tenths of all connections. */
  maxConnectionsPerAddress: number | null;
}

/** Returns the limits. `isCut` means that the system allows fewer connections than the setting. */
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
