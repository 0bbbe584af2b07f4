// The live stream from an app in the same process.

import type { StreamMessage, TransportAnswer } from "./client.ts";
import { MessageQueue } from "./message-queue.ts";
import { Unreachable } from "./unreachable.ts";

/** The caller's end of a stream, as `dispatch` expects it. */
export interface LocalCaller {
  readonly gone: boolean;
  onGone(listener: () => void): () => void;
  readonly outlet: { send(message: Uint8Array): void; end(why: string): void };
}

/** `target` is the name of the stream's source in messages. */
export async function openLocalStream(
  target: string,
  ask: (caller: LocalCaller) => Promise<{ status: number; body: unknown }>,
  signal: AbortSignal | undefined,
): Promise<TransportAnswer> {
  signal?.throwIfAborted();
  const leaving = new Set<() => void>();
  const decoder = new TextDecoder();
  let gone = false;
  const queue = new MessageQueue<StreamMessage>({
    target,
    leave() {
      gone = true;
      signal?.removeEventListener("abort", onAbort);
      for (const listener of leaving) listener();
    },
  });
  const onAbort = () => {
    queue.fail(signal?.reason);
    queue.close();
  };
  signal?.addEventListener("abort", onAbort, { once: true });
  const { status, body } = await ask({
    get gone() {
      return gone;
    },
    onGone(listener) {
      leaving.add(listener);
      return () => leaving.delete(listener);
    },
    outlet: {
      send: (message) => queue.push(JSON.parse(decoder.decode(message))),
      end: (why) => queue.fail(new Unreachable(target, why)),
    },
  });
  if (status === 101) return { status, body: undefined, messages: queue };
  queue.close();
  return { status, body: JSON.parse(JSON.stringify(body)) };
}
