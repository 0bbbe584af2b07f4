// The bundle has the same parts as in an installed package, but in a format that can be loaded from
// inside the file, and it includes better-sqlite3.

import { join } from "node:path";
import { type Plugin, rolldown } from "rolldown";
import { groupsOfParts } from "../build/parts.ts";
import { projectFolder } from "../build/project.ts";
import { bundleOptions, readable } from "../build/rolldown.ts";

export interface PackagedProgram {
  /** The script that loads the parts. */
  start: string;
  /** The text of each part by the part's name. */
  parts: Map<string, string>;
  /** The names of the parts that have no code cache. */
  seldom: ReadonlySet<string>;
  /** The absolute paths of the bundled files. */
  files: string[];
}

/**
 * Parts that are loaded only for prompts or once per server. Their code cache would be larger than
 * their code.
 */
const seldomLoaded = /\/node_modules\/(@inquirer|prom-client)\//;

/** The same sources give the same texts. */
export async function bundleProgram(builtIn: Record<string, string>): Promise<PackagedProgram> {
  const program = await bundled({ main: "src/main.ts" }, builtIn, [ownSqlite]);
  const start = await bundled({ start: "src/packaged/start.ts" }, {}, []);
  const [loader] = start;
  if (!loader || start.length > 1) throw new Error("the start must be one script");
  return {
    start: loader.code,
    parts: new Map(program.map(({ fileName, code }) => [fileName, asFunction(code)])),
    seldom: new Set(program.filter(isSeldom).map(({ fileName }) => fileName)),
    files: program.flatMap(({ moduleIds }) => moduleIds),
  };
}

function isSeldom({ moduleIds }: Chunk): boolean {
  return moduleIds.some((id) => seldomLoaded.test(id));
}

interface Chunk {
  fileName: string;
  code: string;
  moduleIds: string[];
}

async function bundled(
  input: Record<string, string>,
  builtIn: Record<string, string>,
  plugins: Plugin[],
): Promise<Chunk[]> {
  const options = bundleOptions(`node${process.versions.node}`, builtIn);
  const building = await rolldown({ ...options, input, plugins });
  try {
    const { output } = await building.generate({
      format: "cjs",
      // All parts are in one folder, because a part imports another as `./<name>`.
      chunkFileNames: "[name].js",
      codeSplitting: { groups: groupsOfParts() },
      ...readable,
    });
    return output.filter((part) => part.type === "chunk");
  } finally {
    await building.close();
  }
}

/** Wraps the code in the same function as Node does; src/packaged/start.ts calls the function. */
function asFunction(code: string): string {
  return `(function (exports, require, module, __filename, __dirname) {${code}\n})`;
}

const ownDatabase = join(projectFolder, "src/packaged/better-sqlite3.ts");

/** Replaces better-sqlite3, except in src/packaged, with the module that loads the native part. */
const ownSqlite: Plugin = {
  name: "own-sqlite",
  resolveId(name, importer) {
    return name === "better-sqlite3" && importer !== ownDatabase ? ownDatabase : null;
  },
};
