// The architecture as data: what each room of src/ can import. A room is a folder or a single file.
// check-layers.ts enforces the table.

export interface Room {
  /** Rooms that this room can import in any way. */
  imports: readonly string[];
  /** Rooms that this room can import with `import type`. */
  types?: readonly string[];
  /** Rooms that this room can load lazily with `import()`. */
  lazy?: readonly string[];
  /**
   * The folders of the room, if their order matters: a folder can import only those before it.
   * Files beside the folders are shared by all of them.
   */
  folders?: readonly string[];
  /** The room also runs in browsers, so nothing that it loads can import a Node module. */
  browser?: true;
}

export const rooms: Readonly<Record<string, Room>> = {
  lib: { imports: [] },
  config: { imports: ["lib"] },
  domain: { imports: ["lib"] },
  api: { imports: ["domain", "lib"], browser: true },
  store: { imports: ["domain", "lib"] },
  core: {
    imports: ["store", "domain", "lib"],
    types: ["api"],
    folders: [
      "limits",
      "monitoring",
      "secrets",
      "changes",
      "audit",
      "clock",
      "cluster",
      "presence",
      "access",
      "approvals",
      "fleet",
      "search",
      "views",
      "commands",
      "rollouts",
      "schedules",
      "bus",
      "agent-calls",
      "approval-decisions",
      "system",
      "declarations",
    ],
  },
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
  serve: { imports: ["app", "config", "store", "jobs", "http", "domain", "lib"] },
  agent: { imports: ["client", "api", "domain", "lib"] },
  cli: {
    imports: ["client", "api", "domain", "lib", "config"],
    types: ["agent"],
    lazy: ["app", "store", "serve", "agent", "packaged"],
  },
  main: { imports: ["cli"] },
  packaged: { imports: ["config", "lib"] },
};
