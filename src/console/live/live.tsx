// The live stream for all pages: whether it is live, and what it brings.

import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useState,
} from "react";
import { loadSession } from "../client/session.ts";
import { type LiveStatus, LiveStream, type StreamMessage } from "./live-stream.ts";
import { Refresher } from "./refresh.ts";

type Hear = (message: StreamMessage) => void;

interface Live {
  status: LiveStatus;
  hearers: Set<Hear>;
}

const LiveContext = createContext<Live>({ status: "connecting", hearers: new Set() });

/** Opens the stream while it is shown: for pages behind the login. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const [status, setStatus] = useState<LiveStatus>("connecting");
  const hearers = useMemo(() => new Set<Hear>(), []);
  useEffect(() => {
    const refresher = new Refresher();
    const stream = new LiveStream(
      {
        onStatus(next) {
          // What changed between the page's first read and now, or while the stream was down, is not announced.
          if (next === "live") refresher.noteAll();
          setStatus(next);
        },
        onMessage(message) {
          refresher.note(message);
          for (const hear of hearers) hear(message);
        },
      },
      // Who is not signed in any more is told so by this call; all else will pass.
      () => void loadSession().catch(() => undefined),
    );
    return () => {
      stream.close();
      refresher.close();
    };
  }, [hearers]);
  const live = useMemo(() => ({ status, hearers }), [status, hearers]);
  return <LiveContext value={live}>{children}</LiveContext>;
}

export function useLiveStatus(): LiveStatus {
  return useContext(LiveContext).status;
}

/** Calls `hear` with each message while the component is shown. */
export function useLiveMessages(hear: Hear): void {
  const { hearers } = useContext(LiveContext);
  const onMessage = useEffectEvent(hear);
  useEffect(() => {
    const listener: Hear = (message) => onMessage(message);
    hearers.add(listener);
    return () => {
      hearers.delete(listener);
    };
  }, [hearers]);
}
