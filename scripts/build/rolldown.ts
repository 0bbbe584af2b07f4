import type { RolldownOptions } from "rolldown";
import { projectFolder } from "./project.ts";

/** `builtIn` becomes part of the program (src/config/built-in.ts). */
export function bundleOptions(target: string, builtIn: Record<string, string>) {
  return {
    cwd: projectFolder,
    platform: "node",
    transform: { target, define: { PLATFORM_BUILT_IN: JSON.stringify(builtIn) } },
    // Source paths in the output must not depend on where node_modules really is.
    resolve: { symlinks: false },
    // Some modules are imported lazily by one command and eagerly by another.
    checks: { ineffectiveDynamicImport: false },
    onLog(level, log) {
      if (level === "warn") throw new Error(`bundler warning: ${log.message}`);
    },
  } satisfies RolldownOptions;
}

/** Keeps names and line breaks, so that stack traces are clear without a source map. */
export const readable = { minify: false, comments: false } as const;
