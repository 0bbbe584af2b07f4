// All man pages, made of the table of commands: one for each of the two names, and one for each noun.

import type { ProgramName } from "../../io.ts";
import { commandTable } from "../../tree/index.ts";
import type { About } from "./about.ts";
import { nounPage } from "./noun-page.ts";
import { type Noun, nounsOf } from "./nouns.ts";
import { programPage } from "./program-page.ts";

export interface ManPage {
  /** Without the section, which is 1: `platformctl-agents`. */
  name: string;
  text: string;
}

export function manPages(about: About): ManPage[] {
  const nouns = nounsOf(commandTable);
  const programs: ProgramName[] = ["platform", "platformctl"];
  return [
    ...programs.map((name) => ({ name, text: programPage(name, inOrderOf(name, nouns), about) })),
    ...nouns.map((noun) => ({ name: noun.page, text: nounPage(noun, about) })),
  ];
}

/** As its help has them. */
function inOrderOf(program: ProgramName, nouns: readonly Noun[]): Noun[] {
  const isOther = (noun: Noun) => Number(noun.program !== program);
  return nouns.toSorted((a, b) => isOther(a) - isOther(b));
}
