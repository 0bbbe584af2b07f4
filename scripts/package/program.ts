// The bundle has the same parts as in an installed package, but in a format that can be loaded from
// inside the file, and it includes better-sqlite3.

import { isAbsolute } from "node:path";
import { type Plugin, rolldown } from "rolldown";
import { ownSqlite } from "../build/own-sqlite.ts";
import { bundleOptions, programOutput } from "../build/rolldown.ts";

export interface PackagedProgram {
  /** The script that loads the parts. */
  start: string;
  /** The text of each part by the part's name. */
  parts: Map<string, string>;
  /** The absolute paths of the bundled files. */
  files: string[];
}

/** The same sources give the same texts. */
export async function bundleProgram(builtIn: Record<string, string>): Promise<PackagedProgram> {
  const program = await bundled({ main: "src/main.ts" }, builtIn, [ownSqlite("better-sqlite3.ts")]);
  const start = await bundled({ start: "src/packaged/start.ts" }, {}, []);
  const [loader] = start;
  if (!loader || start.length > 1) throw new Error("the start must be one script");
  return {
    start: loader.code,
    parts: new Map(program.map(({ fileName, code }) => [fileName, asFunction(code)])),
    // Other ids are virtual modules of the bundler and its plugins.
    files: program.flatMap(({ moduleIds }) => moduleIds).filter((id) => isAbsolute(id)),
  };
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
      ...programOutput,
      // All parts are in one folder, because a part imports another as `./<name>`.
      chunkFileNames: "[name].js",
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
