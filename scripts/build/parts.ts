// What is always loaded together becomes one file: finding and linking sixty small ones takes a command
// longer than running what is in them. (Measure with `npm run bench -- cli`.)

import { join } from "node:path";
import type { CodeSplittingGroup } from "rolldown";
import { projectFolder } from "./project.ts";

interface Part {
  name: string;
  /** These modules and all that they import, but for what is in a part above. */
  from: string[];
  /** Of those, the ones in these rooms alone. */
  rooms?: RegExp;
}

const parts: Part[] = [
  // Not main.ts itself: it waits for what is loaded later, which must not wait for it.
  { name: "start", from: ["cli/index.ts"] },
  // The command line has the rules without the wire; an embedded agent has both, and no more.
  { name: "rules", from: ["api/index.ts", "agent/index.ts"], rooms: /\/src\/(domain|lib)\// },
  { name: "client", from: ["client/client.ts", "client/transport-http.ts", "client/ca.ts"] },
  { name: "completion", from: ["cli/completion/index.ts"] },
  { name: "schemas", from: ["api/index.ts"], rooms: /\/node_modules\// },
  { name: "wire", from: ["api/index.ts"] },
  { name: "command", from: ["cli/run.ts", "cli/connect.ts", "cli/output.ts"] },
  { name: "service", from: ["app.ts", "store/open.ts"] },
];

/** For one build. */
export function groupsOfParts(): CodeSplittingGroup[] {
  return parts.map(({ name, from, rooms = /./ }, index) => {
    let members: Set<string> | null = null;
    return {
      debugName: name,
      priority: parts.length - index,
      name(id, context) {
        members ??= withImports(from, (file) => context.getModuleInfo(file)?.importedIds ?? []);
        return members.has(id) && rooms.test(id) ? name : null;
      },
    };
  });
}

function withImports(from: string[], importsOf: (id: string) => string[]): Set<string> {
  const found = new Set(from.map((file) => join(projectFolder, "src", file)));
  // The set grows while it is walked.
  for (const id of found) for (const imported of importsOf(id)) found.add(imported);
  return found;
}
