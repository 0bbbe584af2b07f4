// The folder of the built console in a run with browser tests. The setups of a run share the main process, and
// find each other's results only by this path.

import { tmpdir } from "node:os";
import { join } from "node:path";

/** The root of a project with `dist/console`. Call it in the main process. */
export function builtConsoleFolder(): string {
  return join(tmpdir(), `platform-test-console-${process.pid}`);
}
