// A hook for `node --import`. When the process ends, the hook writes to standard error which packages
// (`loaded:`) and which files of src/ (`sources:`) the process has loaded.

import { registerHooks } from "node:module";

const packages = new Set();
const sources = new Set();

registerHooks({
  load(url, context, next) {
    const name = /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
    if (name) packages.add(name);
    const source = /\/src\/(.*\.ts)$/.exec(url)?.[1];
    if (source && !name) sources.add(source);
    return next(url, context);
  },
});

process.once("exit", () => {
  process.stderr.write(`loaded: ${[...packages].sort().join(" ")}\n`);
  process.stderr.write(`sources: ${[...sources].sort().join(" ")}\n`);
});
