// Where the console is built for a run of tests, if there are tests of it: the setups of such a run share its
// main process, and know of each other by this alone.

import { tmpdir } from "node:os";
import { join } from "node:path";

/** The root of a project, with `dist/console`; to be asked in the main process. */
export function builtConsoleFolder(): string {
  return join(tmpdir(), `platform-test-console-${process.pid}`);
}
