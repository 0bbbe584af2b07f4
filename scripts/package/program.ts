// Bundles the program for a packaged file: in parts like the installed one, but in a format that can be
// loaded from inside that file, and with better-sqlite3.

import { join } from "node:path";
import { type Plugin, rolldown } from "rolldown";
import { groupsOfParts } from "../build/parts.ts";
import { projectFolder } from "../build/project.ts";
import { bundleOptions, readable } from "../build/rolldown.ts";

export interface PackagedProgram {
  /** The script that loads the parts. */
  start: string;
  /** The text of each part, by its name. */
  parts: Map<string, string>;
  /** The names of those without a code cache. */
  seldom: ReadonlySet<string>;
  /** The absolute paths of the bundled files. */
  files: string[];
}

/** Loaded only for prompts, and once per server. Their code cache would be larger than their code. */
const seldomLoaded = /\/node_modules\/(@inquirer|prom-client)\//;

/** `builtIn` becomes part of the program (src/config/built-in.ts). The same sources give the same texts. */
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
      // In one folder, because a part imports another as `./<name>`.
      chunkFileNames: "[name].js",
      codeSplitting: { groups: groupsOfParts() },
      ...readable,
    });
    return output.filter((part) => part.type === "chunk");
  } finally {
    await building.close();
  }
}

/** The function in which Node wraps a module; src/packaged/start.ts calls it. */
function asFunction(code: string): string {
  return `(function (exports, require, module, __filename, __dirname) {${code}\n})`;
}

const ownDatabase = join(projectFolder, "src/packaged/better-sqlite3.ts");

/** Everything except src/packaged gets the module that loads its native part from the file. */
const ownSqlite: Plugin = {
  name: "own-sqlite",
  resolveId(name, importer) {
    return name === "better-sqlite3" && importer !== ownDatabase ? ownDatabase : null;
  },
};
