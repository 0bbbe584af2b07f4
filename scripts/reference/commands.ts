// The summary and the usage of commands, from the definitions that --help shows, too.

import type { ArgumentSpec, OptionSpec } from "../../src/cli/command.ts";
import { commandLine } from "../../src/cli/commands/index.ts";
import { type CommandGroup, groupsOf } from "../../src/cli/install/man/group-page.ts";
import { wrapTo } from "../../src/cli/output/text-width.ts";
import { formatDuration } from "../../src/lib/duration.ts";
import { inCode, tableOf, type Writer, wrapped } from "./fill.ts";

const lineWidth = 100;
/** The meaning of a longer term is on the next line. */
const widestTerm = 30;

export async function commandWriters(): Promise<Record<"summary" | "usage", Writer>> {
  const groups = groupsOf(await commandLine());
  const chosen = (words: readonly string[]) => words.map((word) => groupNamed(word, groups));
  return {
    summary: (words) =>
      tableOf(
        ["Command", "What it does"],
        chosen(words).flatMap(({ program, commands }) =>
          commands.map(({ name, summary }) => [
            `[${inCode(name)}](#${program}-${name.replaceAll(" ", "-")})`,
            summary,
          ]),
        ),
      ),
    usage: (words) => [about(chosen(words)), ...chosen(words).flatMap(usageOf)].join("\n\n"),
  };
}

function groupNamed(word: string, groups: readonly CommandGroup[]): CommandGroup {
  const group = groups.find((one) => one.word === word);
  if (group) return group;
  throw new Error(`there is no command ${word}`);
}

function about(groups: readonly CommandGroup[]): string {
  const commands = groups.flatMap((group) => group.commands);
  const manual = "../../../platformctl.md";
  const sentences = [
    ...(commands.some(({ output }) => output)
      ? [
          `The [output options](${manual}#output) are \`-o\` (\`--output\`), \`--no-headers\` and \`--columns\`.`,
        ]
      : []),
    ...(commands.some(({ destination }) => destination)
      ? [
          `The [server options](${manual}#where-it-works) are \`--server\`, \`--db\`, \`--context\`, ` +
            "`--ca-file` and `--debug`.",
        ]
      : []),
  ];
  return wrapped(sentences.join(" "));
}

function usageOf({ program, commands }: CommandGroup): string[] {
  return commands.map(({ name, args = [], options = [], output, destination }) => {
    const usage = [
      ...[program, name, ...(options.length > 0 ? ["[options]"] : [])],
      ...args.map((argument) => argument.name),
      ...[...(output ? ["[output options]"] : []), ...(destination ? ["[server options]"] : [])],
    ];
    const terms = [
      ...args.map((argument): Term => [argument.name, phraseOf(argument)]),
      ...options.map((option): Term => [option.flags, phraseOf(option)]),
    ];
    const block = [usage.join(" "), ...(terms.length > 0 ? ["", ...laidOut(terms)] : [])];
    return `### ${program} ${name}\n\n\`\`\`text\n${block.join("\n")}\n\`\`\``;
  });
}

/** The same words as in --help. */
function phraseOf({ summary, choices = [], ...option }: ArgumentSpec | OptionSpec): string {
  const { default: byDefault, kind } = option as OptionSpec;
  const value = kind === "duration" ? formatDuration(Number(byDefault)) : byDefault;
  const isComplete = choices.every((choice) => summary.includes(choice));
  const facts = [
    ...(isComplete ? [] : [`one of ${choices.join(", ")}`]),
    ...(byDefault === undefined ? [] : [`default: ${value}`]),
  ];
  return facts.length > 0 ? `${summary} (${facts.join("; ")})` : summary;
}

type Term = readonly [term: string, meaning: string];

function laidOut(terms: readonly Term[]): string[] {
  const short = terms.filter(([term]) => term.length <= widestTerm);
  const width = Math.max(0, ...short.map(([term]) => term.length));
  return terms.flatMap(([term, meaning]) => {
    const wrapped = wrapTo(meaning, lineWidth - width - 4).split("\n");
    const isApart = term.length > width;
    const rows = wrapped.map((line, index) => {
      const left = index === 0 && !isApart ? term : "";
      return `  ${left.padEnd(width)}  ${line}`;
    });
    return isApart ? [`  ${term}`, ...rows] : rows;
  });
}
