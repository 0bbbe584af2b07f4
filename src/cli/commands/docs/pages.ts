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

/** In the order of the list. The prefix of a page's name is what follows the last folder `docs` or `reference`. */
const folders: readonly [folder: string, prefix: string, group: string][] = [
  ["docs/", "", "First steps and explanations"],
  ["docs/guides/", "guides/", "Guides"],
  ["docs/reference/", "reference/", "Reference"],
  ["docs/reference/commands/", "commands/", "Commands"],
];

/** The manual is beside the folder. */
const manual = {
  page: "platformctl",
  group: "First steps and explanations",
  file: "platformctl.md",
};

/** The index of the folder, and pages for those who change the program. */
const leftOut = new Set([
  "docs/README.md",
  "docs/architecture.md",
  "docs/dependencies.md",
  "docs/packaging.md",
]);

export function docPages(): DocPage[] {
  const pages = folders.flatMap(([folder, prefix, group]) =>
    projectFileNames(folder)
      .filter((name) => /^[\w-]+\.md$/.test(name) && !leftOut.has(folder + name))
      .sort()
      .map((name) => ({ page: prefix + name.slice(0, -3), group, file: folder + name })),
  );
  return [manual, ...pages].map((page) => ({ ...page, title: titleOf(page.file) }));
}

function titleOf(file: string): string {
  return /^# (.*)$/m.exec(readProjectFile(file))?.[1] ?? file;
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
