// Tests what a browser loads before the first page is usable.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { expect, test } from "vitest";
import { consoleFiles } from "../helpers/browser/console-files.ts";

/** The most that a browser may load before the first page is usable, compressed. */
const mostBytes = 350 * 1024;
const mostScriptBytes = 260_000;
/** Each file costs a round trip on connections that cannot ask for all at once. */
const mostScripts = 12;

const names = readdirSync(join(consoleFiles, "assets")).filter((name) => !/\.(br|gz)$/.test(name));
const scripts = names.filter((name) => name.endsWith(".js"));

test("the first load is small, without other languages and the large library of a single page", () => {
  const page = read("index.html");
  const first = [...page.matchAll(/(?:src|href)="\/assets\/([^"]+)"/g)].map(
    ([, name = ""]) => name,
  );
  const frame = first.find((name) => /^frame-.*\.js$/.test(name)) ?? "";
  const loaded = [...new Set([...first, ...loadedWith("overview-page", frame)])];
  const sizes = loaded.map((name) => [name, compressed(name)] as const);
  const sum = (some: typeof sizes) => some.reduce((before, [, size]) => before + size, 0);
  const said = JSON.stringify(Object.fromEntries(sizes));
  const loadedScripts = sizes.filter(([name]) => name.endsWith(".js"));
  expect(loadedScripts.length, said).toBeLessThanOrEqual(mostScripts);
  expect(sum(loadedScripts), said).toBeLessThanOrEqual(mostScriptBytes);
  expect(compressed("../index.html") + sum(sizes), said).toBeLessThanOrEqual(mostBytes);
  for (const heavy of [/u-wrap/, /Ihr Konto/, /我的账号/]) {
    const having = scripts.filter((name) => heavy.test(read(`assets/${name}`)));
    expect(having, String(heavy)).not.toEqual([]);
    expect(loaded.filter((name) => having.includes(name))).toEqual([]);
  }
});

test("file names depend on content, and no script evaluates code", () => {
  for (const name of names) expect(name).toMatch(/-[\w-]{8}\.(js|css|svg|woff2)$/);
  for (const name of scripts) {
    const text = read(`assets/${name}`);
    expect(
      text.match(/(?<![\w$.])eval\(|new Function\b|(?<![\w$.])Function\(["'`]/g),
      name,
    ).toBeNull();
    expect(text, name).not.toContain("sourceMappingURL");
  }
});

function read(path: string): string {
  return readFileSync(join(consoleFiles, path), "utf8");
}

test("the page names all files that the entry loads at once", () => {
  const page = read("index.html");
  const entry = /src="\/assets\/([^"]+)"/.exec(page)?.[1] ?? "";
  const needed = loadedWith("start", entry);
  expect(needed.length).toBeGreaterThan(2);
  for (const name of needed) expect(page).toContain(`/assets/${name}"`);
});

/** Returns the files that the script lists for a page: its own, static imports and styles. */
function loadedWith(page: string, script: string): string[] {
  const text = read(`assets/${script}`);
  const [, listed = "[]"] = /m\.f=(\[[^\]]*\])/.exec(text) ?? [];
  const files: string[] = JSON.parse(listed);
  const then = "(?:\\.then\\([^)]*\\))?";
  const asked = new RegExp(
    `${page}-[\\w-]+\\.js.\\)${then},__vite__mapDeps\\(\\[([\\d,]+)\\]`,
  ).exec(text);
  if (!asked?.[1]) throw new Error(`${script} does not load ${page}`);
  return asked[1].split(",").map((place) => files[Number(place)]?.replace("assets/", "") ?? "");
}

function compressed(name: string): number {
  const content = readFileSync(join(consoleFiles, "assets", name));
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };
  return brotliCompressSync(content, { params }).length;
}
