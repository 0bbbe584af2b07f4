// Text that takes effect a moment after the last keystroke.

import { useEffect, useEffectEvent, useState } from "react";

const pauseMs = 250;

/**
 * The text in a filter's field. `current` is the filter's value in effect, which a link or the
 * "Clear filters" button can also change.
 */
export function useDelayedText(
  current: string,
  onWritten: (text: string) => void,
): [text: string, write: (text: string) => void] {
  const [text, setText] = useState(current);
  const [seen, setSeen] = useState(current);
  // The typed text comes back as `current` a moment later. By then the user may have typed more.
  const [applied, setApplied] = useState<string | null>(null);
  if (seen !== current) {
    setSeen(current);
    setApplied(null);
    if (current !== applied) setText(current);
  }
  const apply = useEffectEvent(() => {
    if (text.trim() === current) return;
    setApplied(text.trim());
    onWritten(text.trim());
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the text restarts the pause
  useEffect(() => {
    const timer = setTimeout(() => apply(), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText];
}

/** Returns the text a moment after its last change. */
export function useSettledText(text: string, afterMs = pauseMs): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), afterMs);
    return () => clearTimeout(timer);
  }, [text, afterMs]);
  return settled;
}
