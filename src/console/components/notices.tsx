// Short messages at the bottom of the screen. Screen readers read them out.

import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from "react";
import { focusMain } from "./focus/focus-main.ts";
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
  const remove = (id: number) => setNotices((before) => before.filter((each) => each.id !== id));
  const show = useCallback<Notify>((text, offer) => {
    const id = nextId.current++;
    setNotices((before) => [...before, { id, text, offer }]);
  }, []);
  return (
    <NoticeContext value={show}>
      {children}
      <div className="notices" role="status">
        {notices.map((notice) => (
          <Line key={notice.id} notice={notice} onEnd={() => remove(notice.id)} />
        ))}
      </div>
    </NoticeContext>
  );
}

/** A message, which stays while it is hovered or focused. */
function Line({ notice: { text, offer }, onEnd }: { notice: Notice; onEnd: () => void }) {
  const [isHeld, setHeld] = useState(false);
  const before = useRef<Element | null>(null);
  const end = useEffectEvent(onEnd);
  const ms = offer ? shownWithOfferMs : shownMs;
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => end(), ms);
    return () => clearTimeout(timer);
  }, [isHeld, ms]);
  const accept = ({ act }: Offer) => {
    // The button is about to disappear, so the focus returns to where it was.
    const { current: back } = before;
    if (back instanceof HTMLElement && back.isConnected) back.focus({ preventScroll: true });
    else focusMain();
    onEnd();
    act();
  };
  return (
    <p
      className="row"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={({ relatedTarget }) => {
        before.current = relatedTarget;
        setHeld(true);
      }}
      onBlur={() => setHeld(false)}
    >
      {text}
      {offer && (
        <button type="button" className="notice-offer" onClick={() => accept(offer)}>
          {offer.verb}
        </button>
      )}
    </p>
  );
}

export function useNotice(): Notify {
  return useContext(NoticeContext);
}
