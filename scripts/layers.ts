// The rooms of src/ and what each may import: the table of the architecture, as data.
// check-layers.ts enforces it. A room is a folder of src/, or a file that lies there by itself.

export interface Room {
  /** Rooms it may import from, in any way. */
  imports: readonly string[];
  /** Rooms of which it may use types alone: `import type`. */
  types?: readonly string[];
  /** Rooms it may load when it needs them, and not before: `import()`. */
  lazy?: readonly string[];
  /** Runs in browsers too: nothing that it reaches, in whatever room, may import a Node builtin. */
  browser?: true;
}

export const rooms: Readonly<Record<string, Room>> = {
  lib: { imports: [] },
  config: { imports: ["lib"] },
  domain: { imports: ["lib"] },
  api: { imports: ["domain", "lib"], browser: true },
  store: { imports: ["domain", "lib"] },
  core: { imports: ["store", "domain", "lib"], types: ["api"] },
  jobs: { imports: ["core", "domain", "lib"] },
  http: { imports: ["api", "core", "domain", "lib"] },
  client: { imports: ["api", "domain", "lib"] },
  console: { imports: ["api", "domain", "lib"], browser: true },
  app: {
    imports: [
      "lib",
      "config",
      "domain",
      "api",
      "store",
      "core",
      "jobs",
      "http",
      "client",
      "console",
    ],
  },
  serve: { imports: ["app", "config", "store", "jobs", "http", "lib"] },
  agent: { imports: ["client", "api", "domain", "lib"] },
  cli: {
    imports: ["client", "api", "domain", "lib", "config"],
    types: ["agent"],
    lazy: ["app", "store", "serve", "agent", "packaged"],
  },
  main: { imports: ["cli"] },
  packaged: { imports: ["config", "lib"] },
};
