// The version of a running service, either fixed in the configuration or read at an interval.

import type { Json } from "../../../domain/payload/json.ts";
import { withTimeLimit } from "../../../lib/time-limit.ts";
import { withinTime } from "../../../lib/within-time.ts";
import { messageOf } from "../../connection/errors.ts";
import type { VersionConfig } from "../config/config.ts";
import type { Abortable, ConfigOrigin } from "../config/config-origin.ts";
import { callHttp } from "../http-call.ts";
import { isSuccess, maxResponseBytes, statusOf, valueIn } from "../json-response.ts";
import { firstLine, oneLine } from "../lines.ts";
import { askProgram } from "../programs/ask-program.ts";
import { Repeated } from "./repeated.ts";

type AskedVersion = Exclude<VersionConfig, string>;

/** The server's limit for a version. */
const maxLength = 100;
/** The time limit for matching the pattern, which blocks the agent. */
const patternMs = 200;

/** The version before the first successful read. */
const unknownVersion = "unknown";

export interface VersionSourceOptions {
  config: VersionConfig;
  origin: ConfigOrigin;
  /** Called when the version changes. It must not throw. */
  onChange?: () => void;
  /** Called once for consecutive failures with the same reason. It must not throw. */
  onProblem?: (message: string) => void;
}

/** Keeps the last version while the version cannot be read. */
export class VersionSource extends Repeated {
  readonly #options: VersionSourceOptions;
  #version: string;
  #problem: string | null = null;

  constructor(options: VersionSourceOptions) {
    const { config } = options;
    super(typeof config === "string" ? 0 : config.intervalMs);
    this.#options = options;
    this.#version = typeof config === "string" ? literal(config) : unknownVersion;
  }

  override start(): void {
    if (typeof this.#options.config !== "string") super.start();
    else void this.stop();
  }

  /** Returns at most 100 characters on one line. */
  current(): string {
    return this.#version;
  }

  protected override async work(signal: AbortSignal): Promise<void> {
    const { config, origin, onChange, onProblem } = this.#options;
    try {
      const version = await readVersion(config, { ...origin, signal });
      this.#problem = null;
      const isOther = version !== this.#version;
      this.#version = version;
      if (isOther) onChange?.();
    } catch (error) {
      if (signal.aborted) return;
      const problem = messageOf(error);
      if (problem !== this.#problem) onProblem?.(problem);
      this.#problem = problem;
    }
  }
}

/** Reads the version once, within the timeout. Throws an Error with the reason. */
export async function readVersion(config: VersionConfig, origin: Abortable): Promise<string> {
  if (typeof config === "string") return literal(config);
  const text = await withTimeLimit(config.timeoutMs, origin.signal, (signal) => {
    const asked = { ...origin, signal };
    return config.http ? fromHttp(config.http, asked) : fromExec(config, asked);
  });
  const found = config.pattern === undefined ? firstLine(text) : match(config.pattern, text);
  const version = oneLine(found, maxLength);
  if (version === "") throw new Error("the version is empty");
  return version;
}

function literal(text: string): string {
  return oneLine(text, maxLength) || unknownVersion;
}

async function fromHttp(
  { url, headers, pointer }: NonNullable<AskedVersion["http"]>,
  origin: Abortable,
): Promise<string> {
  const call = { method: "GET", url, headers, maxBytes: maxResponseBytes };
  const response = await callHttp(call, origin);
  if (!isSuccess(response)) throw new Error(`${statusOf(response)}, expected 200–299`);
  return pointer === undefined ? response.text : textOf(valueIn(response, pointer), pointer);
}

function textOf(value: Json, pointer: string): string {
  if (typeof value === "string" || typeof value === "number") return String(value);
  throw new Error(`${pointer || "the response"} is neither text nor a number`);
}

/** Many programs print their version to standard error. */
async function fromExec({ exec }: AskedVersion, origin: Abortable) {
  if (!exec) throw new Error("there is nothing to ask");
  const { stdout, stderr } = await askProgram(exec, origin);
  return firstLine(stdout) === "" ? stderr.join("\n") : stdout;
}

function match(pattern: RegExp, text: string): string {
  const matched = withinTime(patternMs, () => pattern.exec(text));
  if (matched.outcome !== "done") throw new Error(`${pattern} takes too long to match`);
  const [all, group] = matched.value ?? [];
  if (all === undefined) throw new Error(`nothing matches ${pattern}`);
  return group ?? all;
}
