// Connects to the live stream, and reconnects while the page is visible. The server does not repeat
// missed messages, so listeners must reload their data each time the stream opens.

import { hrefOf, type Reply } from "../client/call.ts";
import { Pauses } from "./pauses.ts";

export type StreamMessage = Reply<"stream.open">;

/** In the state `down`, the stream keeps trying to reconnect. */
export type LiveStatus = "connecting" | "live" | "down";

interface LiveListener {
  onStatus(status: LiveStatus): void;
  onMessage(message: StreamMessage): void;
  /**
   * Called each time the stream has closed, because the session may have ended. On a hidden page,
   * called only when the page becomes visible, because asking the server would extend the session.
   */
  onRefused(): void;
}

/** Returns a function that closes the stream. */
export function openLiveStream({ onStatus, onMessage, onRefused }: LiveListener): () => void {
  const pauses = new Pauses();
  const ender = new AbortController();
  const { signal } = ender;
  let timer: number | undefined;
  let socket = open();
  addEventListener("online", retryNow, { signal });
  document.addEventListener("visibilitychange", onVisible, { signal });
  return () => {
    ender.abort();
    clearTimeout(timer);
    socket.close();
  };

  function open(): WebSocket {
    const opened = new WebSocket(address());
    opened.onopen = () => {
      pauses.noteOpen(performance.now());
      onStatus("live");
    };
    opened.onmessage = ({ data }: MessageEvent<string>) => {
      onMessage(JSON.parse(data) as StreamMessage);
    };
    opened.onclose = () => {
      if (signal.aborted) return;
      onStatus("down");
      if (document.hidden) return;
      onRefused();
      // biome-ignore lint/plugin: browsers have no context that provides it
      const pauseMs = pauses.next(performance.now(), Math.random());
      timer = window.setTimeout(retryNow, pauseMs);
    };
    return opened;
  }

  function mayRetry(): boolean {
    return !document.hidden && socket.readyState === WebSocket.CLOSED;
  }

  function onVisible(): void {
    if (mayRetry()) onRefused();
    retryNow();
  }

  /** A hidden page reconnects when it becomes visible. */
  function retryNow(): void {
    if (!mayRetry()) return;
    clearTimeout(timer);
    socket = open();
  }
}

/** Returns a complete URL, because some browsers do not accept a path. */
function address(): URL {
  const url = new URL(hrefOf("stream.open", {}), location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url;
}
