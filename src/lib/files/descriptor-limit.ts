// How many files and sockets this process may have open at once.

import { readFileSync } from "node:fs";

/** Null if the system sets no limit, or does not report it. */
export function descriptorLimit(): number | null {
  const soft = fromProc() ?? fromReport();
  return Number.isSafeInteger(Number(soft)) ? Number(soft) : null;
}

/** For Linux; takes a fifth of a millisecond. */
function fromProc(): string | undefined {
  try {
    return /^Max open files\s+(\d+|unlimited)/m.exec(
      readFileSync("/proc/self/limits", "utf8"),
    )?.[1];
  } catch {
    return undefined;
  }
}

/** For other systems. Excludes the network interfaces, which would take longest. */
function fromReport(): string | undefined {
  // Newer than the type.
  const report = process.report as typeof process.report & { excludeNetwork: boolean };
  report.excludeNetwork = true;
  const { userLimits } = report.getReport() as {
    userLimits?: { open_files?: { soft: number | string } };
  };
  const soft = userLimits?.open_files?.soft;
  return soft === undefined ? undefined : String(soft);
}
