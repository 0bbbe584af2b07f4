// A configuration file of a service, out of which values are told: its text, and what pointers find in
// it. What is said about a file that cannot be used quotes nothing of it, for it may hold secrets.

import { formatBytes } from "../../../lib/bytes.ts";
import { lookUp } from "../../../lib/json/json-pointer.ts";
import { inTime } from "../../../lib/time-limit.ts";
import { readRegularFile } from "../regular-file.ts";

const structured = /\.(json|ya?ml)$/;

const maxFileBytes = 1024 * 1024;
/** The agent does nothing else while YAML is parsed, and that takes a while: far longer than JSON. */
const maxYamlBytes = 64 * 1024;

/** A file on a disk that does not answer would else keep reports from going. */
const patienceMs = 5_000;

type Reading = { text: string; cut: boolean; value?: Promise<unknown> };

export class ValueFile {
  readonly #path: string;
  readonly #followLinks: boolean;
  /** All who ask at the same time get the same, and one that hangs is not asked twice. */
  #reading: Promise<Reading> | null = null;
  #last: Reading | null = null;

  constructor(path: string, followLinks: boolean) {
    this.#path = path;
    this.#followLinks = followLinks;
  }

  /**
   * What a JSON or YAML file (by its name) holds, so that secrets are found in it; of any other the first
   * MiB as text, without the last line's end. Throws an Error that says why not.
   */
  async whole(): Promise<unknown> {
    if (structured.test(this.#path)) return this.at("");
    return (await this.#read()).text.trimEnd();
  }

  /** What the pointer finds. Throws an Error that says why nothing. */
  async at(pointer: string): Promise<unknown> {
    const reading = await this.#read();
    if (reading.cut) throw new Error(`it is over ${formatBytes(maxFileBytes)}`);
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

  /** What has not changed is not parsed again. */
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
  // YAML takes nearly all JSON; a large one is parsed much faster as what it is.
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
    throw new Error(`as YAML it is over ${formatBytes(maxYamlBytes)}`);
  }
  const { LineCounter, parseDocument } = await import("yaml");
  const lineCounter = new LineCounter();
  const document = parseDocument(text, {
    lineCounter,
    logLevel: "error",
    merge: true,
    prettyErrors: false,
    // To look for repeated ones takes the square of their number.
    uniqueKeys: false,
  });
  const [error] = document.errors;
  if (error) throw new Error(`it is not YAML: line ${lineCounter.linePos(error.pos[0]).line}`);
  try {
    return document.toJS();
  } catch {
    throw new Error("it is not YAML: its aliases cannot be followed");
  }
}
