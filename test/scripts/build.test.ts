// The contents of a build. test/e2e/package.test.ts compares the bytes of two builds.

import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runInNewContext } from "node:vm";
import { describe, expect, inject, test } from "vitest";
import { asciiOnly } from "../../scripts/build/ascii-only.ts";
import { builtInFrom } from "../../scripts/build/built-in.ts";
import { isStale } from "../../scripts/build/console-sources.ts";
import { renderDocs } from "../../scripts/build/docs.ts";
import { docsAddress, docsPages } from "../../src/console/components/docs-pages.ts";
import { temporaryFolder } from "../helpers/app.ts";

test("the programs' files are ASCII, because Node loads them faster", () => {
  const files = contentsOf(join(inject("installedProgram"), "dist"));
  const others = [...files].filter(([name, text]) => {
    return /\.c?js$/.test(name) && !name.startsWith("/console/") && /[\u0080-\uffff]/.test(text);
  });
  expect(others.map(([name]) => name)).toEqual([]);
});

test("escapes for ASCII do not change what a file does", () => {
  const render = asciiOnly().renderChunk as unknown as (code: string) => string;
  const code = String.raw`["…é👍", /^[…👍]$/u.test("👍"), "\\…", { größe: 1 }]`;
  const escaped = render(code);
  expect(escaped).not.toMatch(/[\u0080-\uffff]/);
  expect(runInNewContext(escaped)).toEqual(runInNewContext(code));
  expect(() => render(String.raw`"\…"`)).toThrow("needs no backslash");
});

function contentsOf(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\/sqlite(\/|$)/.test(entry.parentPath))
    .map(({ parentPath, name }) => join(parentPath, name));
  return new Map(
    files.sort().map((file) => [file.slice(folder.length), readFileSync(file, "utf8")]),
  );
}

test("the console is stale if it is missing or one of its sources is newer", () => {
  const folder = temporaryFolder();
  const put = (path: string, seconds: number) => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "");
    // Creating a file makes its folder newer.
    for (const made of [file, dirname(file)]) utimesSync(made, seconds, seconds);
  };
  put("src/console/pages/main.tsx", 1000);
  put("src/store/open.ts", 3000);
  utimesSync(join(folder, "src/console"), 1000, 1000);
  expect(isStale(folder)).toBe(true);
  put("dist/console/listing.json", 2000);
  expect(isStale(folder)).toBe(false);
  put("src/console/pages/main.tsx", 2001);
  expect(isStale(folder)).toBe(true);
  put("src/console/pages/main.tsx", 1000);
  expect(isStale(folder)).toBe(false);
  for (const source of ["docs/concepts.svg", "src/http/console/files.ts"]) {
    put(source, 2001);
    expect(isStale(folder), source).toBe(true);
    put(source, 1000);
  }
});

test("the pages of the documentation, and the console, link only to pages and headings that exist", () => {
  const pages = renderDocs();
  const targets = new Set(
    pages.flatMap(({ path, html }) => [
      `/docs/${path}`,
      ...[...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => `/docs/${path}#${id}`),
    ]),
  );
  const links = pages.flatMap(({ path, html }) =>
    [...html.matchAll(/ href="([^"]*)"/g)].map(([, href = ""]) =>
      href.startsWith("#") ? `/docs/${path}${href}` : href,
    ),
  );
  const inConsole = (Object.keys(docsPages) as (keyof typeof docsPages)[]).map(docsAddress);
  const inside = [...links, ...inConsole].filter((href) => !/^https?:|^\/$|\.css$/.test(href));
  expect(inside.length).toBeGreaterThan(500);
  expect([...new Set(inside)].filter((href) => !targets.has(href))).toEqual([]);
  // The pages contain no raw HTML, and no comments of the sources.
  const html = pages.map((page) => page.html).join("\n");
  expect(html).not.toMatch(/<!--|<script|<style| style=/);
});

describe("what a build stores", () => {
  const about = { version: "1.2.3" };
  const stamped = { PLATFORM_VERSION: "1.3.0", PLATFORM_COMMIT: "abc", PLATFORM_BUILD_TIME: "now" };

  test.each([
    { env: { PLATFORM_VERSION: "", PLATFORM_PORT: "80" }, stores: { VERSION: "1.2.3-dev" } },
    { env: stamped, stores: { VERSION: "1.3.0", COMMIT: "abc", BUILD_TIME: "now" } },
    {
      env: { SOURCE_DATE_EPOCH: "0" },
      stores: { VERSION: "1.2.3-dev", BUILD_TIME: "1970-01-01T00:00:00.000Z" },
    },
  ])("without a repository: $env gives $stores", ({ env, stores }) => {
    expect(builtInFrom(env, temporaryFolder(), about)).toEqual(stores);
  });

  test("a commit is a release only if it has the tag of its version and no file differs", () => {
    const folder = temporaryFolder();
    const git = (...words: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@localhost", ...words], {
        cwd: folder,
        encoding: "utf8",
      }).trim();
    const stored = (place = folder) => builtInFrom({}, place, about);
    git("init", "-q");
    writeFileSync(join(folder, ".gitignore"), "dist\n");
    git("add", ".");
    git("commit", "-qm", "first", "--no-gpg-sign");
    const COMMIT = git("rev-parse", "HEAD");
    const BUILD_TIME = expect.stringMatching(/^\d{4}-.*Z$/);
    git("tag", "v1.2.2");
    expect(stored()).toEqual({ VERSION: "1.2.3-dev", COMMIT, BUILD_TIME });
    git("tag", "--annotate", "--no-sign", "-m", "1.2.3", "v1.2.3");
    expect(stored()).toEqual({ VERSION: "1.2.3", COMMIT, BUILD_TIME });
    // A folder inside a repository is not that repository.
    const inside = join(folder, "dist/unpacked");
    mkdirSync(inside, { recursive: true });
    expect(stored(inside)).toEqual({ VERSION: "1.2.3-dev" });
    writeFileSync(join(folder, "untracked.sql"), "");
    expect(stored()).toEqual({ VERSION: "1.2.3-dev", COMMIT: `${COMMIT}-dirty`, BUILD_TIME });
    git("add", ".");
    git("commit", "-qm", "second", "--no-gpg-sign");
    expect(stored()).toMatchObject({ VERSION: "1.2.3-dev" });
  });

  test.each(["soon", "1e300"])("SOURCE_DATE_EPOCH=%s is refused", (seconds) => {
    const build = () => builtInFrom({ SOURCE_DATE_EPOCH: seconds });
    expect(build).toThrow("is not a number of seconds");
  });
});
