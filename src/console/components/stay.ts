// Keeps the page while it shows, or is about to, what nobody can be shown again.

import { useEffect, useRef } from "react";
import { useBlocker } from "react-router";

/** While held, Back and links lead nowhere. What it answers closes, and lets go. */
export function useStay(isHeld: boolean, onClose: () => void): () => void {
  const isOver = useRef(false);
  const blocker = useBlocker(() => isHeld && !isOver.current);
  useEffect(() => {
    if (blocker.state === "blocked") blocker.reset();
  }, [blocker]);
  return () => {
    isOver.current = true;
    onClose();
  };
}
