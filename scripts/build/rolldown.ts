import type { OutputOptions, RolldownOptions } from "rolldown";
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

/**
 * Each part becomes one file, because Node takes longer to find a file than to run it. A part
 * contains the files below `src` that match, and what they import, except what is in an earlier
 * part.
 */
const parts: readonly [name: string, files: string][] = [
  ["start", "cli/index"],
  [
    "command",
    "config/config|cli/(run|connecting/connect|nouns/run|completion/index|commands/[^/]+/index)",
  ],
  ["service", "app|store/open|cli/connecting/connect-to-database|core/fleet/agent-handlers"],
];

/** CommonJS modules, because Node loads them faster than ES modules. */
export const programOutput = {
  ...readable,
  format: "cjs",
  codeSplitting: {
    groups: parts.map(([name, files], index) => ({
      name,
      test: new RegExp(`/src/(${files})\\.ts$`),
      priority: parts.length - index,
    })),
  },
} satisfies OutputOptions;
