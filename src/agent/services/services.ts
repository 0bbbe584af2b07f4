// The services that an agent manages, as the program describes them. Written out, because this is what
// an editor shows to who writes an agent; a test holds it against the wire's schemas.

import type { Json, JsonObject } from "../../domain/payload/json.ts";
import type { DeliveredCommand } from "../work/commands.ts";

/** A value, or a function that is asked for it before each report; `signal` ends its asking. */
export type Live<T> = T | ((signal: AbortSignal) => T | Promise<T>);

/** `UP`, `DEGRADED`, `DOWN` or any other word; with a sentence and facts for the operator. */
export type Health = string | { status: string; message?: string; details?: Json };

/** A configuration value of a service, for operators to see. */
export interface ConfigEntry {
  key: string;
  /** What kind of value it is: `string`, `number`, `url` or any other word. */
  type: string;
  label?: string | undefined;
  /** Where the value comes from: a file, a variable. */
  source?: string | undefined;
  editable?: boolean | undefined;
  /** Its value never leaves the agent. */
  sensitive?: boolean | undefined;
  valuePreview?: Json | undefined;
  defaultValue?: Json | undefined;
  /** Where a secret is kept, in place of the secret. */
  secretRef?: string | undefined;
}

/**
 * A managed service. `code` is unique in the workspace. Without `health` the server shows it as
 * UNKNOWN; a `health` that throws, or takes over 10 s, is reported as DOWN with the reason. When another
 * function throws, or takes over 10 s, nothing is reported, and the report before it stays. The value
 * of a config entry that is `sensitive` never leaves the agent.
 */
export interface Service {
  code: string;
  name: string;
  version: Live<string>;
  description?: string;
  runtime?: Json;
  manifest?: Live<Json>;
  health?: Live<Health>;
  configs?: Live<ConfigEntry[]>;
  actions?: Action[];
}

/** An action as operators find it in the catalog of its service. */
export interface ActionEntry {
  /** One word, which tells it from the service's other actions. */
  name: string;
  /** Default: the name. */
  label?: string | undefined;
  description?: string | undefined;
  /** Default LOW. */
  dangerLevel?: "LOW" | "MEDIUM" | "HIGH" | undefined;
  /** Whether an operator has to type the name; by default what is HIGH asks for it. */
  requiresConfirmation?: boolean | undefined;
  /** 1 to 86,400; default 300. */
  timeoutSeconds?: number | undefined;
  /** JSON Schema of the payload; without one everything fits. */
  inputSchema?: JsonObject | undefined;
}

/** Something an operator can have done, and the functions that do it. */
export interface Action extends ActionEntry {
  /**
   * Answers the form for the operator; what is left out comes from the catalog. It has the action's
   * `timeoutSeconds`, at most 60 s (default 30 s), and must change nothing.
   */
  prepare?(context: ActionContext): Prepared | Promise<Prepared>;
  /**
   * Does it, and answers any JSON for the operator. The payload fits `inputSchema`. Not called again
   * for this service before it has ended; one that does not end when its time is over is waited for for
   * 10 s more. Throw ActionError for an honest failure; whatever else is
   * thrown becomes ACTION_FAILED with its message.
   */
  execute(payload: JsonObject, context: ActionContext): unknown;
}

export interface Prepared {
  inputSchema?: JsonObject;
  initialPayload?: Json;
  currentState?: Json;
}

export interface ActionContext {
  command: DeliveredCommand;
  /**
   * Aborted when the time is over (the command has then failed as ACTION_TIMED_OUT, whatever the
   * handler still does); when the agent stops: then the handler has a second to end by itself; and when
   * an operator cancels the command: then it has ten. `signal.reason` is an ActionError with the code
   * ACTION_TIMED_OUT, AGENT_STOPPED or COMMAND_CANCELLED. A handler that throws after a cancellation was
   * stopped; one that returns had finished. Operators see which.
   */
  signal: AbortSignal;
  /** Becomes an event `command.log`. */
  log(message: string, fields?: object): void;
}
