// Reads declarations from files, and finds the place of each problem in them.

import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import type { Body } from "../../../api/index.ts";
import { AppError, type Issue } from "../../../domain/errors.ts";
import { jsonMaxDepth } from "../../../domain/limits.ts";
import { isJsonObject } from "../../../domain/payload/json.ts";
import { compareTexts } from "../../../lib/compare-texts.ts";
import { readYamlDocuments, type YamlSource } from "../../../lib/json/yaml-source.ts";
import { CliError, exit } from "../../exit.ts";
import type { Io } from "../../terminal/io.ts";
import { type Found, findFiles } from "./folder.ts";

type Sent = Body<"declarations.preview">["documents"][number];

interface ReadDocument {
  /** The path of the document's file as users see it. */
  path: string;
  source: YamlSource;
  sent: Sent;
}

interface PlacedProblem {
  file: string;
  line?: number | undefined;
  column?: number | undefined;
  message: string;
}

export interface Documents {
  documents: ReadDocument[];
  problems: PlacedProblem[];
}

/** The body of the request has three levels around each document. */
const maxDepth = jsonMaxDepth - 3;

/** `-` means standard input. */
export async function readDocuments(
  io: Io,
  { paths, followsLinks }: { paths: readonly string[]; followsLinks: boolean },
  signal: AbortSignal,
): Promise<Documents> {
  const read: Documents = { documents: [], problems: [] };
  for (const path of paths) {
    const { files, problems } =
      path === "-" ? await fromStdin(io, signal) : findFiles(path, followsLinks);
    read.problems.push(...problems.map(({ path: file, message }) => ({ file, message })));
    for (const file of files) addFile(read, file);
  }
  return read;
}

async function fromStdin(io: Io, signal: AbortSignal): Promise<Found> {
  const bytes = Buffer.from(await io.readStdin(signal));
  return { files: [{ path: "standard input", name: "-", bytes }], problems: [] };
}

function addFile({ documents, problems }: Documents, { path, name, bytes }: Found["files"][0]) {
  if (!isUtf8(bytes) || bytes.includes(0)) {
    problems.push({ file: path, message: "is not text in UTF-8" });
    return;
  }
  const digest = createHash("sha256").update(bytes).digest("hex");
  const text = new TextDecoder().decode(bytes);
  for (const source of readYamlDocuments(text, maxDepth)) {
    if (source.problems.length > 0) {
      problems.push(...source.problems.map((problem) => ({ file: path, ...problem })));
    } else {
      // The server checks the document.
      const document = source.value as Sent["document"];
      documents.push({ path, source, sent: { file: name.slice(-1000), digest, document } });
    }
  }
}

/** Returns the mistakes that the server has found; null for any other error. */
export function problemsIn(
  error: unknown,
  documents: readonly ReadDocument[],
): PlacedProblem[] | null {
  if (!(error instanceof AppError) || error.code !== "VALIDATION_FAILED") return null;
  const issues = error.details?.issues;
  if (!Array.isArray(issues)) return null;
  const placed = issues.map((issue: Issue) => placeOf(issue, documents));
  return placed.every((problem) => problem !== null) ? placed : null;
}

function placeOf({ path, message }: Issue, documents: readonly ReadDocument[]) {
  const [, index, inner = ""] = /^documents\.(\d+)\.document(?:\.(.*))?$/s.exec(path) ?? [];
  const document = index === undefined ? undefined : documents[Number(index)];
  if (!document) return null;
  const { path: file, source } = document;
  const place = source.placeOf(stepsOf(source.value, inner));
  const where = inner === "" ? "" : `${inner}: `;
  return { file, ...place, message: `${where}${message}` };
}

/** Splits a dotted path at the keys of the value, because keys can contain dots. */
function stepsOf(value: unknown, path: string): string[] {
  if (path === "") return [];
  const keys = typeof value === "object" && value !== null ? Object.keys(value) : [];
  const fitting = keys.filter((key) => path === key || path.startsWith(`${key}.`));
  const step = fitting.toSorted((one, other) => other.length - one.length)[0];
  if (step === undefined) return [path];
  const inner = isJsonObject(value) || Array.isArray(value) ? Reflect.get(value, step) : undefined;
  return [step, ...stepsOf(inner, path.slice(step.length + 1))];
}

/** Reports all mistakes at once, each with its place in a file. */
export function mistakes(problems: readonly PlacedProblem[]): CliError {
  const inOrder = sorted(problems);
  const lines = inOrder.map(({ file, line, column, message }) => {
    const place = [file, line, column].filter((part) => part !== undefined).join(":");
    return `${place}: ${message.replaceAll("\n", " ")}`;
  });
  const text = `nothing was changed, because of ${problems.length === 1 ? "a mistake" : `${problems.length} mistakes`}:`;
  return new CliError(exit.usage, `${text}\n  ${lines.join("\n  ")}`, {
    code: "VALIDATION_FAILED",
    details: { problems: inOrder },
  });
}

function sorted(problems: readonly PlacedProblem[]): PlacedProblem[] {
  return problems.toSorted(
    (one, other) =>
      compareTexts(one.file, other.file) ||
      (one.line ?? 0) - (other.line ?? 0) ||
      (one.column ?? 0) - (other.column ?? 0),
  );
}
