// The navigation drawer of narrow screens. It closes on Escape, when another page opens, and when
// the focus leaves it. A focus inside then returns to the button.

import {
  type FocusEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from "react";
import { useLocation } from "react-router";

interface MenuState {
  isOpen: boolean;
  toggle: () => void;
  button: RefObject<HTMLButtonElement | null>;
  drawer: RefObject<HTMLElement | null>;
  onBlur: (event: FocusEvent) => void;
}

export function useMenu(): MenuState {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const drawer = useRef<HTMLElement>(null);
  const { key } = useLocation();
  const close = useEffectEvent(() => {
    if (isOpen && drawer.current?.contains(document.activeElement)) button.current?.focus();
    setOpen(false);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes when another page opens
  useEffect(() => close(), [key]);
  useEffect(() => {
    if (!isOpen) return;
    const onKey = ({ key }: KeyboardEvent) => {
      if (key !== "Escape") return;
      setOpen(false);
      button.current?.focus();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [isOpen]);
  return {
    isOpen,
    toggle: () => setOpen(!isOpen),
    button,
    drawer,
    onBlur: ({ relatedTarget }) => {
      const staysOpen = relatedTarget === null || relatedTarget === button.current;
      if (!staysOpen && !drawer.current?.contains(relatedTarget as Node)) setOpen(false);
    },
  };
}
