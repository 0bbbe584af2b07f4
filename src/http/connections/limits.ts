// How many connections the listener takes, from the settings and from what the system allows the process.

import { operatorConnections, toldConnections } from "./connections.ts";

/** For the database, the log, the console's files, child processes and what the runtime itself has open. */
const otherDescriptors = 64;
/** When no setting says otherwise; a system may allow a million, and each connection takes memory. */
const mostByDefault = 20_000;
/** Of all connections: what one address may have, when no setting says otherwise. */
const partOfOneAddress = 0.9;

export interface WantedConnections {
  /** Null: the default, or as many as the descriptors allow. */
  maxConnections: number | null;
  /** Null: nine tenths of all. */
  maxConnectionsPerAddress: number | null;
}

/** `isCut`: the descriptors do not suffice for what was set. */
export function connectionLimits(
  { maxConnections, maxConnectionsPerAddress }: WantedConnections,
  descriptors: number | null,
): { most: number; mostPerAddress: number; isCut: boolean } {
  const kept = otherDescriptors + operatorConnections + toldConnections;
  const possible =
    descriptors === null ? Number.POSITIVE_INFINITY : Math.max(16, descriptors - kept);
  const most = Math.min(maxConnections ?? mostByDefault, possible);
  const mostPerAddress = maxConnectionsPerAddress ?? Math.ceil(most * partOfOneAddress);
  return { most, mostPerAddress, isCut: maxConnections !== null && most < maxConnections };
}
