import { join } from "node:path";
import { openDatabase } from "../../src/store/engine/sqlite/open.ts";
import type { WarmUp } from "./code-cache.ts";

/** Nothing listens there, so the program loads its HTTP client, and the call fails at once. */
const noServer = "http://127.0.0.1:1";
const unreachable = 6;

/** Creates a database in the folder. Returns the usual commands of operators. */
export async function warmUpCommands(folder: string): Promise<WarmUp[]> {
  const file = join(folder, "warm-up.db");
  const { database } = openDatabase({ file, busyTimeoutMs: 0, schema: "apply", now: Date.now });
  await database.close();
  return [
    ended(0, "tokens create --db", file),
    ended(0, "tokens list --db", file),
    ended(0, "agents list --db", file),
    ended(0, "services list -o yaml --db", file),
    ended(unreachable, "agents list --server", noServer),
    ended(0, "agents list --help"),
    ended(0, "--help"),
    ended(0, "--version"),
    ended(0, "__complete -- agents", ""),
  ];
}

function ended(status: number, words: string, ...more: string[]): WarmUp {
  return { words: ["--program=platformctl", ...words.split(" "), ...more], status };
}
