import { addAbortSignal } from "node:stream";
import { buffer } from "node:stream/consumers";

/** Rejects with the signal's reason. */
export async function readStdin(signal: AbortSignal): Promise<string> {
  try {
    return (await buffer(addAbortSignal(signal, process.stdin))).toString("utf8");
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}
