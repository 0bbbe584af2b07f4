// Reads agent.yaml and reports all of its problems together.

import { readFile, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { fileProblem } from "../../../lib/files/file-problem.ts";
import { type Problem, readYaml, type YamlSource } from "../../../lib/json/yaml-source.ts";
import { type SidecarConfig, sidecarConfig } from "./config.ts";
import { type ConfigOrigin, readSecret } from "./config-origin.ts";
import { type Finding, findingsOf } from "./config-problems.ts";
import { brokenRules, secretsInside } from "./config-rules.ts";
import { findingsInReport } from "./report-limits.ts";
import { unknownPlaceholders } from "./unknown-placeholders.ts";

export interface ConfigFile {
  config: SidecarConfig;
  origin: ConfigOrigin;
  /** Settings that work but may not be intended: sentences such as `agent.yaml:3: …`. */
  warnings: string[];
  /**
   * Reads the token from the file each time, so that an operator can replace it without a restart.
   */
  registrationToken: () => Promise<string>;
}

/** Each problem is a sentence such as `agent.yaml:3: …`. */
export class BadConfigFile extends Error {
  override readonly name = "BadConfigFile";
  readonly problems: string[];

  constructor(problems: string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

/** Throws BadConfigFile. */
export async function readConfigFile(file: string, env: ConfigOrigin["env"]): Promise<ConfigFile> {
  const path = resolve(file);
  const { text, mode } = await textAndMode(file, path);
  const source = readYaml(text, true);
  const config = parsed(file, source);
  const isOpenToOthers = (mode & 0o044) !== 0;
  const findings = [
    ...(isOpenToOthers ? secretsInside(source.value) : []),
    ...unknownPlaceholders(source.value),
  ];
  const warnings = findings.map((one) => problem(one, source));
  const origin = { folder: dirname(path), env };
  const registrationToken = async () => readSecret(await currentSource(path, config), origin);
  return { config, origin, warnings: inOrder(file, warnings), registrationToken };
}

/** `file` is the name for messages. Throws BadConfigFile. */
export function parseConfig(file: string, text: string): SidecarConfig {
  return parsed(file, readYaml(text, true));
}

/** Falls back to the loaded configuration while the file is invalid, for example during an edit. */
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
  const shape = checked.success
    ? findingsInReport(checked.data.services)
    : findingsOf(checked.error.issues, source);
  const found = [...shape, ...brokenRules(value)].map((one) => problem(one, source));
  if (checked.success && found.length === 0) return checked.data;
  throw new BadConfigFile(inOrder(file, found));
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
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    const reason = isMissing ? missing : fileProblem(error);
    throw new BadConfigFile([`${file} cannot be read: ${reason}`]);
  }
}

const missing = "no such file; create one with `platform agent init > agent.yaml`";
