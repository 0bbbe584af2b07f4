// Bundles the programs and the agent library into files that load on demand. It uses Rolldown
// because its lazy imports of CommonJS packages provide the same names as Node does.

import { isAbsolute } from "node:path";
import { rolldown } from "rolldown";
import { asciiOnly } from "./ascii-only.ts";
import { plainBuiltins } from "./builtins.ts";
import { ownSqlite } from "./own-sqlite.ts";
import { groupsOfParts } from "./parts.ts";
import { bundleOptions, readable } from "./rolldown.ts";

/** Returns the absolute paths of the bundled files. The same sources give the same bytes. */
export async function bundle(folder: string, builtIn: Record<string, string>): Promise<string[]> {
  const building = await rolldown({
    // The agent library runs in other programs, which may use an older Node.
    ...bundleOptions("node22.19", builtIn),
    input: { main: "src/main.ts", "agent/index": "src/agent/index.ts" },
    plugins: [plainBuiltins(), ownSqlite("installed-sqlite.ts"), asciiOnly()],
  });
  try {
    const { output } = await building.write({
      dir: folder,
      format: "es",
      chunkFileNames: "parts/[name]-[hash].js",
      codeSplitting: { groups: groupsOfParts() },
      ...readable,
    });
    const modules = output.flatMap((part) => (part.type === "chunk" ? part.moduleIds : []));
    // Other ids are virtual modules of the bundler and its plugins.
    return modules.filter((id) => isAbsolute(id));
  } finally {
    await building.close();
  }
}
