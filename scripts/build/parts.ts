// Combines modules that are always loaded together, because finding and linking sixty small files
// takes longer than running them (`npm run bench -- cli` measures this).

import { join } from "node:path";
import type { ChunkingContext, CodeSplittingGroup } from "rolldown";
import { projectFolder } from "./project.ts";

interface Part {
  name: string;
  /** The part contains these modules and their imports, except modules of earlier parts. */
  from: string[];
  /** The part also contains what this module loads lazily, and its imports. */
  loadedBy?: string;
  /** Limits the part to modules whose path matches. */
  rooms?: RegExp;
}

/** What most commands load after the parser. */
const ofCommands = [
  "cli/connecting/connect.ts",
  "cli/terminal/abandoned.ts",
  "cli/terminal/notes.ts",
  "cli/nouns/run.ts",
];

// Each table of routes remains a separate file, so that loading one table loads only its own
// schemas.
const parts: Part[] = [
  // This part excludes main.ts, which waits for later parts. Its modules must not import main.ts.
  { name: "start", from: ["cli/index.ts"] },
  // The command line needs the rules without the wire format; an embedded agent needs both.
  {
    name: "basics",
    from: [
      ...["cli/run.ts", "cli/commands/index.ts", ...ofCommands],
      ...["client/client.ts", "client/paths.ts", "api/contract/call.ts", "api/contract/route.ts"],
      "api/contract/issue-words.ts",
    ],
    rooms:
      /\/src\/(domain|lib|client)\/|\/api\/contract\/(call|route|wire-routes|issue-words)\.ts$/,
  },
  { name: "rules", from: ["api/index.ts", "agent/index.ts"], rooms: /\/src\/(domain|lib)\// },
  { name: "http-client", from: ["client/transport-http.ts"] },
  {
    name: "groups",
    from: ["cli/commands/of-group.ts", "cli/commands/group-summaries.ts"],
    loadedBy: "cli/commands/of-group.ts",
  },
  { name: "commands", from: ["cli/commands/index.ts"] },
  { name: "completion", from: ["cli/completion/index.ts"] },
  {
    name: "wire",
    from: ["api/contract/schemas.ts", "api/contract/noun.ts", "api/shapes/statuses.ts"],
  },
  { name: "command", from: ["cli/run.ts", ...ofCommands] },
  {
    name: "service",
    from: ["cli/connecting/connect-to-database.ts", "app.ts", "store/open.ts"],
  },
  { name: "fleet", from: ["core/fleet/agent-handlers.ts", "core/fleet/services.ts"] },
];

export function groupsOfParts(): CodeSplittingGroup[] {
  return parts.map((part, index) => {
    const { name, rooms = /./ } = part;
    let members: Set<string> | null = null;
    return {
      debugName: name,
      priority: parts.length - index,
      name(id, context) {
        members ??= membersOf(part, context);
        return members.has(id) && rooms.test(id) ? name : null;
      },
    };
  });
}

function membersOf({ from, loadedBy }: Part, context: ChunkingContext): Set<string> {
  const found = new Set(from.map(inSources));
  const loader = loadedBy && context.getModuleInfo(inSources(loadedBy));
  for (const id of loader ? loader.dynamicallyImportedIds : []) found.add(id);
  // The set grows during the loop.
  for (const id of found) {
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  }
  return found;
}

function inSources(file: string): string {
  return join(projectFolder, "src", file);
}
