// Watches the live stream without a network connection and keeps its messages in order. Every
// message is checked against openapi.json.

import { onTestFinished, vi } from "vitest";
import type { ReplyData } from "../../../src/api/contract/route.ts";
import type { Routes } from "../../../src/api/index.ts";
import type { StreamEnd } from "../../../src/core/caller.ts";
import { type Core, systemContext } from "../../../src/core/context.ts";
import { openStream } from "../../../src/core/system/stream.ts";
import type { Principal } from "../../../src/domain/access/principals.ts";
import type { StreamType } from "../../../src/domain/stream.ts";
import { checkMessage } from "../contract.ts";

export type Message = ReplyData<Routes["stream.open"]>;
export type DataOf<T extends StreamType> = Extract<Message, { type: T }>["data"];

export interface Told {
  messages: Message[];
  of<T extends StreamType>(type: T): DataOf<T>[];
  /** Waits for a matching message. Returns the first match. */
  until<T extends StreamType>(type: T, fits: (data: DataOf<T>) => boolean): Promise<DataOf<T>>;
}

/** Collects messages in the order in which `note` gets them. */
export function notebook(): Told & { note(message: Uint8Array | string): void } {
  const messages: Message[] = [];
  const of = <T extends StreamType>(type: T) =>
    messages.filter((message) => message.type === type).map(({ data }) => data as DataOf<T>);
  return {
    messages,
    of,
    async until(type, fits) {
      await vi.waitFor(
        () => {
          if (of(type).some(fits)) return;
          const told = messages.map((message) => JSON.stringify(message)).join("\n");
          throw new Error(`no ${type} message matches in:\n${told}`);
        },
        { timeout: 60_000, interval: 1 },
      );
      return of(type).find(fits)!;
    },
    note(message) {
      const parsed = JSON.parse(Buffer.from(message).toString());
      checkMessage("stream.open", parsed);
      messages.push(parsed);
    },
  };
}

export interface TestWatcher extends Told {
  leave(): void;
  /** The reason why the stream ended; null while it is open. */
  ended(): StreamEnd | null;
}

export interface Watching {
  types?: StreamType[];
  principal?: Principal;
}

/** Watches until the test ends. */
export async function watch(core: Core, { types, principal }: Watching = {}): Promise<TestWatcher> {
  const { note, ...told } = notebook();
  const leaving = new Set<() => void>();
  let end: StreamEnd | null = null;
  const caller = {
    gone: false,
    onGone: (listener: () => void) => {
      leaving.add(listener);
      return () => leaving.delete(listener);
    },
    outlet: {
      send: note,
      end: (why: StreamEnd) => {
        end = why;
      },
    },
  };
  const ctx = systemContext(core);
  await openStream({ ...ctx, caller, principal: principal ?? ctx.principal }, types);
  const leave = () => {
    for (const listener of leaving) listener();
  };
  onTestFinished(leave);
  return { ...told, leave, ended: () => end };
}

/** Waits until the feed has stopped. */
export function restOf({ feed, doorbell }: Core): Promise<void> {
  return vi.waitFor(
    () => {
      if (feed.following !== null || doorbell.size > 0) throw new Error("the feed has not stopped");
    },
    { timeout: 60_000, interval: 1 },
  );
}
