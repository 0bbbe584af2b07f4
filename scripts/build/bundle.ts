// Bundles the programs and the agent library into files that load on demand. Rolldown is used
// because its lazy imports of CommonJS packages provide the same names as Node does.

import { isAbsolute, join } from "node:path";
import { type OutputOptions, type RolldownOptions, rolldown } from "rolldown";
import { asciiOnly } from "./ascii-only.ts";
import { ownSqlite } from "./own-sqlite.ts";
import { bundleOptions, programOutput, readable } from "./rolldown.ts";

/** Returns the absolute paths of the bundled files. The same sources give the same bytes. */
export async function bundle(folder: string, builtIn: Record<string, string>): Promise<string[]> {
  // The agent library runs in other programs, which may use an older Node.
  const options = bundleOptions("node22.19", builtIn);
  const program = await write(
    {
      ...options,
      input: { main: "src/main.ts" },
      plugins: [ownSqlite("installed-sqlite.ts"), asciiOnly()],
    },
    {
      ...programOutput,
      dir: folder,
      entryFileNames: "[name].cjs",
      chunkFileNames: "parts/[name]-[hash].cjs",
    },
  );
  const library = await write(
    { ...options, input: { index: "src/agent/index.ts" }, plugins: [asciiOnly()] },
    {
      ...readable,
      dir: join(folder, "agent"),
      format: "es",
      chunkFileNames: "parts/[name]-[hash].js",
    },
  );
  return [...new Set([...program, ...library])];
}

async function write(options: RolldownOptions, files: OutputOptions): Promise<string[]> {
  const building = await rolldown(options);
  try {
    const { output } = await building.write(files);
    const modules = output.flatMap((part) => (part.type === "chunk" ? part.moduleIds : []));
    // Other ids are virtual modules of the bundler and its plugins.
    return modules.filter((id) => isAbsolute(id));
  } finally {
    await building.close();
  }
}
