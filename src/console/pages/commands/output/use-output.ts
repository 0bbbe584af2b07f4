import { startTransition, useEffect, useState } from "react";
import { ApiError } from "../../../client/api-error.ts";
import { call } from "../../../client/call.ts";
import { usePageVisibility } from "../../../live/visibility.ts";
import { noOutput, type OutputLine, outputLines, type ShownOutput } from "./output-lines.ts";

const waitSeconds = 20;
/** Output that arrives within this time is rendered together. */
const restMs = 200;
const retryMs = 2_000;

export interface OutputState extends ShownOutput {
  isComplete: boolean;
  error: unknown;
}

/** Reads the output from its beginning, and follows it while the page is visible. */
export function useOutput(commandId: string): OutputState {
  const [state, setState] = useState<OutputState>({ ...noOutput, isComplete: false, error: null });
  const [reader] = useState(() => createReader(commandId));
  const isVisible = usePageVisibility();
  useEffect(() => {
    if (!isVisible) return;
    const leaving = new AbortController();
    // Rendering long output must not keep the page from responding.
    const tell = (next: OutputState) => startTransition(() => setState(next));
    void reader.follow(tell, leaving.signal);
    return () => leaving.abort();
  }, [reader, isVisible]);
  return state;
}

/** The reader remembers its position, so that `follow` can be called again. */
function createReader(commandId: string) {
  const append = outputLines();
  let after = 0;
  let shown: ShownOutput = noOutput;

  async function read(wait: number, signal: AbortSignal): Promise<boolean> {
    const input = { params: { commandId }, query: { after, wait } };
    const page = await call("commands.output", input, signal);
    // After an abort, another call of `follow` may be reading the same parts.
    signal.throwIfAborted();
    shown = append(shown, page.parts);
    after = page.nextOffset;
    return page.complete;
  }

  async function follow(tell: (state: OutputState) => void, signal: AbortSignal): Promise<void> {
    let wait = 0;
    while (!signal.aborted) {
      try {
        const isComplete = await read(wait, signal);
        tell({ ...shown, isComplete, error: null });
        if (isComplete) return;
        if (wait > 0) await pause(restMs);
        wait = waitSeconds;
      } catch (error) {
        if (signal.aborted) return;
        tell({ ...shown, isComplete: false, error });
        if (error instanceof ApiError && error.status < 500 && error.status !== 429) return;
        wait = 0;
        await pause(retryMs);
      }
    }
  }

  return { follow };
}

/** Reads the whole output so far, for a file. */
export async function readAll(commandId: string): Promise<readonly OutputLine[]> {
  const append = outputLines(Number.POSITIVE_INFINITY);
  let all: ShownOutput = noOutput;
  for (let after = 0; ; ) {
    const page = await call("commands.output", {
      params: { commandId },
      query: { after, wait: 0 },
    });
    all = append(all, page.parts);
    if (page.complete || page.nextOffset === after) return all.lines;
    after = page.nextOffset;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
