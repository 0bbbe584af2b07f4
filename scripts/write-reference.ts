// Makes the pages of docs/reference that have generated parts.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { codeWriters } from "./reference/codes.ts";
import { commandWriters } from "./reference/commands.ts";
import { filled, type Writer } from "./reference/fill.ts";
import { permissionWriters } from "./reference/permissions.ts";
import { routeWriters } from "./reference/routes.ts";

const folder = join(import.meta.dirname, "../docs/reference");

/** Returns the pages with their text. */
export async function referencePages(): Promise<[file: string, text: string][]> {
  const writers: Record<string, Writer> = {
    ...(await commandWriters()),
    ...codeWriters,
    ...permissionWriters,
    ...routeWriters,
  };
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  return names
    .filter((name) => name.endsWith(".md"))
    .map((name) => {
      const file = join(folder, name);
      return [file, filled(readFileSync(file, "utf8"), writers)];
    });
}
