// Shows a long text in the user's pager.

import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Io } from "./io.ts";

/** The exit status with which a shell reports an unknown program. */
const notFound = 127;

/** Ends at once if the text fits on the screen. */
const usual = `command -v less >/dev/null || exit ${notFound}; exec less -FRX`;

/** Prints the text if there is no terminal or no pager. */
export async function showInPager(io: Io, text: string): Promise<void> {
  if (!io.interactive || !io.isTerminal) return io.out(text);
  const status = await io.lendTerminal(() => page(io.pager ?? usual, text));
  if (status === notFound) io.out(text);
}

/** The command may have arguments. Returns its exit status. */
async function page(command: string, text: string): Promise<number | null> {
  const child = spawn("sh", ["-c", command], { stdio: ["pipe", "inherit", "inherit"] });
  // The pager can end before it has read everything.
  child.stdin.on("error", () => undefined);
  child.stdin.end(text);
  const [status] = (await once(child, "exit")) as [number | null];
  return status;
}
