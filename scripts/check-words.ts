// Finds words and phrases that read as translated, in documents, comments, messages and help. In
// Markdown, also finds lines that are too long, dead links, and code that runs in no test.
// `--reflow` wraps the lines that are too long.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkPage } from "./prose/check-page.ts";
import { reflowed } from "./prose/reflow.ts";

interface Finding {
  file: string;
  line: number;
  found: string;
  instead: string;
}

/** A pattern is case-sensitive only if case distinguishes good from bad uses. */
const words: readonly [pattern: RegExp, instead: string][] = [
  [/\b(?:is|are|was|were|be) told\b/g, "is reported, sees, learns"],
  [/\btells (?!apart)/g, "reports, shows, explains"],
  [/\bAnswers\b/g, "Returns"],
  [/\b(?:goes|go|went|gone|going) on\b/g, "continues, resumes"],
  [/\bwho has\b/gi, "anyone with, whoever has"],
  [/\bFor who\b/g, "For people who, For … authors"],
  [/\bone (?:may|likes|can|wants)\b/gi, "you can"],
  [/\bstands? (?:in|for|at|there|above|below|behind)\b/g, "is in, means"],
  [/\bas it stands\b/gi, "as it is"],
  [/\b(?:is|are|was|were) there (?:again|already|yet|no)\b/g, "exists, is back"],
  [/\bgone on with\b/g, "resumed"],
  [/\bAgain in\b/g, "Retrying in"],
  [/\bthe very (?!same|first|last|next)/g, "the same, this"],
  [/\bwho(?:ever)? asks\b/g, "the caller"],
  [/\b(?:is|are) said\b/g, "is reported"],
  [/\bdoes so\b/g, "does it"],
  [/\b(?:shall|thereby|therein|thereof|hitherto)\b/gi, "must, will, by this"],
  [/\bnobody is to\b/gi, "must not"],
  [/\bis of no (?:use|help)\b/g, "does not help"],
  [/\ba SQL(?:ite)?\b/gi, "an SQLite, an SQL"],
];

/** Lists of these words, and texts that never change. */
const exceptions = ["scripts/check-words.ts", "test/scripts/check-words.test.ts", "migrations/"];

export function findWords(file: string, text: string): Finding[] {
  return text.split("\n").flatMap((content, index) =>
    words.flatMap(([pattern, instead]) =>
      [...content.matchAll(pattern)].map(([found]) => ({
        file,
        line: index + 1,
        found,
        instead,
      })),
    ),
  );
}

/** Checks the files in `places` that Git tracks. */
function checkWords(root: string, places: readonly string[]): Finding[] {
  const files = trackedFiles(root, places).filter(isText);
  return files.flatMap((file) => findWords(file, readFileSync(join(root, file), "utf8")));
}

function trackedFiles(root: string, places: readonly string[]): string[] {
  const listed = execFileSync("git", ["ls-files", "-z", "--", ...places], { cwd: root });
  return listed.toString().split("\0").filter(Boolean);
}

function reflow(file: string): void {
  const text = readFileSync(file, "utf8");
  const wrapped = reflowed(text);
  if (wrapped !== text) writeFileSync(file, wrapped);
}

function isText(file: string): boolean {
  return (
    /\.(?:[cm]?[jt]sx?|md|sh|ya?ml|css|html)$/.test(file) &&
    !exceptions.some((start) => file.startsWith(start))
  );
}

if (import.meta.main) {
  const root = join(import.meta.dirname, "..");
  const given = process.argv.slice(2).filter((word) => word !== "--reflow");
  const places = given.length > 0 ? given : ["."];
  const pages = trackedFiles(root, places).filter((file) => file.endsWith(".md"));
  if (process.argv.includes("--reflow")) for (const file of pages) reflow(join(root, file));
  else report(root, places, pages);
}

function report(root: string, places: readonly string[], pages: readonly string[]): void {
  const words = checkWords(root, places).map(
    ({ file, line, found, instead }) => `${file}:${line}: "${found}": write ${instead}`,
  );
  const problems = pages.flatMap((file) =>
    checkPage(root, file).map(({ line, problem }) => `${file}:${line}: ${problem}`),
  );
  for (const line of [...words, ...problems]) console.error(line);
  if (words.length + problems.length > 0) process.exitCode = 1;
}
