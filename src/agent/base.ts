// What all parts of an agent share.

import type { Emit } from "./events/events.ts";
import type { Settings } from "./settings.ts";

export interface Base {
  settings: Settings;
  emit: Emit;
  /** Aborts all calls to the server and the services' functions. */
  line: AbortSignal;
}
