// What every part of an agent needs.

import type { Emit } from "./events/events.ts";
import type { Settings } from "./settings.ts";

export interface Base {
  settings: Settings;
  emit: Emit;
  /** Aborts every call to the server, and the functions of services. */
  line: AbortSignal;
}
