// Checks a page of the documentation: that its lines are short enough, that its links lead
// somewhere, and that each block of code runs in a test or says why not.

import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Block, type Page, readPage } from "../../src/lib/markdown.ts";
import { anchorsOf } from "./markdown.ts";

export interface Problem {
  /** Counted from 1. */
  line: number;
  problem: string;
}

export const lineWidth = 120;

/** `file` is a path below `root`. */
export function checkPage(root: string, file: string): Problem[] {
  const text = readFileSync(join(root, file), "utf8");
  const page = readPage(text);
  const problems = [
    ...longLinesIn(page),
    ...deadLinksIn(root, file, page),
    ...(hasToRun(file) ? blocksThatDoNotRun(root, file, page) : []),
  ];
  return problems.sort((a, b) => a.line - b.line);
}

/** Tables, code and definitions are never wrapped, and the target of a link does not count. */
export function longLinesIn({ lines }: Page): Problem[] {
  return lines.flatMap(({ kind, text }, at) => {
    const width = text.replace(/\]\([^)\s]*\)/g, "]()").length;
    const isLong = (kind === "text" || kind === "heading") && width > lineWidth;
    return isLong
      ? [{ line: at + 1, problem: `has ${width} columns: use at most ${lineWidth}` }]
      : [];
  });
}

function deadLinksIn(root: string, file: string, { lines }: Page): Problem[] {
  return lines.flatMap(({ kind, text }, at) => {
    if (kind === "code" || kind === "comment") return [];
    const link = kind === "definition" ? /\]: (\S+)/g : /\]\(([^)\s]+)\)/g;
    const targets = [...text.replace(/`[^`]*`/g, "``").matchAll(link)];
    return targets.flatMap(([, target = ""]) => {
      const problem = problemOf(root, file, target);
      return problem === null ? [] : [{ line: at + 1, problem: `${target}: ${problem}` }];
    });
  });
}

function problemOf(root: string, file: string, target: string): string | null {
  if (/^(https?|mailto):/.test(target)) return null;
  const [path = "", anchor] = target.split("#");
  const found = path === "" ? join(root, file) : join(root, dirname(file), decodeURI(path));
  if (!existsSync(found)) return "there is no such file";
  if (anchor === undefined || !found.endsWith(".md")) return null;
  return anchorsOf(readFileSync(found, "utf8")).has(anchor) ? null : "there is no such heading";
}

/**
 * The code on pages for users must run. Pages for people who change the program can have code that
 * only explains.
 */
export function hasToRun(file: string): boolean {
  return (
    /^(README|platformctl|docs\/[\w-]+|docs\/(guides|reference|examples)\/.*)\.md$/.test(file) &&
    !/^docs\/(architecture|dependencies|packaging|performance)\.md$/.test(file)
  );
}

/**
 * A mark before a block is about that block. A mark elsewhere, such as below the title, covers all
 * blocks of the page without a language, and `<!-- run by TEST: sh, yaml -->` also those with these
 * languages.
 */
const runBy = /^<!-- run by (\S+?)(?:: ([\w, -]+))? -->$/;
const notRun = /^<!-- not run: .+ -->$/;

function blocksThatDoNotRun(root: string, file: string, page: Page): Problem[] {
  const { lines, blocks } = page;
  const isBelowTitle = (at: number) =>
    lines.slice(0, at).filter(({ kind }) => kind !== "blank").length === 1;
  const isForBlock = (at: number) =>
    !isBelowTitle(at) && blocks.some((block) => markBefore(page, block) === at);
  const marks = lines.flatMap(({ kind, text }, at) => {
    const found = kind === "comment" ? runBy.exec(text) : null;
    return found ? [{ at, test: found[1] ?? "", languages: found[2]?.split(", ") ?? [] }] : [];
  });
  const covered = marks
    .filter(({ at }) => !isForBlock(at))
    .flatMap(({ languages }) => ["", ...languages]);
  const open = blocks.filter((block) => {
    if (covered.includes(block.language) || isGenerated(page, block) || isShown(page, block)) {
      return false;
    }
    const mark = lines[markBefore(page, block)]?.text ?? "";
    return !runBy.test(mark) && !notRun.test(mark);
  });
  return [
    ...open.map(({ at }) => ({
      line: at + 1,
      problem:
        "the block runs in no test: put `<!-- run by TEST -->` or `<!-- not run: WHY -->` before it",
    })),
    ...marks.flatMap(({ at, test }) => {
      const problem = problemOfTest(root, file, test);
      return problem === null ? [] : [{ line: at + 1, problem: `${test} ${problem}` }];
    }),
  ];
}

/**
 * A block with the language `text` shows a drawing, or what something prints, unless it begins with
 * a command.
 */
function isShown({ lines }: Page, { at, language }: Block): boolean {
  return language === "text" && !lines[at + 1]?.text.startsWith("$ ");
}

function markBefore({ lines }: Page, { at }: Block): number {
  const before = lines.slice(0, at).findLastIndex(({ kind }) => kind !== "blank");
  return lines[before]?.kind === "comment" ? before : -1;
}

function isGenerated({ lines }: Page, { at }: Block): boolean {
  const isMark = ({ text }: { text: string }) => /^<!-- \/?generated\b/.test(text);
  return lines.slice(0, at).findLast(isMark)?.text.startsWith("<!-- generated") ?? false;
}

function problemOfTest(root: string, file: string, test: string): string | null {
  if (!existsSync(join(root, test))) return "does not exist";
  const text = readFileSync(join(root, test), "utf8");
  const names = [file, basename(file), dirname(file)];
  return names.some((name) => name !== "." && text.includes(name))
    ? null
    : `does not name ${basename(file)}`;
}
