// Short messages at the bottom of the screen. Screen readers read them out.

import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from "react";
import "./notices.css";

const shownMs = 5_000;

const NoticeContext = createContext<(text: string) => void>(() => undefined);

export function NoticeProvider({ children }: { children: ReactNode }) {
  const [notices, setNotices] = useState<{ id: number; text: string }[]>([]);
  const nextId = useRef(0);
  const show = useCallback((text: string) => {
    const id = nextId.current++;
    setNotices((before) => [...before, { id, text }]);
    setTimeout(() => setNotices((before) => before.filter((each) => each.id !== id)), shownMs);
  }, []);
  return (
    <NoticeContext value={show}>
      {children}
      <div className="notices" role="status">
        {notices.map(({ id, text }) => (
          <p key={id}>{text}</p>
        ))}
      </div>
    </NoticeContext>
  );
}

export function useNotice(): (text: string) => void {
  return useContext(NoticeContext);
}
