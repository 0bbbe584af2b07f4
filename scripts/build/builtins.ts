// Imports Node's own modules unwrapped. A plain `import` reads every export of the module and so
// loads the lazy ones too, which takes a tenth of the time of a short command.

import { isBuiltin } from "node:module";
import { isAbsolute, relative } from "node:path";
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

/** The bundler keeps only the exports that are used. */
function builtinSource(name: string): string {
  const builtin = process.getBuiltinModule(`node:${name}`) as object;
  const names = Object.keys(builtin).filter((key) => identifier.test(key) && key !== "default");
  return [
    `const builtin = /* @__PURE__ */ process.getBuiltinModule("node:${name}");`,
    "export default builtin;",
    ...names.map((key) => `export const ${key} = /* @__PURE__ */ (() => builtin.${key})();`),
  ].join("\n");
}
