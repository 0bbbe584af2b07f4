// If a value cannot be read, its entry's source says why. The report is sent anyway.

import { basename } from "node:path";
import type { Json } from "../../../domain/payload/json.ts";
import { redact, redacted } from "../../../domain/secrets/redaction.ts";
import { isSecretName } from "../../../domain/secrets/secrecy.ts";
import { formatBytes } from "../../../lib/bytes.ts";
import { cutText } from "../../../lib/cut-text.ts";
import { parseStrictJson } from "../../../lib/json/strict-json.ts";
import { messageOf } from "../../connection/errors.ts";
import type { ConfigEntry } from "../../services/services.ts";
import type { ConfigSource } from "../config/config.ts";
import { type ConfigOrigin, pathIn } from "../config/config-origin.ts";
import { oneLine } from "../lines.ts";
import { ValueFile } from "./value-file.ts";

/** The maximum length of text or of a value's JSON, in UTF-16 code units. */
const maxPreview = 1024;
const cutMark = " (cut)";
/** The maximum total size of the previews of a service, and of a report, which can have 1 MiB. */
const maxPreviewBytes = { service: 256 * 1024, report: 768 * 1024 };
/** A whole report can have 32 levels. */
const maxPreviewDepth = 20;
/** The server's limit for a source. A long path loses its beginning, to leave room for a reason. */
const maxSource = 200;
const maxPath = 130;

/**
 * The returned function never rejects and never waits long. It does not read sensitive values, and
 * redacts values whose key, variable, file or pointer looks secret. `serviceCount` returns how many
 * services share a report.
 */
export function configEntriesOf(
  sources: readonly ConfigSource[],
  origin: ConfigOrigin,
  serviceCount: () => number = () => 1,
): () => Promise<ConfigEntry[]> {
  const files = new Map<string, ValueFile>();
  const fileAt: FileAt = (path, followLinks) => {
    const key = `${followLinks} ${path}`;
    const file = files.get(key) ?? new ValueFile(path, followLinks);
    files.set(key, file);
    return file;
  };
  const readers = sources.map((source) => {
    const entry = entryWithoutValue(source, origin);
    if (source.sensitive) {
      const withoutValue = { ...entry, type: source.type ?? "secret" };
      return async () => () => withoutValue;
    }
    return async () => {
      const [reading] = await Promise.allSettled([currentValue(source, origin, fileAt)]);
      return (room: Room) => withValue(entry, source, reading, room);
    };
  });
  return async () => {
    const entries = await Promise.all(readers.map((read) => read()));
    const share = Math.floor(maxPreviewBytes.report / serviceCount());
    const limitBytes = Math.min(maxPreviewBytes.service, share);
    const room: Room = { limitBytes, leftBytes: limitBytes };
    return entries.map((entryIn) => entryIn(room));
  };
}

type FileAt = (path: string, followLinks: boolean) => ValueFile;

interface Room {
  limitBytes: number;
  leftBytes: number;
}

type Entry = Omit<ConfigEntry, "type"> & { source: string };

function entryWithoutValue(source: ConfigSource, origin: ConfigOrigin): Entry {
  const { key, label, editable, sensitive, secretRef } = source;
  return {
    key,
    ...(label === undefined ? {} : { label }),
    source: originOf(source, origin),
    editable,
    sensitive,
    ...(secretRef === undefined ? {} : { secretRef }),
  };
}

function originOf({ env, file }: ConfigSource, origin: ConfigOrigin): string {
  if (env !== undefined) return oneLine(`env ${env}`, maxPath);
  if (file === undefined) return "agent.yaml";
  const path = pathIn(origin, file.path);
  const where = oneLine(file.pointer === "" ? path : `${path}#${file.pointer}`, Infinity);
  return `file ${where.length <= maxPath ? where : `…${where.slice(-maxPath).toWellFormed()}`}`;
}

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
    if (bytes > room.leftBytes) {
      throw new Error(`omitted, because the values exceed ${formatBytes(room.limitBytes)}`);
    }
    room.leftBytes -= bytes;
    return { ...entry, type: source.type ?? typeOf(value), valuePreview };
  } catch (error) {
    const why = oneLine(`${entry.source}: ${messageOf(error)}`, maxSource);
    return { ...entry, type: source.type ?? "unknown", source: why };
  }
}

/** Decides by the entry's key and by the name under which the value is stored. */
function isSecret({ key, env, file }: ConfigSource): boolean {
  const kept = file && (file.pointer === "" ? basename(file.path) : file.pointer);
  return [key, env, kept].some((name) => name !== undefined && isSecretName(name));
}

async function currentValue(
  { value, env, file }: ConfigSource,
  origin: ConfigOrigin,
  fileAt: FileAt,
): Promise<unknown> {
  if (env !== undefined) {
    const text = origin.env[env];
    if (text === undefined) throw new Error("it is not set");
    return text;
  }
  if (file === undefined) return value;
  const source = fileAt(pathIn(origin, file.path), file.followLinks);
  return file.pointer === "" ? source.whole() : source.at(file.pointer);
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** Returns the value itself if a report can contain it, otherwise its JSON as text. */
function previewOf(value: unknown): Json {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "null");
  if (text.length > maxPreview) return `${cutText(text, maxPreview - cutMark.length)}${cutMark}`;
  if (typeof value === "string") return text.toWellFormed();
  const parsed = parseStrictJson(text, maxPreviewDepth);
  return parsed.ok ? (parsed.value as Json) : text.toWellFormed();
}
