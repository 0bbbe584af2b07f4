// Shows a command's output on stderr, above the progress line, during a wait on a terminal.

import type { Client } from "../../../client/client.ts";
import { AppError } from "../../../domain/errors.ts";
import type { Io } from "../../terminal/io.ts";
import type { Progress } from "../../terminal/progress.ts";
import { layOutOutput } from "./output-text.ts";

export interface LiveOutput {
  /** False for an older server, whose output is never shown. */
  readonly isOffered: boolean;
  /** Shows what is new, for which it waits up to `waitSeconds`. Returns whether there was any. */
  show(progress: Progress, waitSeconds: number): Promise<boolean>;
}

export function liveOutput(io: Io, api: Client, commandId: string, responseMs: number): LiveOutput {
  const layout = layOutOutput(io, false);
  let after = 0;
  /** The progress line would overwrite it. */
  let halfLine = "";
  let isOffered = true;
  return {
    get isOffered() {
      return isOffered;
    },
    async show(progress, wait) {
      if (!isOffered) return false;
      const timeoutMs = wait * 1000 + responseMs;
      const input = { params: { commandId }, query: { after, wait } };
      const page = await api.call("commands.output", input, { timeoutMs }).catch((error) => {
        // An older server has no such route.
        if (error instanceof AppError && error.code === "NOT_FOUND") return null;
        throw error;
      });
      isOffered = page !== null;
      if (page === null) return false;
      after = page.nextOffset;
      const text = halfLine + layout.add(page.parts);
      const lines = page.complete && text !== "" && !text.endsWith("\n") ? `${text}\n` : text;
      const end = lines.lastIndexOf("\n") + 1;
      halfLine = lines.slice(end);
      if (end > 0) {
        progress.hide();
        io.note(lines.slice(0, end));
      }
      return page.parts.length > 0;
    },
  };
}
