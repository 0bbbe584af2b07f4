// A command for a page that follows it: by the live stream, and while that is down by waiting at the server.

import { useCallback, useEffect, useSyncExternalStore } from "react";
import {
  type CommandState,
  commandState,
  hasEnded,
  noteCommand,
  readCommand,
  watchCommand,
} from "../../client/command.ts";
import { useLiveMessages, useLiveStatus } from "../../live/live.tsx";

const waitSeconds = 10;
const pauseMs = 2_000;

export function useCommand(id: string): CommandState {
  const watch = useCallback((listener: () => void) => watchCommand(id, listener), [id]);
  const state = useSyncExternalStore(watch, () => commandState(id));
  const status = useLiveStatus();
  // A page in the background must not keep its session alive.
  const isHidden = useSyncExternalStore(watchVisibility, () => document.hidden);
  const isOpen = state.command !== null && !hasEnded(state.command);

  // Read anew after each break: nobody knows what has changed meanwhile.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the status is what it is read anew for
  useEffect(() => void readCommand(id), [id, status]);

  useLiveMessages((message) => {
    if (message.type === "command" && message.data.id === id) noteCommand(message.data);
    const isOurs = message.type === "audit" && message.data.targetId === id;
    if (isOurs && message.data.action === "command.result.late") void readCommand(id);
  });

  useEffect(() => {
    if (status !== "down" || !isOpen || isHidden) return;
    let timer: number | undefined;
    let isLeft = false;
    const wait = async () => {
      await readCommand(id, waitSeconds);
      if (!isLeft) timer = window.setTimeout(() => void wait(), pauseMs);
    };
    void wait();
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [id, status, isOpen, isHidden]);

  return state;
}

function watchVisibility(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
}
