// For `node --import`: at the end of the process, writes the packages that it has loaded to standard error,
// in one line behind `loaded:`.

import { registerHooks } from "node:module";

const packages = new Set();

registerHooks({
  load(url, context, next) {
    const name = /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
    if (name) packages.add(name);
    return next(url, context);
  },
});

process.once("exit", () => {
  process.stderr.write(`loaded: ${[...packages].sort().join(" ")}\n`);
});
