// Edits a rule in the user's editor until it is saved or cancelled. The text is never lost.

import type { Problem } from "../../lib/json/yaml-source.ts";
import { CliError, exit, usageError } from "../exit.ts";
import { Edited } from "../terminal/editor.ts";
import type { Io } from "../terminal/io.ts";
import { BadRuleFile, fileError, parseRule, type RuleFile } from "./rule-file.ts";
import type { RuleKind } from "./rule-kind.ts";
import { isEmptyText, problemComments, withRemarks } from "./rule-text.ts";

type Outcome<T> = { done: T } | { problems: Problem[] } | { reopen: string };

export class RuleEditor {
  readonly #io: Io;
  readonly #kind: RuleKind;
  readonly #edited: Edited;
  #isKept = false;

  /** Throws a usage error if there is no editor, or no terminal for the editor. */
  constructor(io: Io, kind: RuleKind, instead: string) {
    this.#io = io;
    this.#kind = kind;
    this.#edited = new Edited(io, `${kind.one}.yaml`, instead);
  }

  /** Reopens the editor until `save` is done. An unchanged template (`isTemplate`) cancels. */
  async edit<T>(
    text: string,
    isTemplate: boolean,
    save: (file: RuleFile) => Promise<Outcome<T>>,
  ): Promise<T> {
    let opened = text;
    for (let isAgain = false; ; isAgain = true) {
      const editing = () => this.#edited.edit(opened);
      // If the first editor fails to start, there is no text to lose yet.
      const { text, isSaved } = await (isAgain ? this.#keepingText(editing) : editing());
      if (isEmptyText(text)) throw cancelled("the file was empty");
      const isUnchanged = !isSaved || (isTemplate && text === opened);
      if (isUnchanged && isAgain) throw cancelled("the text was not saved again", this.keep());
      if (isUnchanged && isTemplate) throw cancelled("the template was not changed");
      const outcome = await this.#keepingText(() => trySave(this.#kind, text, save));
      if ("done" in outcome) return outcome.done;
      if ("reopen" in outcome) opened = outcome.reopen;
      else {
        const { problems } = outcome;
        if (!this.#io.interactive || text === opened) throw this.#unsaved(problems);
        opened = withRemarks(text, problemComments(problems, text));
      }
    }
  }

  /** Keeps the text, and returns the path of its file. */
  keep(): string {
    this.#isKept = true;
    return this.#edited.keep();
  }

  [Symbol.dispose](): void {
    this.#edited.close();
  }

  async #keepingText<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!this.#isKept) this.#io.note(`Your text is in ${this.keep()}.\n`);
      throw error;
    }
  }

  #unsaved(problems: Problem[]): CliError {
    const { message } = fileError(this.keep(), problems);
    const what = `the ${this.#kind.one} cannot be saved; your text is kept.`;
    return usageError(`${what}\n  ${message}`);
  }
}

async function trySave<T>(
  kind: RuleKind,
  text: string,
  save: (file: RuleFile) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  let file: RuleFile | null = null;
  try {
    file = parseRule(kind, text);
    return await save(file);
  } catch (error) {
    const problems = error instanceof BadRuleFile ? error.problems : file?.problemsIn(error);
    if (problems) return { problems };
    throw error;
  }
}

function cancelled(why: string, file?: string): CliError {
  const where = file === undefined ? "" : ` Your text is in ${file}.`;
  return new CliError(exit.failed, `cancelled: ${why}; nothing was changed.${where}`, {
    code: "EDIT_CANCELLED",
  });
}
