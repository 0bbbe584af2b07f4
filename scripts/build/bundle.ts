// Bundles the programs and the agent library into files that are loaded when they are needed: what is
// lazy from source stays lazy. The same sources give the same bytes.
// (Rolldown, because what lazy imports of CommonJS packages answer has the names that Node gives it.)

import { isAbsolute } from "node:path";
import { rolldown } from "rolldown";
import { plainBuiltins } from "./builtins.ts";
import { groupsOfParts } from "./parts.ts";
import { projectFolder, readPackageFile } from "./project.ts";

/**
 * Writes `main.js`, `agent/index.js` and what they share into the folder. `builtIn` becomes a part of the
 * program (src/config/built-in.ts). Answers the files that went into it, with their whole paths.
 */
export async function bundle(folder: string, builtIn: Record<string, string>): Promise<string[]> {
  const building = await rolldown({
    cwd: projectFolder,
    input: { main: "src/main.ts", "agent/index": "src/agent/index.ts" },
    platform: "node",
    plugins: [plainBuiltins()],
    external: Object.keys(readPackageFile().dependencies),
    transform: {
      // The library runs in the programs of others.
      target: "node22.19",
      define: { PLATFORM_BUILT_IN: JSON.stringify(builtIn) },
    },
    // The paths of sources, which head their parts, do not depend on where node_modules really lies.
    resolve: { symlinks: false },
    // Some modules are lazy for one command and there at once for another.
    checks: { ineffectiveDynamicImport: false },
    onLog(level, log) {
      if (level === "warn") throw new Error(`the bundle is in doubt: ${log.message}`);
    },
  });
  try {
    const { output } = await building.write({
      dir: folder,
      format: "es",
      chunkFileNames: "parts/[name]-[hash].js",
      codeSplitting: { groups: groupsOfParts() },
      // No names and lines are lost: a stack trace tells enough without a map.
      minify: false,
      comments: false,
    });
    const modules = output.flatMap((part) => (part.type === "chunk" ? part.moduleIds : []));
    // The others have no file: the bundler and its plugins made them up.
    return modules.filter((id) => isAbsolute(id));
  } finally {
    await building.close();
  }
}
