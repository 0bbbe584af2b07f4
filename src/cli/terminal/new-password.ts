// Reads new passwords from the terminal or standard input. A flag would be visible in `ps`.

import { passwordProblem } from "../../lib/password-rules.ts";
import { usageError } from "../exit.ts";
import type { Io } from "./io.ts";
import { askHidden, requireSomebody } from "./prompts.ts";

export async function readNewPassword(
  io: Io,
  username: string,
  fromStdin: boolean,
  signal: AbortSignal,
): Promise<string> {
  return fromStdin ? ((await linesOfStdin(io, 1, signal))[0] ?? "") : askTwice(io, username);
}

/** For users who change their own password. Standard input has one password per line. */
export async function readPasswordChange(
  io: Io,
  username: string,
  fromStdin: boolean,
  signal: AbortSignal,
): Promise<{ currentPassword: string; newPassword: string }> {
  if (fromStdin) {
    const [currentPassword = "", newPassword = ""] = await linesOfStdin(io, 2, signal);
    return { currentPassword, newPassword };
  }
  const currentPassword = await ask(io, `Current password of ${username}:`, (given) =>
    given === "" ? "The password is required." : null,
  );
  return { currentPassword, newPassword: await askTwice(io, username) };
}

async function askTwice(io: Io, username: string): Promise<string> {
  while (true) {
    const password = await ask(io, `New password for ${username}:`, (given) => {
      const problem = passwordProblem(given, username);
      return problem === null ? null : `The password ${problem}.`;
    });
    const again = await ask(io, "Repeat the new password:", () => null);
    if (again === password) return password;
    io.note("> The passwords differ: start again.\n");
  }
}

function ask(
  io: Io,
  message: string,
  problemOf: (given: string) => string | null,
): Promise<string> {
  requireSomebody(io, "--password-stdin");
  return askHidden({ message, problemOf });
}

async function linesOfStdin(io: Io, count: number, signal: AbortSignal): Promise<string[]> {
  const lines = (await io.readStdin(signal)).replace(/\r?\n$/, "").split(/\r?\n/);
  if (lines.length === count && lines.every((line) => line !== "")) return lines;
  throw usageError(
    count === 1
      ? "--password-stdin: standard input must be the password in one line."
      : "--password-stdin: standard input must be the current password and the new one, one per line.",
  );
}
