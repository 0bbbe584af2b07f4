// What somebody writes into a filter: it takes effect a moment after the last key.

import { useEffect, useEffectEvent, useState } from "react";

const pauseMs = 250;

/** `current` is what counts now; it may be changed from elsewhere: by a link, or the button that clears. */
export function useWritten(
  current: string,
  onWritten: (text: string) => void,
): [text: string, write: (text: string) => void] {
  const [text, setText] = useState(current);
  const [seen, setSeen] = useState(current);
  // What was written here comes back a moment later, when more may have been written already.
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the text starts the pause anew
  useEffect(() => {
    const timer = setTimeout(() => apply(), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText];
}
