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

export interface LiveStream {
  /**
   * Closes the connection and opens a new one. Call this if the server no longer responds: browsers
   * notice only after minutes that a connection is broken.
   */
  reconnect(): void;
  close(): void;
}

export function openLiveStream({ onStatus, onMessage, onRefused }: LiveListener): LiveStream {
  const pauses = new Pauses();
  const ender = new AbortController();
  const { signal } = ender;
  let timer: number | undefined;
  /** Null while no connection is open or being opened. */
  let socket: WebSocket | null = open();
  addEventListener("online", retryNow, { signal });
  document.addEventListener("visibilitychange", onVisible, { signal });
  return {
    reconnect() {
      if (socket?.readyState !== WebSocket.OPEN) return;
      const broken = socket;
      onClosed(broken);
      broken.close();
    },
    close() {
      ender.abort();
      clearTimeout(timer);
      socket?.close();
    },
  };

  function open(): WebSocket {
    const opened = new WebSocket(address());
    opened.onopen = () => {
      pauses.noteOpen(performance.now());
      onStatus("live");
    };
    opened.onmessage = ({ data }: MessageEvent<string>) => {
      if (opened === socket) onMessage(JSON.parse(data) as StreamMessage);
    };
    opened.onclose = () => onClosed(opened);
    return opened;
  }

  function onClosed(closed: WebSocket): void {
    if (signal.aborted || closed !== socket) return;
    socket = null;
    onStatus("down");
    if (document.hidden) return;
    onRefused();
    // biome-ignore lint/plugin: browsers have no context that provides it
    const pauseMs = pauses.next(performance.now(), Math.random());
    timer = window.setTimeout(retryNow, pauseMs);
  }

  function mayRetry(): boolean {
    return !document.hidden && socket === null;
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
