// Makes the web pages of the documentation that the console links to. The console's server also
// serves these pages, so they describe that server's version and need no network.

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { Marked, type Tokens } from "marked";
import { type DocPage, docPages, textOf } from "../../src/cli/commands/docs/pages.ts";
import { slugOf } from "../prose/markdown.ts";
import { projectFolder } from "./project.ts";

/** The table of contents. */
const contents: DocPage = {
  page: "index",
  group: "",
  title: "Documentation",
  file: "docs/README.md",
};
const drawing = "docs/concepts.svg";
const sheets = [
  ...["tokens", "base"].map((name) => `src/console/styles/${name}.css`),
  "scripts/build/docs.css",
];
/** The first sheet loads this font. */
const font = "src/console/styles/inter.woff2";

/** Writes the pages into the folder, which the console serves as `/docs/`. */
export function writeDocs(folder: string): void {
  for (const { path, html } of renderDocs()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), html);
  }
  const styles = sheets.map((file) => readFileSync(join(projectFolder, file), "utf8"));
  writeFileSync(join(folder, "docs.css"), styles.join("\n"));
  for (const file of [drawing, font]) {
    copyFileSync(join(projectFolder, file), join(folder, basename(file)));
  }
}

export interface RenderedPage {
  /** Relative to `/docs/`: `guides/schedules.html`. */
  path: string;
  html: string;
}

export function renderDocs(): RenderedPage[] {
  const pages = [contents, ...docPages()];
  const addresses = new Map(pages.map(({ file, page }) => [file, `/docs/${page}.html`]));
  addresses.set(drawing, "/docs/concepts.svg");
  return pages.map((page) => ({ path: `${page.page}.html`, html: renderPage(page, addresses) }));
}

function renderPage(page: DocPage, addresses: ReadonlyMap<string, string>): string {
  const marked = new Marked({ gfm: true, renderer: rendererOf(page, addresses) });
  const body = marked.parse(textOf(page), { async: false });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)}</title>
<link rel="stylesheet" href="/docs/docs.css">
</head>
<body class="docs">
<nav aria-label="Documentation"><a href="/docs/index.html">All pages</a> <a href="/">Console</a></nav>
<main>
${body}</main>
</body>
</html>
`;
}

/**
 * Links to pages for people who change the program become plain text. Screenshots of the console
 * are left out, because readers have it open.
 */
function rendererOf({ file }: DocPage, addresses: ReadonlyMap<string, string>) {
  const addressOf = (href: string): string | null => {
    if (/^https?:/.test(href) || href.startsWith("#")) return href;
    const [path = "", anchor] = href.split("#");
    const address = addresses.get(posix.join(posix.dirname(file), path));
    return address === undefined ? null : address + (anchor ? `#${anchor}` : "");
  };
  const slugs = new Map<string, number>();
  return {
    heading(this: Parser, { tokens, depth, text }: Tokens.Heading): string {
      const slug = slugOf(text);
      const before = slugs.get(slug) ?? 0;
      slugs.set(slug, before + 1);
      const id = before === 0 ? slug : `${slug}-${before}`;
      return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link(this: Parser, { href, tokens }: Tokens.Link): string {
      const text = this.parser.parseInline(tokens);
      const address = addressOf(href);
      return address === null ? text : `<a href="${escapeHtml(address)}">${text}</a>`;
    },
    image({ href, text }: Tokens.Image): string {
      const address = addressOf(href);
      return address === null ? "" : `<img src="${address}" alt="${escapeHtml(text)}">`;
    },
    html({ text }: Tokens.HTML | Tokens.Tag): string {
      return text.startsWith("<!--") ? "" : escapeHtml(text);
    },
    table(this: Parser, { header, rows }: Tokens.Table): string {
      // The table of screenshots has no headings, and its cells would be empty.
      if (header.every(({ text }) => text === "")) return "";
      const row = (cells: Tokens.TableCell[], tag: string) =>
        cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join("");
      const body = rows.map((cells) => `<tr>${row(cells, "td")}</tr>`).join("\n");
      const frame = '<div class="docs-table" role="region" aria-label="Table" tabindex="0">';
      return `${frame}<table><thead><tr>${row(header, "th")}</tr></thead>\n<tbody>${body}</tbody></table></div>\n`;
    },
  };
}

interface Parser {
  parser: { parseInline: (tokens: Tokens.Heading["tokens"]) => string };
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
