// The types with which a program describes its services. They are written out because editors show
// them to agent authors; a test compares them with the schemas of the API.

import type { Json, JsonObject } from "../../domain/payload/json.ts";
import type { DeliveredCommand } from "../work/commands.ts";

/** A value, or a function that is called before each report; `signal` aborts the call. */
export type Live<T> = T | ((signal: AbortSignal) => T | Promise<T>);

/**
 * `UP`, `DEGRADED`, `DOWN` or any other word, with an optional sentence and details for operators.
 */
export type Health = string | { status: string; message?: string; details?: Json };

/** A configuration value of a service, as operators see it. */
export interface ConfigEntry {
  key: string;
  /** The kind of value: `string`, `number`, `url` or any other word. */
  type: string;
  label?: string | undefined;
  /** Where the value comes from, such as a file or a variable. */
  source?: string | undefined;
  editable?: boolean | undefined;
  /** The value never leaves the agent. */
  sensitive?: boolean | undefined;
  valuePreview?: Json | undefined;
  defaultValue?: Json | undefined;
  /** Where the secret is stored; shown instead of the secret. */
  secretRef?: string | undefined;
}

/**
 * A managed service; `code` is unique in the workspace. Without `health` the server shows it as
 * UNKNOWN. If `health` throws or takes more than 10 s, the service is reported as DOWN with the
 * reason. If another function does, the report fails and the previous one remains.
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

/** An action as operators see it in the catalog of its service. */
export interface ActionEntry {
  /** One word, unique in the service. */
  name: string;
  /** Default: the name. */
  label?: string | undefined;
  description?: string | undefined;
  /** Default LOW. */
  dangerLevel?: "LOW" | "MEDIUM" | "HIGH" | undefined;
  /** Whether an operator must type the name to confirm. Default: only for HIGH. */
  requiresConfirmation?: boolean | undefined;
  /** 1 to 86,400; default 300. */
  timeoutSeconds?: number | undefined;
  /** JSON Schema of the payload; without one, any payload is valid. */
  inputSchema?: JsonObject | undefined;
}

/** An action and its handlers. */
export interface Action extends ActionEntry {
  /**
   * Returns the form for the operator; omitted fields come from the catalog. Must not change
   * anything. Its timeout is `timeoutSeconds` (here default 30, at most 60).
   */
  prepare?(context: ActionContext): Prepared | Promise<Prepared>;
  /**
   * Runs the action and returns any JSON. The payload matches `inputSchema`. Executions of one
   * service do not overlap, except after a timeout, when the agent waits only 10 s for the handler.
   * Throw ActionError to fail the command; any other error becomes ACTION_FAILED.
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
   * Aborted with an ActionError as `signal.reason`, whose code is one of:
   * - ACTION_TIMED_OUT: the time is over, and the command has failed whatever the handler does.
   * - AGENT_STOPPED: the agent stops; the handler has 1 s to end.
   * - COMMAND_CANCELLED: an operator cancelled the command; the handler has 10 s. If it throws,
   *   operators see that it was stopped. If it returns, they see that it had finished.
   */
  signal: AbortSignal;
  /** Emits an event `command.log`. */
  log(message: string, fields?: object): void;
}
