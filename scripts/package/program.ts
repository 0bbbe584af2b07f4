// Bundles the program for a packaged file: in parts like the installed one, but in the form that can be
// loaded from within a file, and with better-sqlite3 inside.

import { join } from "node:path";
import { type Plugin, type RolldownOptions, rolldown } from "rolldown";
import { groupsOfParts } from "../build/parts.ts";
import { projectFolder } from "../build/project.ts";

export interface PackagedProgram {
  /** The script that loads the parts. */
  start: string;
  /** The text of each part, by its name. */
  parts: Map<string, string>;
  /** The names of those that V8 may compile each time. */
  seldom: ReadonlySet<string>;
  /** The files that went into it, with their whole paths. */
  files: string[];
}

/**
 * They are loaded for a person who is asked something, and once in a server's life: what V8 makes of them would
 * have more bytes than they have themselves.
 */
const seldomLoaded = /\/node_modules\/(@inquirer|prom-client)\//;

/** `builtIn` becomes a part of the program (src/config/built-in.ts). The same sources give the same texts. */
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
  const options: RolldownOptions = {
    cwd: projectFolder,
    input,
    plugins,
    platform: "node",
    transform: {
      target: `node${process.versions.node}`,
      define: { PLATFORM_BUILT_IN: JSON.stringify(builtIn) },
    },
    resolve: { symlinks: false },
    checks: { ineffectiveDynamicImport: false },
    onLog(level, log) {
      if (level === "warn") throw new Error(`the bundle is in doubt: ${log.message}`);
    },
  };
  const building = await rolldown(options);
  try {
    const { output } = await building.generate({
      format: "cjs",
      // Side by side: one part names another by `./<name>`.
      chunkFileNames: "[name].js",
      codeSplitting: { groups: groupsOfParts() },
      minify: false,
      comments: false,
    });
    return output.filter((part) => part.type === "chunk");
  } finally {
    await building.close();
  }
}

/** As Node wraps a module; src/packaged/start.ts calls it. */
function asFunction(code: string): string {
  return `(function (exports, require, module, __filename, __dirname) {${code}\n})`;
}

const ownDatabase = join(projectFolder, "src/packaged/better-sqlite3.ts");

/** All but our own room get the module that brings its native part along. */
const ownSqlite: Plugin = {
  name: "own-sqlite",
  resolveId(name, importer) {
    return name === "better-sqlite3" && importer !== ownDatabase ? ownDatabase : null;
  },
};
