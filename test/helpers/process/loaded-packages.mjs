// A hook for `node --import`. When the process ends, the hook writes to standard error which packages
// (`loaded:`), which files of src/ (`sources:`) and which parts of the bundle (`parts:`) the process
// has loaded.

import { registerHooks } from "node:module";

const packages = new Set();
const sources = new Set();
const parts = new Set();

registerHooks({
  load(url, context, next) {
    const name = /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
    if (name) packages.add(name);
    const source = /\/src\/(.*\.ts)$/.exec(url)?.[1];
    if (source && !name) sources.add(source);
    const part = /\/dist\/parts\/(.+)-.{8}\.cjs$/.exec(url)?.[1];
    if (part) parts.add(part);
    return next(url, context);
  },
});

process.once("exit", () => {
  for (const [label, names] of Object.entries({ loaded: packages, sources, parts })) {
    process.stderr.write(`${label}: ${[...names].sort().join(" ")}\n`);
  }
});
