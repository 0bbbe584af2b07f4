// The setup files of a test run find the built console through this path.

import { tmpdir } from "node:os";
import { join } from "node:path";

/** Contains `dist/console`. Must be called in the main process. */
export function builtConsoleFolder(): string {
  return join(tmpdir(), `platform-test-console-${process.pid}`);
}
