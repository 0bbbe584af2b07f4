// The first words of the commands: each has a page, with all that may follow it.

import type { CommandSpec, CommandTable } from "../../command.ts";
import type { ProgramName } from "../../terminal/io.ts";

export interface Noun {
  word: string;
  /** Under which its page is found. Both know the command. */
  program: ProgramName;
  /** The name of its page. */
  page: string;
  summary: string;
  commands: CommandSpec[];
}

/** In the order of the table; hidden commands are nobody's business. */
export function nounsOf({ commands: all, groupSummaries }: CommandTable): Noun[] {
  const shown = all.filter(({ hidden }) => !hidden);
  const words = [...new Set(shown.map(({ name }) => wordOf(name)))];
  return words.map((word) => {
    const commands = shown.filter(({ name }) => wordOf(name) === word);
    const program = commands.some(({ server }) => server) ? "platform" : "platformctl";
    return {
      word,
      program,
      page: `${program}-${word}`,
      summary: groupSummaries[word] ?? commands[0]?.summary ?? "",
      commands,
    };
  });
}

function wordOf(name: string): string {
  return name.split(" ", 1)[0] ?? "";
}
