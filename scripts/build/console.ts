// Builds the console with Vite, and each of its files a second and third time for browsers that take it
// compressed. The same sources give the same bytes.

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
import { projectFolder } from "./project.ts";

/** How hard it tries: a test has no time for the last percent. */
export type Effort = "best" | "quick";

const efforts = { best: { br: 11, gzip: 9 }, quick: { br: 4, gzip: 1 } };

/** Below this it is not worth a coding: the headers alone have more. */
const leastBytes = 256;

/**
 * Builds into `dist/console` below the folder; what is there is replaced. Answers the files that went into
 * it, with their whole paths.
 */
export async function buildConsole(folder: string, effort: Effort): Promise<string[]> {
  const out = join(folder, consoleFolder);
  const sources: string[] = [];
  await asProduction(() =>
    build({
      configFile: join(projectFolder, "vite.config.ts"),
      // As Node reads it, with no copy of it anywhere.
      configLoader: "native",
      logLevel: "warn",
      // The paths that are answered do not depend on where node_modules really lies.
      resolve: { preserveSymlinks: true },
      build: { outDir: out },
      plugins: [noteSources(sources)],
    }),
  );
  const names = readdirSync(out, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => statSync(join(out, name)).isFile())
    .sort();
  const listed = names.map(
    async (name): Promise<[string, ListedFile]> => [name, await compress(join(out, name), effort)],
  );
  const listing: Listing = Object.fromEntries(await Promise.all(listed));
  // Last: without it there is no console, so a build that broke off is none.
  writeFileSync(join(folder, consoleListing), `${JSON.stringify(listing, null, 2)}\n`);
  return sources;
}

/** Packages and Vite go by this variable, and test runners set it. */
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

/** What is in the bundle has been asked for by name; styles have left it for files of their own by then. */
function noteSources(into: string[]): Plugin {
  const styles = /\.css$/;
  return {
    name: "note-sources",
    generateBundle(_options, bundle) {
      const scripts = Object.values(bundle).flatMap((part) =>
        part.type === "chunk" ? part.moduleIds : [],
      );
      const ids = [...scripts, ...[...this.getModuleIds()].filter((id) => styles.test(id))];
      // The others have no file: the bundler and its plugins made them up.
      const files = ids.map((id) => id.split("?")[0] ?? id).filter((id) => isAbsolute(id));
      into.push(...new Set(files));
    },
  };
}

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Writes the codings beside the file that make it smaller. */
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
