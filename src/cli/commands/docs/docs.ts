import { didYouMean, nearest } from "../../../lib/nearest.ts";
import type { Invocation } from "../../command.ts";
import { CliError, exit } from "../../exit.ts";
import { printWhole } from "../../output/listing.ts";
import { isForPeople, type ListView } from "../../output/output.ts";
import { aligned } from "../../output/text-width.ts";
import type { Io } from "../../terminal/io.ts";
import { showInPager } from "../../terminal/pager.ts";
import { type DocPage, describesCommand, docPages, textOf } from "./pages.ts";
import { renderPage } from "./rendered.ts";

const view: ListView<DocPage> = {
  columns: [
    { name: "page", value: ({ page }) => page, kind: "key" },
    { name: "title", value: ({ title }) => title },
    { name: "group", value: ({ group }) => group },
  ],
  nameOf: ({ page }) => page,
  whenEmpty: "This installation has no documentation.",
};

export async function showDocs({ io, args, options }: Invocation): Promise<void> {
  const pages = docPages();
  const [given] = args;
  if (given !== undefined) {
    const [page, ...others] = pagesNamed(given, pages);
    if (isForPeople(options)) await showPage(io, textOf(page));
    else printWhole({ io, options }, [{ ...page, text: textOf(page) }], view);
    for (const other of others) io.note(`\nSee also: ${io.program} docs ${other.page}\n`);
  } else if (!isForPeople(options) || options.columns) {
    printWhole({ io, options }, pages, view);
  } else {
    io.out(inGroups(pages));
    io.note(`\nTo read a page: ${io.program} docs PAGE\n`);
  }
}

/** At a terminal, the page is rendered. Otherwise, it stays Markdown. */
function showPage(io: Io, text: string): void | Promise<void> {
  return io.isTerminal ? showInPager(io, renderPage(text, io)) : io.out(text);
}

/**
 * Also accepts the file of a page, the last part of its name, and the first word of a command. If
 * several pages match, returns all of them.
 */
function pagesNamed(given: string, pages: readonly DocPage[]): [DocPage, ...DocPage[]] {
  const name = given.toLowerCase().replace(/^(?:docs\/)?(?:reference\/(?=commands\/))?|\.md$/g, "");
  const found =
    pages.find(({ page, file }) => page === name || file === given) ??
    pages.filter(({ page }) => page.endsWith(`/${name}`));
  const [page = pages.find((one) => describesCommand(one, name)), ...others] = [found].flat();
  if (page) return [page, ...others];
  const names = pages.map((one) => one.page);
  const suggested =
    didYouMean(nearestPage(name, names)) || " To list the pages, leave out the name.";
  const message = `there is no page ${given}.${suggested}`;
  throw new CliError(exit.notFound, message, { code: "PAGE_NOT_FOUND" });
}

/** Also finds a page by its name without the folder. */
function nearestPage(name: string, pages: readonly string[]): string | null {
  const whole = nearest(name, pages);
  if (whole !== null) return whole;
  const last = nearest(
    name,
    pages.map((page) => page.slice(page.lastIndexOf("/") + 1)),
  );
  return pages.find((page) => page.endsWith(`/${last}`)) ?? null;
}

function inGroups(pages: readonly DocPage[]): string {
  const groups = Map.groupBy(pages, ({ group }) => group);
  const texts = [...groups].map(([group, listed]) => {
    const lines = aligned(listed.map(({ page, title }) => [page, title]));
    return `${group}\n${lines.map((line) => `  ${line}\n`).join("")}`;
  });
  return texts.join("\n");
}
