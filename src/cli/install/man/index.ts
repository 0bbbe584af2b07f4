// All man pages: one for each of the two names, one for each noun of the table of commands, and one for the
// agent's file.

import type { ProgramName } from "../../terminal/io.ts";
import type { About } from "./about.ts";
import { agentFilePage } from "./agent-file-page.ts";
import { nounPage } from "./noun-page.ts";
import { type Noun, nounsOf } from "./nouns.ts";
import { programPage } from "./program-page.ts";

export interface ManPage {
  /** Without the chapter: `platformctl-agents`. */
  name: string;
  /** Of the manual: 1 has commands, 5 has files. */
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

/** As its help has them. */
function inOrderOf(program: ProgramName, nouns: readonly Noun[]): Noun[] {
  const isOther = (noun: Noun) => Number(noun.program !== program);
  return nouns.toSorted((a, b) => isOther(a) - isOther(b));
}
