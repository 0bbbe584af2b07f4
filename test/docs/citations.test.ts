// Tests that the documents, headings, files and constants that texts cite exist in this repository.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, test } from "vitest";
import { slugOf } from "../../scripts/prose/markdown.ts";
import { variables } from "../../src/config/variables.ts";
import { readPage } from "../../src/lib/markdown.ts";

const root = join(import.meta.dirname, "../..");

/** Files that are never changed, and are therefore not checked. */
const frozen = [
  // Databases store the checksum of this migration, which cites an external specification.
  /^migrations\/sqlite\/0002-command-outcomes\.sql$/,
  // This is the bundled code of an older commit.
  /^test\/fixtures\/wire-/,
  // A tool writes this file.
  /^package-lock\.json$/,
];
const binary = /\.(png|svg|ico|gz|br|db|woff2|crt|key)$/;
/** These files name documents that do not exist. */
const selves = ["test/docs/citations.test.ts", "test/scripts/prose.test.ts"];

const words = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
const listed = execFileSync("git", words, { cwd: root, encoding: "utf8" }).split("\0");
const files = new Set(listed.filter((file) => file !== "" && existsSync(join(root, file))));
const texts = new Map(
  [...files]
    .filter((file) => !binary.test(file) && !selves.includes(file))
    .filter((file) => !frozen.some((each) => each.test(file)))
    .map((file) => [file, readFileSync(join(root, file), "utf8")]),
);

/**
 * Matches a document and the anchor or quoted heading that follows it, but not the text of a link.
 */
const citation = /(?<![\w/.-])((?:[\w.-]+\/)*[\w.-]+\.md)\b(?!\]\()(?:#([\w-]+)|`? "([^"\n]+)")?/g;
/** Matches text after which a word is part of a URL, a pattern or a composed name. */
const elsewhere = /https?:\/\/\S*$|[*$}]\/?$/;
/** Names that the tests invent. */
const madeUp = ["src/console/notes.md", "a.md"];

const reference = ["docs/reference", "docs/reference/commands"];

function problemsOf(file: string, text: string): string[] {
  const lines = text.split("\n").filter((line) => line.includes(".md"));
  const citations = lines.flatMap((line) => [...line.matchAll(citation)]);
  return citations.flatMap((match) => {
    const [cited, path = "", anchor, heading] = match;
    if (elsewhere.test(match.input.slice(0, match.index)) || madeUp.includes(path)) return [];
    const folders = [posix.dirname(file), ".", "docs", "docs/guides", ...reference];
    const places = folders.map((folder) => posix.join(folder, path));
    const target = places.find((place) => files.has(place));
    if (target === undefined) return [`${file}: ${cited}`];
    if (anchor === undefined && heading === undefined) return [];
    const headings = headingsOf(target);
    const isThere =
      (anchor === undefined || headings.some((each) => slugOf(each) === anchor)) &&
      (heading === undefined || headings.includes(heading));
    return isThere ? [] : [`${file}: ${cited}`];
  });
}

const headingsByDocument = new Map<string, string[]>();

function headingsOf(document: string): string[] {
  const known = headingsByDocument.get(document);
  if (known) return known;
  const lines = readPage(texts.get(document)!).lines.filter(({ kind }) => kind === "heading");
  const found = lines.map(({ text }) => text.replace(/^#+ /, ""));
  headingsByDocument.set(document, found);
  return found;
}

test.each([
  ["// (`decisions.md` 3.4)", 1],
  ['// (`service.md` "Limits")', 1],
  ["// See docs/decisions/0000-no-such-page.md.", 1],
  ["// docs/guides/audit.md#no-such-heading", 1],
  ['// docs/guides/audit.md "No such heading"', 1],
  ["// docs/guides/audit.md#repeated-events", 0],
  ['// docs/guides/audit.md "Repeated events". It says "more".', 0],
  ["// https://example.com/README-of-others.md", 0],
])("%s has this number of problems: %i", (text, count) => {
  expect(problemsOf("src/core/results.ts", text)).toHaveLength(count);
});

test("every cited document exists, with the cited heading", () => {
  expect(texts.size).toBeGreaterThan(1000);
  expect([...texts].flatMap(([file, text]) => problemsOf(file, text))).toEqual([]);
});

/** The names in the code and in the files that ship with it. */
const namesInSources = new Set(
  [...texts]
    .filter(([file]) => /^(src|scripts)\/|^(package|openapi)\.json$/.test(file))
    .flatMap(([, text]) => text.match(/\b[a-z]+[A-Z]\w*/g) ?? []),
);

const pages = [...texts].filter(([file]) => /^docs\/decisions\/\d{4}-[a-z-]+\.md$/.test(file));

test("every decision is listed in the index", () => {
  const index = texts.get("docs/decisions/README.md") ?? "";
  const cited = [...index.matchAll(/\]\((\d{4}-[\w-]+\.md)\)/g)].map(([, name]) => name);
  expect(cited).toEqual(pages.map(([file]) => posix.basename(file)).sort());
});

test.each(pages)("the files, constants and defaults that %s names exist", (_, page) => {
  const paths = [...page.matchAll(/`((?:src|scripts|test|bin|docs|migrations)\/[\w./-]+)`/g)];
  expect(
    paths.map(([, path = ""]) => path).filter((path) => !existsSync(join(root, path))),
  ).toEqual([]);

  const named = [...page.matchAll(/`([a-z]+[A-Z]\w*)`/g)].map(([, name = ""]) => name);
  expect(named.filter((name) => !namesInSources.has(name))).toEqual([]);

  const defaults = [...page.matchAll(/`PLATFORM_(\w+)`\s\(([\d,]*\d)(?=[);]|, )/g)];
  for (const [, name = "", shown = ""] of defaults) {
    const { byDefault } = variables[name as keyof typeof variables] ?? {};
    expect(byDefault, name).toBe(shown.replaceAll(",", ""));
  }
});
