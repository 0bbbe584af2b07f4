// Builds the console with Vite and the pages of the documentation, and compresses its files. The
// same sources give the same bytes.

import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { build, type Plugin } from "vite";
import {
  type ListedFile,
  type Listing,
  listedFile,
  suffixes,
} from "../../src/http/console/files.ts";
import { consoleFolder, consoleListing } from "../../src/lib/files/project-files.ts";
import { writeDocs } from "./docs.ts";
import { projectFolder } from "./project.ts";

/** `quick` is for tests. */
export type Effort = "best" | "quick";

const efforts = { best: { br: 11, gzip: 9 }, quick: { br: 4, gzip: 1 } };

/** Compressing smaller files saves less than the additional header costs. */
const leastBytes = 256;

/** Replaces `dist/console` in the folder. Returns the absolute paths of the bundled files. */
export async function buildConsole(folder: string, effort: Effort): Promise<string[]> {
  const out = join(folder, consoleFolder);
  const sources: string[] = [];
  await asProduction(() =>
    build({
      configFile: join(projectFolder, "vite.config.ts"),
      // Node loads the configuration directly, without a temporary copy.
      configLoader: "native",
      logLevel: "warn",
      // The returned paths must not depend on where node_modules really is.
      resolve: { preserveSymlinks: true },
      build: { outDir: out },
      plugins: [noteSources(sources)],
    }),
  );
  writeDocs(join(out, "docs"));
  const names = readdirSync(out, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => statSync(join(out, name)).isFile())
    .sort();
  const listed = names.map(
    async (name): Promise<[string, ListedFile]> => [name, await compress(join(out, name), effort)],
  );
  const listing: Listing = Object.fromEntries(await Promise.all(listed));
  // This file is written last: without it, a build counts as incomplete.
  writeFileSync(join(folder, consoleListing), `${JSON.stringify(listing, null, 2)}\n`);
  return sources;
}

/** Packages and Vite read NODE_ENV, and test runners set it to another value. */
async function asProduction(work: () => Promise<unknown>): Promise<void> {
  const { NODE_ENV: before } = process.env;
  process.env.NODE_ENV = "production";
  try {
    await work();
  } finally {
    if (before === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = before;
  }
}

/** Includes the sources of the styles, which Vite has moved to separate files. */
function noteSources(into: string[]): Plugin {
  const styles = /\.css$/;
  return {
    name: "note-sources",
    generateBundle(_options, bundle) {
      const scripts = Object.values(bundle).flatMap((part) =>
        part.type === "chunk" ? part.moduleIds : [],
      );
      const ids = [...scripts, ...[...this.getModuleIds()].filter((id) => styles.test(id))];
      // Other ids are virtual modules of the bundler and its plugins.
      const files = ids.map((id) => id.split("?")[0] ?? id).filter((id) => isAbsolute(id));
      into.push(...new Set(files));
    },
  };
}

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Writes compressed forms next to the file, if they are smaller than the file. */
async function compress(file: string, effort: Effort): Promise<ListedFile> {
  const content = readFileSync(file);
  const level = efforts[effort];
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: level.br,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  const coded = {
    br: await brotli(content, { params }),
    gzip: await gzipped(content, { level: level.gzip }),
  };
  const worthIt = (["br", "gzip"] as const).filter(
    (coding) => content.length >= leastBytes && coded[coding].length < content.length * 0.9,
  );
  for (const coding of worthIt) writeFileSync(file + suffixes[coding], coded[coding]);
  return listedFile(content, worthIt);
}
