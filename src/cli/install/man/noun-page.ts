// The page of a noun: its commands, with all arguments and flags of each.

import type { CommandSpec, OptionSpec } from "../../command.ts";
import { outputOptions, targetOptions } from "../../common-options.ts";
import type { ProgramName } from "../../terminal/io.ts";
import { type About, heading } from "./about.ts";
import type { Noun } from "./nouns.ts";
import { described, optionTerms } from "./options.ts";
import { bold, italic, paragraph, section, subsection, text, verbatim } from "./roff.ts";

export function nounPage(noun: Noun, about: About): string {
  const { page, program, summary, commands } = noun;
  return [
    heading(page, about),
    section("NAME", `${text(page)} \\- ${text(lowered(summary))}\n`),
    section("SYNOPSIS", commands.map((command) => synopsis(program, command)).join(".br\n")),
    section("DESCRIPTION", ...description(noun)),
    shared(commands, "OUTPUT", ({ output }) => output !== undefined, outputOptions),
    shared(commands, "WHERE IT WORKS", ({ target }) => target === true, targetOptions),
    examples(noun),
    section("SEE ALSO", paragraph(`${bold(program)}(1)${noun.word === "agent" ? andFile : ""}`)),
  ].join("");
}

const andFile = `, ${bold("agent.yaml")}(5)`;

/** Summaries are sentences; what stands behind a name is none. Acronyms stay. */
function lowered(summary: string): string {
  return summary.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase());
}

function synopsis(program: ProgramName, { name, args = [], ...has }: CommandSpec): string {
  const options = has.options || has.output || has.target ? [`[${italic("options")}]`] : [];
  const words = [bold(`${program} ${name}`), ...args.map(argument), ...options];
  return `${words.join(" ")}\n`;
}

/** `<service>` and `[service]`; the pointed brackets only tell that it is a placeholder. */
function argument({ name }: { name: string }): string {
  const word = italic(name.replace(/^[<[]|[>\]]$/g, ""));
  return name.startsWith("[") ? `[${word}]` : word;
}

function description({ word, summary, commands }: Noun): string[] {
  const [only, ...others] = commands;
  if (only && others.length === 0 && only.name === word) {
    return [paragraph(`${text(summary)}.`), argumentsAndOptions(only)];
  }
  return [
    paragraph(`${text(summary)}.`),
    ...commands.map((command) =>
      subsection(
        command.name,
        paragraph(`${text(command.summary)}.`),
        argumentsAndOptions(command),
      ),
    ),
  ];
}

function argumentsAndOptions({ args = [], options = [] }: CommandSpec): string {
  return described(args.map((spec) => [argument(spec), spec])) + optionTerms(options);
}

/** Options that many commands have: told once on each page that needs them. */
function shared(
  commands: readonly CommandSpec[],
  name: string,
  has: (command: CommandSpec) => boolean,
  options: readonly OptionSpec[],
): string {
  const those = commands.filter(has);
  if (those.length === 0) return "";
  const all = those.length === commands.length;
  const names = those.map(({ name }) => bold(name)).join(", ");
  const intro = all ? "" : paragraph(`Of ${names}:`);
  return section(name, intro, optionTerms(options));
}

function examples({ program, commands }: Noun): string {
  const lines = commands.flatMap(({ examples = [] }) => examples);
  return lines.length === 0
    ? ""
    : section("EXAMPLES", verbatim(lines.map((line) => `${program} ${line}`)));
}
