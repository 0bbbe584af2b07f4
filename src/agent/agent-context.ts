import type { Emit } from "./events/events.ts";
import type { Settings } from "./settings.ts";

export interface AgentContext {
  settings: Settings;
  emit: Emit;
  /** Aborts all calls to the server and to the services' functions. */
  stopSignal: AbortSignal;
}
