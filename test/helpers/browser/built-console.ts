// The folder of the built console in a run with browser tests. The setup files of a run share the
// main process, and find each other's results only through this path.

import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Returns the root of a project that contains `dist/console`. Must be called in the main process.
 */
export function builtConsoleFolder(): string {
  return join(tmpdir(), `platform-test-console-${process.pid}`);
}
