// Modules of Node, taken as they are. An `import` of one wraps it first, and looks at each of its exports
// for that, which loads what stands behind them: of all that a short command does, a tenth of the time.

import { isBuiltin } from "node:module";
import { isAbsolute, relative } from "node:path";
import type { Plugin } from "rolldown";
import { projectFolder } from "./project.ts";

const marked = "builtin:";
const identifier = /^[A-Za-z_$][\w$]*$/;

/** For the `import` statements of what is bundled; Node has had `getBuiltinModule` since 20.16 and 22.3. */
export function plainBuiltins(): Plugin {
  return {
    name: "plain-builtins",
    resolveId(source, importer, { kind }) {
      // The bundler's own parts, which have no file, stay as they are.
      if (kind !== "import-statement" || !isBuiltin(source)) return null;
      if (!importer || !isAbsolute(importer)) return null;
      // One for each module that imports it: a shared one would lie in some part, and bring that along.
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

/** A module like the wrapped one, of which nothing remains but what is used. */
function builtinSource(name: string): string {
  const builtin = process.getBuiltinModule(`node:${name}`) as object;
  const names = Object.keys(builtin).filter((key) => identifier.test(key) && key !== "default");
  return [
    `const builtin = /* @__PURE__ */ process.getBuiltinModule("node:${name}");`,
    "export default builtin;",
    ...names.map((key) => `export const ${key} = /* @__PURE__ */ (() => builtin.${key})();`),
  ].join("\n");
}
