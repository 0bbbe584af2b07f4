// All man pages: for the programs, for each first word of a command, and agent.yaml(5).

import type { ProgramName } from "../../terminal/io.ts";
import { agentFilePage } from "./agent-file-page.ts";
import { type Noun, nounPage, nounsOf } from "./noun-page.ts";
import { programPage } from "./program-page.ts";
import type { About } from "./roff.ts";

interface ManPage {
  /** `platformctl-agents` */
  name: string;
  /** Section 1 has commands, section 5 has files. */
  chapter: 1 | 5;
  text: string;
}

export async function manPages(about: About): Promise<ManPage[]> {
  const nouns = nounsOf(about.table);
  const programs: ProgramName[] = ["platform", "platformctl"];
  return [
    ...programs.map((name): ManPage => {
      const text = programPage(name, inOrderOf(name, nouns), about);
      return { name, chapter: 1, text };
    }),
    ...nouns.map((noun): ManPage => ({ name: noun.page, chapter: 1, text: nounPage(noun, about) })),
    { name: "agent.yaml", chapter: 5, text: await agentFilePage(about) },
  ];
}

/** Puts the program's own commands first, as its help does. */
function inOrderOf(program: ProgramName, nouns: readonly Noun[]): Noun[] {
  const isOther = (noun: Noun) => Number(noun.program !== program);
  return nouns.toSorted((a, b) => isOther(a) - isOther(b));
}
