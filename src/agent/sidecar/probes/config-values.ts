// What operators are told of a service's configuration: each entry with its value of now, and where it
// is from. A value that cannot be read is left out, and its source says why: no file can stop a report.

import { basename } from "node:path";
import type { Json } from "../../../domain/payload/json.ts";
import { looksSecret, redact, redacted } from "../../../domain/payload/redaction.ts";
import { formatBytes } from "../../../lib/bytes.ts";
import { cutText } from "../../../lib/cut-text.ts";
import { parseStrictJson } from "../../../lib/json/strict-json.ts";
import { messageOf } from "../../connection/errors.ts";
import type { ConfigEntry } from "../../services/services.ts";
import type { ConfigSource } from "../config/config.ts";
import { oneLine } from "../lines.ts";
import { type Place, pathIn } from "../place.ts";
import { ValueFile } from "./value-file.ts";

/** In UTF-16 units, of a text and of the JSON of anything else. */
const maxPreview = 1024;
const cutMark = " (cut)";
/** Of all previews of a service, as JSON: a report holds 1 MiB. */
const maxPreviewBytes = 256 * 1024;
/** A report may be nested 32 levels deep in all. */
const maxPreviewDepth = 20;
/** What the server takes; of a long path the end is kept, so that there is room for a reason. */
const maxSource = 200;
const maxPath = 130;

/**
 * Answers the entries as they are when it is called: files are read anew each time. Never rejects, and
 * never waits long. The value of a sensitive entry is not read; what looks like a secret by its name,
 * or by that of where it is from, is replaced here already. Values are told in their order, as many as
 * fit into 256 KiB.
 */
export function configEntriesOf(
  sources: readonly ConfigSource[],
  place: Place,
): () => Promise<ConfigEntry[]> {
  const files = new Map<string, ValueFile>();
  const fileAt: FileAt = (path, followLinks) => {
    const key = `${followLinks} ${path}`;
    const file = files.get(key) ?? new ValueFile(path, followLinks);
    files.set(key, file);
    return file;
  };
  const readers = sources.map((source) => {
    const entry = entryWithoutValue(source, place);
    if (source.sensitive) {
      const withoutValue = { ...entry, type: source.type ?? "secret" };
      return async () => () => withoutValue;
    }
    return async () => {
      const [reading] = await Promise.allSettled([currentValue(source, place, fileAt)]);
      return (room: Room) => withValue(entry, source, reading, room);
    };
  });
  return async () => {
    const room: Room = { bytes: maxPreviewBytes };
    const tellers = await Promise.all(readers.map((read) => read()));
    return tellers.map((tell) => tell(room));
  };
}

type FileAt = (path: string, followLinks: boolean) => ValueFile;

/** What is left for previews. */
interface Room {
  bytes: number;
}

type Entry = Omit<ConfigEntry, "type"> & { source: string };

function entryWithoutValue(source: ConfigSource, place: Place): Entry {
  const { key, label, editable, sensitive, secretRef } = source;
  return {
    key,
    ...(label === undefined ? {} : { label }),
    source: originOf(source, place),
    editable,
    sensitive,
    ...(secretRef === undefined ? {} : { secretRef }),
  };
}

function originOf({ env, file }: ConfigSource, place: Place): string {
  if (env !== undefined) return oneLine(`env ${env}`, maxPath);
  if (file === undefined) return "agent.yaml";
  const path = pathIn(place, file.path);
  const where = oneLine(file.pointer === "" ? path : `${path}#${file.pointer}`, Infinity);
  return `file ${where.length <= maxPath ? where : `…${where.slice(-maxPath).toWellFormed()}`}`;
}

/** Takes the preview's bytes out of the room. */
function withValue(
  entry: Entry,
  source: ConfigSource,
  reading: PromiseSettledResult<unknown>,
  room: Room,
): ConfigEntry {
  try {
    if (reading.status === "rejected") throw reading.reason;
    const { value } = reading;
    const valuePreview = previewOf(isSecret(source) ? redacted : redact(value));
    const bytes = Buffer.byteLength(JSON.stringify(valuePreview));
    if (bytes > room.bytes) {
      throw new Error(`left out, the values would be over ${formatBytes(maxPreviewBytes)}`);
    }
    room.bytes -= bytes;
    return { ...entry, type: source.type ?? typeOf(value), valuePreview };
  } catch (error) {
    const why = oneLine(`${entry.source}: ${messageOf(error)}`, maxSource);
    return { ...entry, type: source.type ?? "unknown", source: why };
  }
}

/** By the look of the entry's key, or of the name under which its value is kept. */
function isSecret({ key, env, file }: ConfigSource): boolean {
  const kept = file && (file.pointer === "" ? basename(file.path) : file.pointer);
  return [key, env, kept].some((name) => name !== undefined && looksSecret(name));
}

async function currentValue(
  { value, env, file }: ConfigSource,
  place: Place,
  fileAt: FileAt,
): Promise<unknown> {
  if (env !== undefined) {
    const text = place.env[env];
    if (text === undefined) throw new Error("it is not set");
    return text;
  }
  if (file === undefined) return value;
  const source = fileAt(pathIn(place, file.path), file.followLinks);
  return file.pointer === "" ? source.whole() : source.at(file.pointer);
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** The value itself when a report can carry it, else its JSON as text, or the beginning of that. */
function previewOf(value: unknown): Json {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "null");
  if (text.length > maxPreview) return `${cutText(text, maxPreview - cutMark.length)}${cutMark}`;
  if (typeof value === "string") return text.toWellFormed();
  const parsed = parseStrictJson(text, maxPreviewDepth);
  return parsed.ok ? (parsed.value as Json) : text.toWellFormed();
}
