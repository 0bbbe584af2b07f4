// The options that every bundle of the program shares.

import type { RolldownOptions } from "rolldown";
import { projectFolder } from "./project.ts";

/** `builtIn` becomes part of the program (src/config/built-in.ts). */
export function bundleOptions(target: string, builtIn: Record<string, string>) {
  return {
    cwd: projectFolder,
    platform: "node",
    transform: { target, define: { PLATFORM_BUILT_IN: JSON.stringify(builtIn) } },
    // The paths of sources, which head their parts, do not depend on where node_modules really is.
    resolve: { symlinks: false },
    // Some modules are lazy for one command and eager for another.
    checks: { ineffectiveDynamicImport: false },
    onLog(level, log) {
      if (level === "warn") throw new Error(`the bundler warns: ${log.message}`);
    },
  } satisfies RolldownOptions;
}

/** A stack trace is clear enough without a source map, so names and lines are kept. */
export const readable = { minify: false, comments: false } as const;
