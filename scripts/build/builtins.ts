// Imports Node's own modules unwrapped, and most of them when they are first used. A plain `import`
// loads the module at once, reads every export and so loads the lazy ones too, which takes a quarter
// of the time of a short command.

import { isBuiltin } from "node:module";
import { isAbsolute, relative } from "node:path";
import { promisify } from "node:util";
import type { Plugin } from "rolldown";
import { projectFolder } from "./project.ts";

const marked = "builtin:";
const identifier = /^[A-Za-z_$][\w$]*$/;

/** Replaces `import` statements. Node has had `getBuiltinModule` since 20.16 and 22.3. */
export function plainBuiltins(): Plugin {
  return {
    name: "plain-builtins",
    resolveId(source, importer, { kind }) {
      // The bundler's virtual modules have no file and remain unchanged.
      if (kind !== "import-statement" || !isBuiltin(source)) return null;
      if (!importer || !isAbsolute(importer)) return null;
      // Each importer gets its own module, because a shared module would load the whole part that
      // contains it.
      const name = source.replace(/^node:/, "");
      const id = `${marked}${name} of ${relative(projectFolder, importer)}`;
      return { id, moduleSideEffects: false };
    },
    load(id) {
      if (!id.startsWith(marked)) return null;
      const [name = ""] = id.slice(marked.length).split(" ");
      return builtinSource(name);
    },
  };
}

/** Modules that Node always loads for itself. */
const always = new Set([
  "buffer",
  "events",
  "fs",
  "module",
  "path",
  "process",
  "timers",
  "url",
  "util",
]);

/** The bundler keeps only the exports that are used. */
export function builtinSource(name: string): string {
  const builtin = process.getBuiltinModule(`node:${name}`) as Record<string, unknown>;
  const names = Object.keys(builtin).filter((key) => identifier.test(key) && key !== "default");
  const load = `process.getBuiltinModule("node:${name}")`;
  if (always.has(name)) {
    return [
      `const builtin = /* @__PURE__ */ ${load};`,
      "export default builtin;",
      ...names.map((key) => `export const ${key} = /* @__PURE__ */ (() => builtin.${key})();`),
    ].join("\n");
  }
  return [
    `const load = () => ${load};`,
    "export default /* @__PURE__ */ new Proxy({}, { get: (_, key) => load()[key] });",
    ...names.map((key) =>
      isPlainFunction(builtin[key])
        ? `export let ${key} = (...given) => (${key} = load().${key})(...given);`
        : `export const ${key} = /* @__PURE__ */ (() => load().${key})();`,
    ),
  ].join("\n");
}

/** The first call of such a function may load it. */
function isPlainFunction(value: unknown): boolean {
  if (typeof value !== "function" || /^[A-Z]/.test(value.name)) return false;
  const { [promisify.custom]: promising } = value as { [promisify.custom]?: unknown };
  // `promisify` marks what it returns with itself.
  return promising === undefined || promising === value;
}
