// The live stream of the server in a browser: opened again when it breaks off, later and later while that
// does not help, and only while somebody looks. Nothing is told twice: who listens reads the lists anew when
// it is open again.

import { hrefOf, type Reply } from "../client/call.ts";
import { Pauses } from "./pauses.ts";

export type StreamMessage = Reply<"stream.open">;

export type LiveStatus =
  | "connecting"
  | "live"
  /** Broken off, or never opened; it is tried again. */
  | "down";

export interface LiveListener {
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
   * `onRefused` is called each time that it could not be opened, or was ended: the session may be over. To
   * ask for it moves its end on, which a page in the background must not do.
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
      // biome-ignore lint/plugin: browsers have no context to take it from
      const pauseMs = this.#pauses.next(performance.now(), Math.random());
      this.#timer = window.setTimeout(this.#retryNow, pauseMs);
    };
  }

  #onVisible = (): void => {
    if (document.hidden || this.#socket?.readyState !== WebSocket.CLOSED) return;
    this.#onRefused();
    this.#retryNow();
  };

  /** A page that became hidden meanwhile tries again when it is looked at. */
  #retryNow = (): void => {
    if (document.hidden || this.#socket?.readyState !== WebSocket.CLOSED) return;
    clearTimeout(this.#timer);
    this.#open();
  };
}

/** Whole: not every browser takes a path alone. */
function address(): URL {
  const url = new URL(hrefOf("stream.open", {}), location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url;
}
