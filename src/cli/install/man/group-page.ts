// The man page of a group of commands, with the arguments and flags of each.

import { capitalized, uncapitalized } from "../../../lib/capitalized.ts";
import { formatDuration } from "../../../lib/duration.ts";
import {
  type ArgumentSpec,
  type CommandSpec,
  type CommandTable,
  firstWordOf,
  type OptionSpec,
} from "../../command.ts";
import { destinationOptions, outputOptionsOf } from "../../options.ts";
import type { ProgramName } from "../../terminal/io.ts";
import {
  type About,
  bold,
  heading,
  italic,
  paragraph,
  section,
  subsection,
  terms,
  text,
  verbatim,
} from "./roff.ts";

/** The commands that share a first word. */
export interface CommandGroup {
  word: string;
  /** The page is named after this program, but both programs have the commands. */
  program: ProgramName;
  page: string;
  summary: string;
  commands: CommandSpec[];
}

export function groupsOf({ commands, groupSummaries }: CommandTable): CommandGroup[] {
  const shown = commands.filter(({ hidden }) => !hidden);
  const groups = Map.groupBy(shown, firstWordOf);
  return [...groups].map(([word, commands]) => {
    const program = commands.some(({ server }) => server) ? "platform" : "platformctl";
    const summary = groupSummaries[word] ?? commands[0]?.summary ?? "";
    return { word, program, page: `${program}-${word}`, summary, commands };
  });
}

export function groupPage(group: CommandGroup, about: About): string {
  const { page, program, summary, commands } = group;
  return [
    heading(page, about),
    section("NAME", `${text(page)} \\- ${text(uncapitalized(summary))}\n`),
    section("SYNOPSIS", commands.map((command) => synopsis(program, command)).join(".br\n")),
    section("DESCRIPTION", paragraph(`${text(summary)}.`), description(group)),
    shared(commands, "output", outputOptionsOf(commands)),
    shared(commands, "destination", destinationOptions),
    examples(group),
    section("SEE ALSO", paragraph(`${bold(program)}(1)${group.word === "agent" ? andFile : ""}`)),
  ].join("");
}

const andFile = `, ${bold("agent.yaml")}(5)`;

function synopsis(program: ProgramName, { name, args = [], ...has }: CommandSpec): string {
  const options = has.options || has.output || has.destination ? [`[${italic("options")}]`] : [];
  const words = [bold(`${program} ${name}`), ...args.map(argument), ...options];
  return `${words.join(" ")}\n`;
}

/** Removes the brackets of `<service>`, because italics already mark a placeholder. */
function argument({ name }: ArgumentSpec): string {
  const word = italic(name.replace(/^[<[]|[>\]]$/g, ""));
  return name.startsWith("[") ? `[${word}]` : word;
}

function description({ word, commands }: CommandGroup): string {
  const [only] = commands;
  if (commands.length === 1 && only?.name === word) return argumentsAndOptions(only);
  const parts = commands.map((command) =>
    subsection(command.name, paragraph(`${text(command.summary)}.`), argumentsAndOptions(command)),
  );
  return parts.join("");
}

function argumentsAndOptions({ args = [], options = [] }: CommandSpec): string {
  return terms(args.map((spec) => [argument(spec), meaning(spec)])) + optionTerms(options);
}

/** Describes shared options once per page. */
function shared(
  commands: CommandSpec[],
  kind: "output" | "destination",
  options: OptionSpec[],
): string {
  const those = commands.filter((command) => command[kind]);
  if (those.length === 0) return "";
  const names = those.map(({ name }) => bold(name)).join(", ");
  const intro = those.length === commands.length ? "" : paragraph(`For ${names}:`);
  return section(kind.toUpperCase(), intro, optionTerms(options));
}

function optionTerms(options: readonly OptionSpec[]): string {
  return terms(options.map((option) => [flags(option.flags), meaning(option)]));
}

/** Sets literal words in bold, and placeholders such as `<format>` in italics. */
function flags(words: string): string {
  return words.replace(/<([^>]+)>|([^<\s,]+)/g, (_, placeholder?: string, typed?: string) =>
    placeholder === undefined ? bold(typed ?? "") : italic(placeholder),
  );
}

function meaning(spec: Omit<OptionSpec, "flags">): string {
  const { summary, choices = [], default: byDefault, kind } = spec;
  const isComplete = choices.every((choice) => summary.includes(choice));
  const value = kind === "duration" ? formatDuration(Number(byDefault)) : byDefault;
  const sentences = [
    `${capitalized(summary)}.`,
    ...(isComplete ? [] : [`One of ${choices.join(", ")}.`]),
    ...(byDefault === undefined ? [] : [`Default: ${value}.`]),
  ];
  return text(sentences.join(" "));
}

function examples({ program, commands }: CommandGroup): string {
  const lines = commands.flatMap(({ examples = [] }) => examples);
  return lines.length === 0
    ? ""
    : section("EXAMPLES", verbatim(lines.map((line) => `${program} ${line}`)));
}
