// All man pages: for the programs, for each group of commands, and agent.yaml(5).

import type { ProgramName } from "../../terminal/io.ts";
import { agentFilePage } from "./agent-file-page.ts";
import { type CommandGroup, groupPage, groupsOf } from "./group-page.ts";
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
  const groups = groupsOf(about.table);
  const programs: ProgramName[] = ["platform", "platformctl"];
  return [
    ...programs.map((name): ManPage => {
      const text = programPage(name, inOrderOf(name, groups), about);
      return { name, chapter: 1, text };
    }),
    ...groups.map((group): ManPage => {
      return { name: group.page, chapter: 1, text: groupPage(group, about) };
    }),
    { name: "agent.yaml", chapter: 5, text: await agentFilePage(about) },
  ];
}

/** Puts the program's own commands first, as its help does. */
function inOrderOf(program: ProgramName, groups: readonly CommandGroup[]): CommandGroup[] {
  const isOther = (group: CommandGroup) => Number(group.program !== program);
  return groups.toSorted((a, b) => isOther(a) - isOther(b));
}
