import { createElement, Fragment, type ReactNode } from "react";

interface SentenceProps {
  /** Contains the names of the parts: `since {time}`. Each language puts them in its own order. */
  text: string;
  parts: Readonly<Record<string, ReactNode>>;
}

/** A text with links, times and other elements in it. */
export function Sentence({ text, parts }: SentenceProps) {
  const pieces = text
    .split(/\{(\w+)\}/)
    .map((piece, place) => (place % 2 === 0 ? piece : parts[piece]));
  return createElement(Fragment, null, ...pieces);
}
