// Reads a service's configuration file, as text or by JSON Pointer. Errors never quote the file.

import { formatBytes } from "../../../lib/bytes.ts";
import { lookUp } from "../../../lib/json/json-pointer.ts";
import { inTime } from "../../../lib/time-limit.ts";
import { readRegularFile } from "../regular-file.ts";

const structured = /\.(json|ya?ml)$/;

const maxFileBytes = 1024 * 1024;
/** The agent does nothing else while it parses YAML, which takes far longer than parsing JSON. */
const maxYamlBytes = 64 * 1024;

/** A hanging disk must not block the report. */
const patienceMs = 5_000;

type Reading = { text: string; cut: boolean; value?: Promise<unknown> };

export class ValueFile {
  readonly #path: string;
  readonly #followLinks: boolean;
  /** Shared by concurrent calls, so that several entries read and parse a file only once. */
  #reading: Promise<Reading> | null = null;
  #last: Reading | null = null;

  constructor(path: string, followLinks: boolean) {
    this.#path = path;
    this.#followLinks = followLinks;
  }

  /**
   * JSON and YAML files are parsed, so that secrets can be found in them. For other files, returns
   * the first MiB as text without trailing white space. Throws an Error with the reason.
   */
  async whole(): Promise<unknown> {
    if (structured.test(this.#path)) return this.at("");
    return (await this.#read()).text.trimEnd();
  }

  /** Throws an Error with the reason. */
  async at(pointer: string): Promise<unknown> {
    const reading = await this.#read();
    if (reading.cut) throw new Error(`it is larger than ${formatBytes(maxFileBytes)}`);
    reading.value ??= parse(this.#path, reading.text);
    const found = lookUp(await reading.value, pointer);
    if (!found.found) throw new Error("it has no such value");
    return found.value;
  }

  #read(): Promise<Reading> {
    this.#reading ??= this.#readAnew().finally(() => {
      this.#reading = null;
    });
    return inTime(patienceMs, this.#reading);
  }

  /** Keeps the parsed value if the content has not changed. */
  async #readAnew(): Promise<Reading> {
    const reading = await readRegularFile(this.#path, {
      maxBytes: maxFileBytes,
      followLinks: this.#followLinks,
    });
    const { text, cut } = this.#last ?? {};
    if (!this.#last || text !== reading.text || cut !== reading.cut) this.#last = reading;
    return this.#last;
  }
}

async function parse(path: string, text: string): Promise<unknown> {
  if (path.endsWith(".json")) return parseJson(text);
  if (/\.ya?ml$/.test(path)) return parseYaml(text);
  // A large JSON file is parsed much faster as JSON than as YAML.
  try {
    return parseJson(text);
  } catch {
    return parseYaml(text);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("it is not JSON");
  }
}

async function parseYaml(text: string): Promise<unknown> {
  if (Buffer.byteLength(text) > maxYamlBytes) {
    throw new Error(`it is larger than ${formatBytes(maxYamlBytes)}, the limit for YAML`);
  }
  const { LineCounter, parseDocument } = await import("yaml");
  const lineCounter = new LineCounter();
  const document = parseDocument(text, {
    lineCounter,
    logLevel: "error",
    merge: true,
    prettyErrors: false,
    // The check for unique keys takes quadratic time.
    uniqueKeys: false,
  });
  const [error] = document.errors;
  if (error) throw new Error(`it is not YAML: line ${lineCounter.linePos(error.pos[0]).line}`);
  try {
    return document.toJS();
  } catch {
    throw new Error("it is not YAML: its aliases cannot be resolved");
  }
}
