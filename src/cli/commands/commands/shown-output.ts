// Remembers the output that was shown while a command ran, so that the result does not repeat it.

import { stripVTControlCharacters } from "node:util";
import type { Reply } from "../../../api/index.ts";
import { isJsonObject, type Json } from "../../../domain/payload/json.ts";
import type { OutputPart } from "./output-sink.ts";

type Result = Reply<"commands.get">["result"];

/** How many characters of each stream to keep. Texts in results are seldom longer. */
const keptLength = 1024 * 1024;

export class ShownOutput {
  /** The beginning of the stream, because results contain the beginning of a long stdout. */
  #stdout = "";
  /** The end of the stream, because results contain the end of a long stderr. */
  #stderr = "";
  #hasGap = false;
  #isComplete = false;

  add(parts: readonly OutputPart[], isComplete: boolean): void {
    this.#isComplete = isComplete;
    for (const { kind, stream, text = "" } of parts) {
      if (kind !== "TEXT") this.#hasGap = true;
      else if (stream === "stderr") this.#stderr = (this.#stderr + text).slice(-keptLength);
      else if (this.#stdout.length < keptLength) this.#stdout += text;
    }
  }

  /** Whether there was output, and all of it was shown. */
  get isWhole(): boolean {
    return this.#isComplete && !this.#hasGap && this.#stdout + this.#stderr !== "";
  }

  /** Returns the result without copies of the output in the places where a sidecar puts them. */
  without(result: Result): Result {
    if (result === null) return null;
    const { output, error, ...rest } = result;
    return {
      ...rest,
      ...(output === undefined || this.#isOutput(output) ? {} : { output: this.#cut(output) }),
      ...(error === undefined ? {} : { error: this.#withoutStreams(error) }),
    };
  }

  #isOutput(value: Json): boolean {
    if (value === null || typeof value === "object") return false;
    return textOf(String(value)) === textOf(this.#stdout);
  }

  /** Handles `{ "truncated": true, …, "output" }`, which replaces an output that was too long. */
  #cut(value: Json): Json {
    if (!isJsonObject(value) || value.truncated !== true) return value;
    const { output, ...rest } = value;
    return this.#begins(output) ? rest : value;
  }

  #begins(value: Json | undefined): boolean {
    return isText(value) && textOf(this.#stdout).startsWith(textOf(value));
  }

  #withoutStreams(error: Json): Json {
    if (!isJsonObject(error) || !isJsonObject(error.details ?? null)) return error;
    const { stdout, stderr, ...others } = error.details as Record<string, Json>;
    const isEnd = isText(stderr) && textOf(this.#stderr).endsWith(textOf(stderr));
    const details = {
      ...others,
      ...(stdout === undefined || this.#begins(stdout) ? {} : { stdout }),
      ...(stderr === undefined || isEnd ? {} : { stderr }),
    };
    return { ...error, details };
  }
}

function isText(value: Json | undefined): value is string {
  return typeof value === "string";
}

/** Removes what differs between the output and the result of the same program. */
function textOf(text: string): string {
  const lines = stripVTControlCharacters(text).split(/[\r\n]+/);
  return lines.filter((line) => line.trim() !== "").join("\n");
}
