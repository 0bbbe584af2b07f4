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
  const [isHovered, setHovered] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const nextId = useRef(0);
  const before = useRef<EventTarget | null>(null);
  const remove = (id: number) => setNotices((shown) => shown.filter((each) => each.id !== id));
  const show = useCallback<Notify>((text, offer) => {
    const id = nextId.current++;
    // The newest one comes first, so that the others stay where they are.
    setNotices((shown) => [{ id, text, offer }, ...shown]);
  }, []);
  const accept = (id: number, { act }: Offer) => {
    // The button is about to disappear, so the focus returns to where it was.
    const { current: back } = before;
    if (back instanceof HTMLElement && back.isConnected) back.focus({ preventScroll: true });
    else focusMain();
    // Browsers may not report that the pointer or the focus has left a removed element.
    setHovered(false);
    setFocused(false);
    remove(id);
    act();
  };
  return (
    <NoticeContext value={show}>
      {children}
      <div
        className="notices"
        role="status"
        onPointerOver={() => setHovered(true)}
        onPointerLeave={() => setHovered(false)}
        onFocus={({ currentTarget, relatedTarget }) => {
          if (!currentTarget.contains(relatedTarget)) before.current = relatedTarget;
          setFocused(true);
        }}
        onBlur={() => setFocused(false)}
      >
        {notices.map((notice) => (
          <Line
            key={notice.id}
            notice={notice}
            isHeld={isHovered || isFocused}
            onAccept={(offer) => accept(notice.id, offer)}
            onEnd={() => remove(notice.id)}
          />
        ))}
      </div>
    </NoticeContext>
  );
}

interface LineProps {
  notice: Notice;
  /** Whether the message stays: the pointer or the focus is on one of the messages. */
  isHeld: boolean;
  onAccept: (offer: Offer) => void;
  onEnd: () => void;
}

function Line({ notice: { text, offer }, isHeld, onAccept, onEnd }: LineProps) {
  const end = useEffectEvent(onEnd);
  const ms = offer ? shownWithOfferMs : shownMs;
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => end(), ms);
    return () => clearTimeout(timer);
  }, [isHeld, ms]);
  return (
    <p className="row">
      {text}
      {offer && (
        <button type="button" className="notice-offer" onClick={() => onAccept(offer)}>
          {offer.verb}
        </button>
      )}
    </p>
  );
}

export function useNotice(): Notify {
  return useContext(NoticeContext);
}
