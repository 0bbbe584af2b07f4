import { globSync, statSync } from "node:fs";
import { join } from "node:path";
import { consoleListing } from "../../src/lib/files/project-files.ts";

/** The rooms that the console may import, the documentation, what builds both, and the packages. */
const sources = [
  "src/{console,api,domain,lib}/**/*",
  "{docs/**/*,platformctl}.md",
  "docs/concepts.svg",
  "src/cli/commands/docs/pages.ts",
  "src/http/console/files.ts",
  "scripts/build/{console,docs,project}.*",
  "scripts/prose/markdown.ts",
  "vite.config.ts",
  "package-lock.json",
];

/** Returns true also if the console has not been built. */
export function isStale(folder: string): boolean {
  const built = statSync(join(folder, consoleListing), { throwIfNoEntry: false });
  if (!built) return true;
  return globSync(sources, { cwd: folder }).some(
    (name) => statSync(join(folder, name)).mtimeMs > built.mtimeMs,
  );
}
