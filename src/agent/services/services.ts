// The types with which a program describes its services. They are written by hand instead of
// inferred from the API's schemas, because editors then show readable types. A test compares them
// with the schemas.

import type { Json, JsonObject } from "../../domain/payload/json.ts";
import type { DeliveredCommand } from "../work/commands.ts";

/** A value, or a function that is called before each report. `signal` aborts the call. */
export type Live<T> = T | ((signal: AbortSignal) => T | Promise<T>);

/**
 * `UP`, `DEGRADED`, `DOWN` or any other word, with an optional message and details. A message is
 * cut to 500 characters.
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
  /** Whether the value is secret. A sensitive value never leaves the agent. */
  sensitive?: boolean | undefined;
  valuePreview?: Json | undefined;
  defaultValue?: Json | undefined;
  /** Where the secret is stored; shown instead of the secret. */
  secretRef?: string | undefined;
}

/**
 * A managed service; `code` is unique in the workspace. Without `health` the server shows it as
 * UNKNOWN. If `health` throws or takes more than 10 s, the service is reported as DOWN with the
 * reason. If another function throws or takes too long, the report fails and the server keeps the
 * previous one.
 */
export interface Service {
  code: string;
  name: string;
  version: Live<string>;
  description?: string;
  runtime?: Json;
  /** Names with values. Operators select services by these and by the agent's labels. */
  labels?: Record<string, string>;
  manifest?: Live<Json>;
  health?: Live<Health>;
  configs?: Live<ConfigEntry[]>;
  actions?: Action[];
}

/** An action as operators see it in the catalog of its service. */
export interface ActionEntry {
  /** The name: one word, unique in the service. */
  name: string;
  /** The label for operators. Default: the name. */
  label?: string | undefined;
  description?: string | undefined;
  /** The heading for the action in lists: `account`, `diagnostics` or any other word. */
  category?: string | undefined;
  /** The place in the category. Lower whole numbers come first; the default is the last place. */
  order?: number | undefined;
  /**
   * Whether lists leave the action out, because only results offer it. It can still be run by its
   * name. Default: true for the categories `row-action` and `page-action`.
   */
  hidden?: boolean | undefined;
  /** How dangerous the action is. Default: LOW. */
  dangerLevel?: "LOW" | "MEDIUM" | "HIGH" | undefined;
  /** Whether operators must confirm the action. Default: only for HIGH. */
  requiresConfirmation?: boolean | undefined;
  /** 1 to 86,400; default 300. */
  timeoutSeconds?: number | undefined;
  /** The JSON Schema of the payload. Without a schema, any payload is valid. */
  inputSchema?: JsonObject | undefined;
}

/** An action and its handlers. `Payload` is what `inputSchema` describes. */
export interface Action<Payload = JsonObject> extends ActionEntry {
  /**
   * Returns the form for the operator; omitted fields come from the catalog. Must not change
   * anything. The timeout is `timeoutSeconds`, but at most 60 and by default 30. If the operator
   * wants the action to run only while `currentState` is unchanged, `prepare` is also called before
   * `execute`, within the timeout of `execute`; `context.command` is then the execution.
   */
  prepare?(context: ActionContext): Prepared | Promise<Prepared>;
  /**
   * Runs the action and returns any JSON. The payload matches `inputSchema`. Executions of one
   * service do not overlap, unless a handler continues for more than 10 s after its timeout. Throw
   * ActionError to fail the command; any other error becomes ACTION_FAILED.
   */
  execute(payload: Payload, context: ActionContext): unknown;
}

export interface Prepared {
  inputSchema?: JsonObject;
  initialPayload?: Json;
  currentState?: Json;
  /**
   * Identifies the state, in up to 200 characters. Default: the SHA-256 of `currentState`. Set it
   * if `currentState` contains values that always change, such as an uptime.
   */
  stateFingerprint?: string;
}

export interface OutputWriter {
  /** Never throws, and does not wait for the server. Bytes are UTF-8. */
  write(content: string | Uint8Array): void;
}

/**
 * Output that operators see while the handler runs, and afterwards with the command. The output of
 * a prepare command is discarded. If there is more than can be sent, parts are omitted, and
 * operators see how much.
 */
export interface ActionOutput extends OutputWriter {
  /** Shown as errors. */
  readonly stderr: OutputWriter;
  /**
   * Replaces these texts with `[REDACTED]` in later output and in the result, in the same way as
   * the secrets of the payload. A form keeps them, because the operator sends it back. Texts of
   * fewer than four characters are not replaced.
   */
  hide(...secrets: string[]): void;
}

export interface ActionContext {
  command: DeliveredCommand;
  output: ActionOutput;
  /**
   * When it is aborted, `signal.reason` is an ActionError with one of these codes:
   * - ACTION_TIMED_OUT: the timeout has passed, and the command has failed whatever the handler
   *   does.
   * - AGENT_STOPPED: the agent is stopping, and the handler has 1 s to end.
   * - COMMAND_CANCELLED: an operator cancelled the command, and the handler has 10 s to end. The
   *   command counts as stopped if the handler throws, and as finished if it returns.
   */
  signal: AbortSignal;
  /** Emits a `command.log` event. */
  log(message: string, fields?: object): void;
}
