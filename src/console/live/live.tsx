// Provides the live stream's status and messages to all pages.

import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useState,
} from "react";
import { reloadSession } from "../client/session.ts";
import { Attention } from "./attention.ts";
import {
  type LiveStatus,
  type LiveStream,
  openLiveStream,
  type StreamMessage,
} from "./live-stream.ts";
import { Refresher } from "./refresh.ts";

type Listener = (message: StreamMessage) => void;

const listeners = new Set<Listener>();
let stream: LiveStream | null = null;
const StatusContext = createContext<LiveStatus>("connecting");

/** Requires a signed-in user. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const [status, setStatus] = useState<LiveStatus>("connecting");
  useEffect(() => {
    const refresher = new Refresher();
    const attention = new Attention();
    const opened = openLiveStream({
      onStatus(next) {
        // The stream does not send changes that happened before it opened.
        if (next === "live") {
          attention.forget();
          refresher.noteAll();
        }
        setStatus(next);
      },
      onMessage(message) {
        refresher.note(message);
        attention.note(message);
        for (const listener of listeners) listener(message);
      },
      // If the session has ended on the server, this call also ends it on this page.
      onRefused: reloadSession,
    });
    stream = opened;
    return () => {
      stream = null;
      opened.close();
      refresher.close();
      attention.close();
    };
  }, []);
  return <StatusContext value={status}>{children}</StatusContext>;
}

/** Call this if the server does not respond although the stream looks live. */
export function reconnectStream(): void {
  stream?.reconnect();
}

export function useLiveStatus(): LiveStatus {
  return useContext(StatusContext);
}

export function useLiveMessages(listener: Listener): void {
  const onMessage = useEffectEvent(listener);
  useEffect(() => {
    const current: Listener = (message) => onMessage(message);
    listeners.add(current);
    return () => void listeners.delete(current);
  }, []);
}
