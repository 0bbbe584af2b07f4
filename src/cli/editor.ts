// A person's editor on a text: a file that only they can read, and their program on it.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CliError, exit, usageError } from "./exit.ts";
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
    this.#folder = mkdtempSync(join(tmpdir(), "platformctl-"));
    this.path = join(this.#folder, fileName);
  }

  /** Answers what is in the file once the editor has ended. Throws when that fails. */
  async edit(text: string): Promise<string> {
    writeFileSync(this.path, text, { mode: 0o600 });
    const { status, signal } = await this.#io.lendTerminal(() =>
      // As git and others do: the command may have arguments.
      run(["sh", "-c", `${this.#command} "$@"`, this.#command, this.path]),
    );
    if (status === notFound) {
      throw failure(`there is no editor ${this.#command}: set VISUAL or EDITOR to one.`);
    }
    if (status !== 0) {
      const how = signal === null ? `ended with ${status}` : `was ended by ${signal}`;
      throw failure(`the editor ${this.#command} ${how}; nothing was changed.`);
    }
    return readFileSync(this.path, "utf8");
  }

  /** The file stays, for who has written it; answers where. */
  keep(): string {
    this.#isKept = true;
    return this.path;
  }

  /** To be called in the end. */
  close(): void {
    if (!this.#isKept) rmSync(this.#folder, { recursive: true, force: true });
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
  const child = spawn(command, words, { stdio: ["inherit", stdout, "inherit"] });
  child.once("error", (error) => reject(failure(`the editor cannot be run: ${error.message}`)));
  child.once("exit", (status, signal) => resolve({ status, signal }));
  return promise;
}

function failure(message: string): CliError {
  return new CliError(exit.failed, message, { code: "EDITOR_FAILED" });
}
