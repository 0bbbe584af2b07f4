// For `node --import`. When the process ends, writes two lines to standard error: `loaded:` with
// the packages that the process has loaded, and `sources:` with the files from src/.

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
