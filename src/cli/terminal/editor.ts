// A person's editor on a text: a file that only they can read, and their program on it.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asOperator } from "../../lib/files/acting-user.ts";
import { CliError, exit, usageError } from "../exit.ts";
import type { Io } from "./io.ts";

/** What a shell answers when there is no such program. */
const notFound = 127;

/** A text that is edited, perhaps several times. */
export class Edited {
  readonly path: string;
  readonly #folder: string;
  readonly #command: string;
  readonly #io: Io;
  #isKept = false;

  /** Makes the file. Throws a usage error when there is neither an editor nor a terminal for one. */
  constructor(io: Io, fileName: string, instead: string) {
    this.#io = io;
    this.#command = commandOf(io, instead);
    // The editor runs with the operator's rights: nobody else may be able to change its file.
    this.#folder = asOperator(() => mkdtempSync(join(tmpdir(), "platformctl-")));
    this.path = join(this.#folder, fileName);
  }

  /**
   * Answers what is in the file once the editor has ended, and whether it was saved at all. Throws when
   * the editor fails.
   */
  async edit(text: string): Promise<{ text: string; isSaved: boolean }> {
    asOperator(() => writeFileSync(this.path, text, { mode: 0o600 }));
    const before = this.#savedAt();
    const { status, signal } = await this.#io.lendTerminal(() =>
      // The command may have arguments. Ctrl-C is for the editor, not for the shell that waits for it.
      run(["sh", "-c", `trap : INT; ${this.#command} "$@"`, "sh", this.path]),
    );
    if (status === notFound) {
      throw failure(`there is no editor ${this.#command}: set VISUAL or EDITOR to one.`);
    }
    if (status !== 0) {
      const how = signal === null ? `ended with ${status}` : `was ended by ${signal}`;
      throw failure(`the editor ${this.#command} ${how}; nothing was changed.`);
    }
    const edited = asOperator(() => readFileSync(this.path, "utf8"));
    return { text: edited, isSaved: this.#savedAt() !== before };
  }

  /** The file stays, for who has written it; answers where. */
  keep(): string {
    this.#isKept = true;
    return this.path;
  }

  /** To be called in the end. */
  close(): void {
    if (this.#isKept) return;
    asOperator(() => rmSync(this.#folder, { recursive: true, force: true }));
  }

  /** Some editors write the file, others put a new one in its place. */
  #savedAt(): string {
    const { mtimeNs, ino } = asOperator(() => statSync(this.path, { bigint: true }));
    return `${mtimeNs} ${ino}`;
  }
}

function commandOf({ editor, interactive }: Io, instead: string): string {
  if (editor !== undefined) return editor;
  if (interactive) return "vi";
  throw usageError(`there is no terminal to edit in: ${instead}, or set EDITOR to a program.`);
}

interface Ended {
  status: number | null;
  signal: NodeJS.Signals | null;
}

/** The program has the terminal; data that goes elsewhere is ours, so it writes to stderr then. */
function run([command = "", ...words]: string[]): Promise<Ended> {
  const { promise, resolve, reject } = Promise.withResolvers<Ended>();
  const stdout = process.stdout.isTTY ? "inherit" : 2;
  const child = asOperator(() => spawn(command, words, { stdio: ["inherit", stdout, "inherit"] }));
  child.once("error", (error) => reject(failure(`the editor cannot be run: ${error.message}`)));
  child.once("exit", (status, signal) => resolve({ status, signal }));
  return promise;
}

function failure(message: string): CliError {
  return new CliError(exit.failed, message, { code: "EDITOR_FAILED" });
}
