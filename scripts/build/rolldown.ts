import type { ChunkingContext, OutputOptions, RolldownOptions } from "rolldown";
import { projectFolder } from "./project.ts";

/** `builtIn` becomes part of the program (src/config/built-in.ts). */
export function bundleOptions(target: string, builtIn: Record<string, string>) {
  return {
    cwd: projectFolder,
    platform: "node",
    transform: { target, define: { PLATFORM_BUILT_IN: JSON.stringify(builtIn) } },
    // Source paths in the output must not depend on where node_modules really is.
    resolve: { symlinks: false },
    checks: {
      // Some modules are imported lazily by one command and eagerly by another.
      ineffectiveDynamicImport: false,
      // On a busy machine, every plugin is slow.
      bundlerTimings: false,
    },
    onLog(level, log) {
      if (level === "warn") throw new Error(`bundler warning: ${log.message}`);
    },
  } satisfies RolldownOptions;
}

/** Keeps names and line breaks, so that stack traces are clear without a source map. */
export const readable = { minify: false, comments: false } as const;

const service = "app|store/open|cli/connecting/connect-to-database|core/fleet/agent-handlers";

/**
 * Each part becomes one file, because Node takes longer to find a file than to run it. A part
 * contains the files below `src` that match, and what they import, except what is in an earlier
 * part. If a part has two patterns, it contains only what the files of both patterns import.
 */
const parts: readonly [name: string, ...files: string[]][] = [
  ["start", "cli/index"],
  [
    "command",
    "config/config|cli/(run|connecting/connect|nouns/run|completion/index|commands/[^/]+/index)",
  ],
  // Agents and commands over HTTP load this part without the service.
  ["shared", service, "(agent|cli|client)/.+"],
  ["service", service],
];

const groups = parts.map(([name, ...files], index) => {
  const patterns = files.map((pattern) => new RegExp(`/src/(${pattern})\\.ts$`));
  return {
    name(id: string, context: ChunkingContext) {
      const importers = [...importersOf(id, context)];
      const isWanted = patterns.every((pattern) => importers.some((one) => pattern.test(one)));
      return isWanted ? name : null;
    },
    debugName: name,
    priority: parts.length - index,
  };
});

/** The module and all modules that import it, directly or not. Ignores lazy imports. */
function importersOf(id: string, context: ChunkingContext): Set<string> {
  const found = new Set([id]);
  for (const one of found) {
    for (const importer of context.getModuleInfo(one)?.importers ?? []) found.add(importer);
  }
  return found;
}

/** CommonJS modules, because Node loads them faster than ES modules. */
export const programOutput = {
  ...readable,
  format: "cjs",
  codeSplitting: { groups },
} satisfies OutputOptions;
