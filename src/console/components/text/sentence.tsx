import { createElement, Fragment, type ReactNode } from "react";
import type { Message } from "../../texts/messages.ts";
import { softBreaks } from "./soft-breaks.tsx";

interface SentenceProps<Name extends string> {
  text: Message<Name>;
  /** The arguments of the text, which each language puts in its own order. */
  parts: Readonly<Record<Name, ReactNode>>;
}

/** A text with links, times and other elements in it. */
export function Sentence<Name extends string>({ text, parts }: SentenceProps<Name>) {
  return createElement(Fragment, null, ...(text.pieces(parts) as ReactNode[]).map(softBreaks));
}
