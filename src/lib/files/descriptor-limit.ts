// Finds how many files and sockets this process may have open at the same time.

import { readFileSync } from "node:fs";

/** Returns the limit; null if the system sets no limit or does not report it. */
export function descriptorLimit(): number | null {
  const soft = fromProc() ?? fromReport();
  return Number.isSafeInteger(Number(soft)) ? Number(soft) : null;
}

/** Reads the limit on Linux, which takes a fifth of a millisecond. */
function fromProc(): string | undefined {
  try {
    return /^Max open files\s+(\d+|unlimited)/m.exec(
      readFileSync("/proc/self/limits", "utf8"),
    )?.[1];
  } catch {
    return undefined;
  }
}

/**
 * Reads the limit on other systems. The report excludes the network interfaces, which would take
 * the most time.
 */
function fromReport(): string | undefined {
  // Node's types do not have this property yet.
  const report = process.report as typeof process.report & { excludeNetwork: boolean };
  report.excludeNetwork = true;
  const { userLimits } = report.getReport() as {
    userLimits?: { open_files?: { soft: number | string } };
  };
  const soft = userLimits?.open_files?.soft;
  return soft === undefined ? undefined : String(soft);
}
