// Opens a private file in the user's editor.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CliError, exit, usageError } from "../exit.ts";
import type { Io } from "./io.ts";

/** The exit status with which a shell reports an unknown program. */
const notFound = 127;

export class Edited {
  readonly path: string;
  readonly #folder: string;
  readonly #command: string;
  readonly #io: Io;
  #isKept = false;

  /** `instead` says what the user can do without an editor. */
  constructor(io: Io, fileName: string, instead: string) {
    this.#io = io;
    this.#command = commandOf(io, instead);
    this.#folder = mkdtempSync(join(tmpdir(), "platformctl-"));
    this.path = join(this.#folder, fileName);
  }

  /** Waits until the editor exits. Throws if the editor cannot be run or fails. */
  async edit(text: string): Promise<{ text: string; isSaved: boolean }> {
    writeFileSync(this.path, text, { mode: 0o600 });
    const before = this.#savedAt();
    const [status, signal] = await this.#io.lendTerminal(() =>
      // The command may have arguments. Ctrl-C is for the editor, not for its shell.
      run(["sh", "-c", `trap : INT; ${this.#command} "$@"`, "sh", this.path]),
    );
    if (status === notFound) {
      throw failure(`there is no editor ${this.#command}: set VISUAL or EDITOR.`);
    }
    if (status !== 0) {
      const how = signal === null ? `exited with status ${status}` : `was ended by ${signal}`;
      throw failure(`the editor ${this.#command} ${how}; nothing was changed.`);
    }
    const edited = readFileSync(this.path, "utf8");
    return { text: edited, isSaved: this.#savedAt() !== before };
  }

  keep(): string {
    this.#isKept = true;
    return this.path;
  }

  /** Removes the file, unless it is kept. Must be called at the end. */
  close(): void {
    if (this.#isKept) return;
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Detects every save: some editors rewrite the file, others replace it. */
  #savedAt(): string {
    const { mtimeNs, ino } = statSync(this.path, { bigint: true });
    return `${mtimeNs} ${ino}`;
  }
}

function commandOf({ editor, interactive }: Io, instead: string): string {
  if (editor !== undefined) return editor;
  if (interactive) return "vi";
  throw usageError(`there is no terminal for an editor: ${instead}, or set EDITOR to a program.`);
}

/** Returns the status and the signal. If stdout carries data, the editor uses stderr. */
function run([command = "", ...words]: string[]) {
  const stdout = process.stdout.isTTY ? "inherit" : 2;
  const child = spawn(command, words, { stdio: ["inherit", stdout, "inherit"] });
  return once(child, "exit").catch((error: Error) => {
    throw failure(`the editor cannot be run: ${error.message}`);
  });
}

function failure(message: string): CliError {
  return new CliError(exit.failed, message, { code: "EDITOR_FAILED" });
}
