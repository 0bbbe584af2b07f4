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
}

export class LiveStream {
  readonly #listener: LiveListener;
  readonly #onRefused: () => void;
  #socket: WebSocket | null = null;
  #timer: number | undefined;
  readonly #pauses = new Pauses();
  #closed = false;

  /**
   * Calls `onRefused` each time the stream closes, because the session may have ended. A hidden
   * page does not call it, because asking the server would extend the session.
   */
  constructor(listener: LiveListener, onRefused: () => void) {
    this.#listener = listener;
    this.#onRefused = onRefused;
    addEventListener("online", this.#retryNow);
    document.addEventListener("visibilitychange", this.#onVisible);
    this.#open();
  }

  close(): void {
    this.#closed = true;
    removeEventListener("online", this.#retryNow);
    document.removeEventListener("visibilitychange", this.#onVisible);
    clearTimeout(this.#timer);
    this.#socket?.close();
  }

  #open(): void {
    const socket = new WebSocket(address());
    this.#socket = socket;
    socket.onopen = () => {
      this.#pauses.noteOpen(performance.now());
      this.#listener.onStatus("live");
    };
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      this.#listener.onMessage(JSON.parse(data) as StreamMessage);
    };
    socket.onclose = () => {
      if (this.#closed) return;
      this.#listener.onStatus("down");
      if (document.hidden) return;
      this.#onRefused();
      // biome-ignore lint/plugin: browsers have no context that provides it
      const pauseMs = this.#pauses.next(performance.now(), Math.random());
      this.#timer = window.setTimeout(this.#retryNow, pauseMs);
    };
  }

  #onVisible = (): void => {
    if (document.hidden || this.#socket?.readyState !== WebSocket.CLOSED) return;
    this.#onRefused();
    this.#retryNow();
  };

  /** A hidden page reconnects when it becomes visible. */
  #retryNow = (): void => {
    if (document.hidden || this.#socket?.readyState !== WebSocket.CLOSED) return;
    clearTimeout(this.#timer);
    this.#open();
  };
}

/** Returns a complete URL, because some browsers do not accept a path. */
function address(): URL {
  const url = new URL(hrefOf("stream.open", {}), location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url;
}
