// Keeps the user on a page that shows, or is about to show, something that cannot be shown again.

import { useEffect, useRef } from "react";
import { useBlocker } from "react-router";

/** Blocks navigation while `isHeld`. The returned function unblocks it and calls `onClose`. */
export function useStayOnPage(isHeld: boolean, onClose: () => void): () => void {
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
