// The pages of the documentation that ship with the program.

import { projectFileNames, readProjectFile } from "../../../lib/files/project-files.ts";

export interface DocPage {
  /** What `docs` accepts: `tutorial`, `guides/install`, `commands/agents`. */
  page: string;
  group: string;
  title: string;
  /** The path in the project. */
  file: string;
}

const first = "First steps and explanations";

/** In the order of the list. A page's name is the prefix and the name of the file. */
const folders: readonly [folder: string, prefix: string, group: string][] = [
  ["docs/", "", first],
  ["docs/guides/", "guides/", "Guides"],
  ["docs/reference/", "reference/", "Reference"],
  ["docs/reference/commands/", "commands/", "Commands"],
];

/** The table of contents of the folder, and pages for people who change the program. */
const leftOut = new Set(
  ["README", "architecture", "benchmarks", "dependencies", "packaging"].map((name) => `${name}.md`),
);

/** The first pages of the list. The others follow group by group, in the order of their names. */
const toBeginWith = ["tutorial", "concepts", "how-it-works", "platformctl"];

export function docPages(): DocPage[] {
  const pages = folders.flatMap(([folder, prefix, group]) =>
    projectFileNames(folder)
      .filter((name) => /^[\w-]+\.md$/.test(name) && !leftOut.has(name))
      .sort()
      .map((name) => ({ page: prefix + name.slice(0, -3), group, file: folder + name })),
  );
  const all = [{ page: "platformctl", group: first, file: "platformctl.md" }, ...pages];
  const rank = ({ page }: { page: string }) => {
    const at = toBeginWith.indexOf(page);
    return at < 0 ? toBeginWith.length : at;
  };
  return all
    .toSorted((a, b) => rank(a) - rank(b))
    .map((page) => ({ ...page, title: titleOf(page.file) }));
}

function titleOf(file: string): string {
  return /^# (.*)$/m.exec(readProjectFile(file))?.[1]?.replaceAll("`", "") ?? file;
}

/** Whether the page describes the commands with this first word. */
export function describesCommand({ file }: DocPage, word: string): boolean {
  const [, words = ""] = /^<!-- generated: usage (.*) -->$/m.exec(readProjectFile(file)) ?? [];
  return words.split(" ").includes(word);
}

/** Leaves out the comments, which only mark examples and generated parts. */
export function textOf({ file }: DocPage): string {
  let isCode = false;
  const lines = readProjectFile(file).split("\n");
  const shown = lines.filter((line) => {
    if (line.startsWith("```")) isCode = !isCode;
    return isCode || !/^<!--.*-->$/.test(line);
  });
  return shown.join("\n").replace(/\n{3,}/g, "\n\n");
}
