// Reads agent.yaml and tells everything that is wrong with it at once, each with its line.

import { readFile, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type Problem, readYaml, type YamlSource } from "../../lib/yaml-source.ts";
import { type SidecarConfig, sidecarConfig } from "./config.ts";
import { type Finding, findingsOf } from "./config-problems.ts";
import { brokenRules, secretsInside } from "./config-rules.ts";
import type { Place } from "./place.ts";

export interface ConfigFile {
  config: SidecarConfig;
  place: Place;
  /** What works, but should not stay so: sentences such as `agent.yaml:3: …`. */
  warnings: string[];
}

/** The file cannot be read or used. Each problem is a sentence such as `agent.yaml:3: …`. */
export class BadConfigFile extends Error {
  override readonly name = "BadConfigFile";
  readonly problems: string[];

  constructor(problems: string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

/** `file` is named in messages as it is given. Throws BadConfigFile. */
export async function readConfigFile(file: string, env: Place["env"]): Promise<ConfigFile> {
  const path = resolve(file);
  const { text, mode } = await textAndMode(file, path);
  const source = readYaml(text);
  const config = parsed(file, source);
  const isOpenToOthers = (mode & 0o044) !== 0;
  const open = isOpenToOthers ? secretsInside(source.value).map((one) => problem(one, source)) : [];
  return { config, place: { folder: dirname(path), env }, warnings: inOrder(file, open) };
}

/** The configuration in a text; `file` is for messages. Throws BadConfigFile. */
export function parseConfig(file: string, text: string): SidecarConfig {
  return parsed(file, readYaml(text));
}

function parsed(file: string, source: YamlSource): SidecarConfig {
  const { problems, value } = source;
  if (problems.length > 0) throw new BadConfigFile(inOrder(file, problems));
  const checked = sidecarConfig.safeParse(value ?? {});
  const shape = checked.success ? [] : findingsOf(checked.error.issues, source);
  const found = [...shape, ...brokenRules(value)];
  if (checked.success && found.length === 0) return checked.data;
  throw new BadConfigFile(
    inOrder(
      file,
      found.map((one) => problem(one, source)),
    ),
  );
}

function problem({ path, message }: Finding, { lineOf, firstLine }: YamlSource): Problem {
  const where = path.length === 0 ? "" : `${path.join(".")}: `;
  return { line: lineOf(path) ?? firstLine, message: where + message };
}

function inOrder(file: string, problems: Problem[]): string[] {
  return problems
    .toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0))
    .map(({ line, message }) => `${line === undefined ? file : `${file}:${line}`}: ${message}`);
}

async function textAndMode(file: string, path: string): Promise<{ text: string; mode: number }> {
  try {
    const [text, { mode }] = await Promise.all([readFile(path, "utf8"), stat(path)]);
    return { text, mode };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = reasons[code ?? ""] ?? code ?? message;
    throw new BadConfigFile([`${file} cannot be read: ${reason}`]);
  }
}

const reasons: Record<string, string> = {
  ENOENT: "there is no such file; `platform agent init > agent.yaml` makes one",
  EACCES: "its permissions do not let this user read it",
  EISDIR: "it is a folder",
};
