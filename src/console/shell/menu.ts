// The navigation as a drawer, on narrow screens: it closes on Escape, on the way to a page, and when the
// focus goes elsewhere; the focus goes back to its button rather than nowhere.

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
  /** Of the drawer. */
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes on the way to a page
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
      const goesOn = relatedTarget === null || relatedTarget === button.current;
      if (!goesOn && !drawer.current?.contains(relatedTarget as Node)) setOpen(false);
    },
  };
}
