// Hands a command's output to a sink while the command runs.

import type { Reply } from "../../../api/index.ts";
import type { Client } from "../../../client/client.ts";
import { hasEnded } from "../../../domain/commands/commands.ts";
import { AppError } from "../../../domain/errors.ts";
import { timeoutForWait } from "../../connecting/waits.ts";

export type OutputPart = Reply<"commands.output">["parts"][number];

export interface OutputSink {
  /** Gets each part once and in order. `isComplete`: the command has ended, and nothing follows. */
  take(parts: readonly OutputPart[], isComplete: boolean): Promise<void>;
}

interface OutputFeed {
  /** False for an older server, which has no output. */
  readonly isOffered: boolean;
  /**
   * Waits up to `waitSeconds` for output, or for the end of the command. Returns whether more
   * output may already be available.
   */
  next(waitSeconds: number): Promise<boolean>;
}

export function feed(sink: OutputSink, api: Client, commandId: string): OutputFeed {
  let after = 0;
  let isOffered = true;
  // After the last part, another request would return the end of the output again.
  let isComplete = false;
  return {
    get isOffered() {
      return isOffered;
    },
    async next(wait) {
      if (!isOffered || isComplete) return false;
      const input = { params: { commandId }, query: { after, wait } };
      const page = await api.call("commands.output", input, timeoutForWait(wait)).catch((error) => {
        // An older server has no such route.
        if (error instanceof AppError && error.code === "NOT_FOUND") return null;
        throw error;
      });
      isOffered = page !== null;
      if (page === null) return false;
      const { parts, status, complete } = page;
      after = page.nextOffset;
      isComplete = complete;
      await sink.take(parts, complete);
      return !complete && (parts.length > 0 || (hasEnded(status) && wait > 0));
    },
  };
}
