// Reads agent.yaml and tells everything that is wrong with it at once, each with its line.

import { readFile, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type Problem, readYaml, type YamlSource } from "../../../lib/json/yaml-source.ts";
import { type Place, readSecret } from "../place.ts";
import { type SidecarConfig, sidecarConfig } from "./config.ts";
import { type Finding, findingsOf } from "./config-problems.ts";
import { brokenRules, secretsInside } from "./config-rules.ts";
import { strangePlaceholders } from "./strange-placeholders.ts";

export interface ConfigFile {
  config: SidecarConfig;
  place: Place;
  /** What works, but perhaps not as it was meant: sentences such as `agent.yaml:3: …`. */
  warnings: string[];
  /**
   * The registration token as the file, or what it names, has it now: an operator who puts a new one
   * there is served without a restart. Rejects with an Error that says why there is none.
   */
  registrationToken: () => Promise<string>;
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
  const findings = [
    ...(isOpenToOthers ? secretsInside(source.value) : []),
    ...strangePlaceholders(source.value),
  ];
  const warnings = findings.map((one) => problem(one, source));
  const place = { folder: dirname(path), env };
  const registrationToken = async () => readSecret(await currentSource(path, config), place);
  return { config, place, warnings: inOrder(file, warnings), registrationToken };
}

/** The configuration in a text; `file` is for messages. Throws BadConfigFile. */
export function parseConfig(file: string, text: string): SidecarConfig {
  return parsed(file, readYaml(text));
}

/** A file that is wrong just now, such as half edited, says nothing new. */
async function currentSource(path: string, { registrationToken }: SidecarConfig) {
  try {
    return parseConfig(path, await readFile(path, "utf8")).registrationToken;
  } catch {
    return registrationToken;
  }
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
