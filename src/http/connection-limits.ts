// How many connections the listener takes, from the settings and from what the system allows the process.

import { operatorConnections, toldConnections } from "./connections.ts";

/** For the database, the log, the console's files, child processes and what the runtime itself has open. */
const otherDescriptors = 64;
/** Where the system sets no limit. */
const withoutLimit = 20_000;
/** Of all connections: what one address may have, when no setting says otherwise. */
const partOfOneAddress = 0.9;

export interface WantedConnections {
  /** Null: as many as the descriptors allow. */
  maxConnections: number | null;
  /** Null: nine tenths of all. */
  maxConnectionsPerAddress: number | null;
}

/** `isCut`: the descriptors do not suffice for what was wanted. */
export function connectionLimits(
  { maxConnections, maxConnectionsPerAddress }: WantedConnections,
  descriptors: number | null,
): { most: number; mostPerAddress: number; isCut: boolean } {
  const kept = otherDescriptors + operatorConnections + toldConnections;
  const possible = descriptors === null ? null : Math.max(16, descriptors - kept);
  const wanted = maxConnections ?? possible ?? withoutLimit;
  const most = Math.min(wanted, possible ?? wanted);
  const mostPerAddress = maxConnectionsPerAddress ?? Math.ceil(most * partOfOneAddress);
  return { most, mostPerAddress, isCut: most < wanted };
}
