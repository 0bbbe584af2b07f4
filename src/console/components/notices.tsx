// Short messages at the bottom of the screen. Screen readers read them out.

import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from "react";
import "./notices.css";

const shownMs = 5_000;
/** Long enough to reach the button. The page offers the same act in another place. */
const shownWithOfferMs = 20_000;

/** A button in a message. */
interface Offer {
  verb: string;
  act: () => void;
}

interface Notice {
  id: number;
  text: string;
  offer: Offer | undefined;
}

type Notify = (text: string, offer?: Offer) => void;

const NoticeContext = createContext<Notify>(() => undefined);

export function NoticeProvider({ children }: { children: ReactNode }) {
  const [notices, setNotices] = useState<readonly Notice[]>([]);
  const nextId = useRef(0);
  const remove = useCallback((id: number) => {
    setNotices((before) => before.filter((each) => each.id !== id));
  }, []);
  const show = useCallback<Notify>(
    (text, offer) => {
      const id = nextId.current++;
      setNotices((before) => [...before, { id, text, offer }]);
      setTimeout(() => remove(id), offer ? shownWithOfferMs : shownMs);
    },
    [remove],
  );
  return (
    <NoticeContext value={show}>
      {children}
      <div className="notices" role="status">
        {notices.map(({ id, text, offer }) => (
          <p key={id} className="row">
            {text}
            {offer && (
              <button
                type="button"
                className="notice-offer"
                onClick={() => {
                  remove(id);
                  offer.act();
                }}
              >
                {offer.verb}
              </button>
            )}
          </p>
        ))}
      </div>
    </NoticeContext>
  );
}

export function useNotice(): Notify {
  return useContext(NoticeContext);
}
