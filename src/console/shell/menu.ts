// The navigation drawer of narrow screens. It closes on Escape, when another page opens, and when
// the focus leaves it. If the focus was inside, it then returns to the button.

import { type FocusEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { useLocation } from "react-router";

export function useMenu() {
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
    onBlur: ({ relatedTarget }: FocusEvent) => {
      const staysOpen = relatedTarget === null || relatedTarget === button.current;
      if (!staysOpen && !drawer.current?.contains(relatedTarget as Node)) setOpen(false);
    },
  };
}
