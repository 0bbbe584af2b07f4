// Replaces functions of a module of Node.js for a test, without a process of its own (see
// README.md).

import { createRequire, syncBuiltinESMExports } from "node:module";
import { onTestFinished } from "vitest";

const require = createRequire(import.meta.url);

/** `replacing` gets the real functions. All importers of the module then call what it returns. */
export function replaceBuiltin<Module extends object>(
  name: `node:${string}`,
  replacing: (real: Module) => Partial<Module>,
): void {
  const module: Module = require(name);
  const replaced = replacing({ ...module });
  const names = Object.keys(replaced) as (keyof Module)[];
  const real = Object.fromEntries(names.map((name) => [name, module[name]]));
  Object.assign(module, replaced);
  syncBuiltinESMExports();
  onTestFinished(() => {
    Object.assign(module, real);
    syncBuiltinESMExports();
  });
}
