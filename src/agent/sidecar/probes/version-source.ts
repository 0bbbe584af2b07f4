// Which version of a service runs: written in the configuration, or asked for again and again.

import type { Json } from "../../../domain/payload/json.ts";
import { withTimeLimit } from "../../../lib/time-limit.ts";
import { withinTime } from "../../../lib/within-time.ts";
import { messageOf } from "../../connection/errors.ts";
import type { VersionConfig } from "../config/config.ts";
import { callHttp } from "../http-call.ts";
import { isSuccess, maxAnswerBytes, statusOf, valueIn } from "../json-answer.ts";
import { firstLine, oneLine } from "../lines.ts";
import type { Place } from "../place.ts";
import { askProgram } from "../programs/ask-program.ts";
import { Repeated } from "./repeated.ts";

type AskedVersion = Exclude<VersionConfig, string>;

/** What the server takes. */
const maxLength = 100;
/** A pattern that cannot be decided in this time is at fault: the agent does nothing else meanwhile. */
const patternMs = 200;

/** Before the first answer. */
export const unknownVersion = "unknown";

export interface VersionSourceOptions {
  config: VersionConfig;
  place: Place;
  /** Called when another version runs; must not throw. */
  onChange?: () => void;
  /** Called with the reason when it cannot be asked for, once for each reason in a row; must not throw. */
  onProblem?: (message: string) => void;
}

/** What cannot be asked for now is what it was last. */
export class VersionSource {
  readonly #config: VersionConfig;
  readonly #place: Place;
  readonly #onChange: () => void;
  readonly #onProblem: (message: string) => void;
  /** Null when the version is written in the configuration. */
  readonly #asking: Repeated | null;
  #version: string;
  #problem: string | null = null;

  constructor({ config, place, onChange, onProblem }: VersionSourceOptions) {
    this.#config = config;
    this.#place = place;
    this.#onChange = onChange ?? (() => undefined);
    this.#onProblem = onProblem ?? (() => undefined);
    const isAsked = typeof config !== "string";
    this.#version = isAsked ? unknownVersion : literal(config);
    this.#asking = isAsked ? new Repeated(config.intervalMs, (signal) => this.#ask(signal)) : null;
  }

  /** Asks at once, and at the interval from then on. */
  start(): void {
    this.#asking?.start();
  }

  /** At most 100 characters on one line. */
  current(): string {
    return this.#version;
  }

  /** Resolves after the first answer or failure, within the time-out; and on `stop`. */
  get first(): Promise<void> {
    return this.#asking?.first ?? Promise.resolve();
  }

  /** Ends the asking at once. The version stays as it was last. */
  async stop(): Promise<void> {
    await this.#asking?.stop();
  }

  async #ask(signal: AbortSignal): Promise<void> {
    try {
      const version = await readVersion(this.#config, this.#place, signal);
      this.#problem = null;
      const isOther = version !== this.#version;
      this.#version = version;
      if (isOther) this.#onChange();
    } catch (error) {
      if (signal.aborted) return;
      const problem = messageOf(error);
      if (problem !== this.#problem) this.#onProblem(problem);
      this.#problem = problem;
    }
  }
}

/** Asks once, within the time-out. Throws an Error whose message says why there is no version. */
export async function readVersion(
  config: VersionConfig,
  place: Place,
  signal: AbortSignal,
): Promise<string> {
  if (typeof config === "string") return literal(config);
  const text = await withTimeLimit(config.timeoutMs, signal, (ended) => {
    return config.http ? fromHttp(config.http, place, ended) : fromExec(config, place, ended);
  });
  const found = config.pattern === undefined ? firstLine(text) : match(config.pattern, text);
  const version = oneLine(found, maxLength);
  if (version === "") throw new Error("the answer is empty");
  return version;
}

function literal(text: string): string {
  return oneLine(text, maxLength) || unknownVersion;
}

async function fromHttp(
  { url, headers, pointer }: NonNullable<AskedVersion["http"]>,
  place: Place,
  signal: AbortSignal,
): Promise<string> {
  const call = { method: "GET", url, headers, maxBytes: maxAnswerBytes };
  const answer = await callHttp(call, place, signal);
  if (!isSuccess(answer)) throw new Error(`${statusOf(answer)}, expected 200–299`);
  return pointer === undefined ? answer.text : textOf(valueIn(answer, pointer), pointer);
}

function textOf(value: Json, pointer: string): string {
  if (typeof value === "string" || typeof value === "number") return String(value);
  throw new Error(`${pointer || "the answer"} is neither text nor a number`);
}

/** Many programs tell their version on standard error. */
async function fromExec({ exec }: AskedVersion, place: Place, signal: AbortSignal) {
  if (!exec) throw new Error("there is nothing to ask");
  const { stdout, stderr } = await askProgram(exec, place, signal);
  return firstLine(stdout) === "" ? stderr.join("\n") : stdout;
}

function match(pattern: RegExp, text: string): string {
  const matched = withinTime(patternMs, () => pattern.exec(text));
  if (matched.outcome !== "done") throw new Error(`${pattern} takes too long on the answer`);
  const [all, group] = matched.value ?? [];
  if (all === undefined) throw new Error(`the answer does not match ${pattern}`);
  return group ?? all;
}
