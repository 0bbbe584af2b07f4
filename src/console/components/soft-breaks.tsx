// Lets long codes, paths and addresses, which have no spaces, break after punctuation instead of
// within a word. By themselves, browsers prefer to break only after spaces and hyphens.

import {
  Children,
  cloneElement,
  createElement,
  Fragment,
  isValidElement,
  type ReactNode,
} from "react";

/** In characters. Longer texts would need too many elements. */
const most = 100_000;
/** Shorter words fit any line. */
const long = /(\S{24,})/;
const afterPunctuation = /(?<=[-._:/\\=@,;&?+|#%])(?=[\p{L}\p{N}])/u;

/** Changes the texts in `node` and its elements, but not texts that components render later. */
export function softBreaks(node: ReactNode): ReactNode {
  if (typeof node === "string") return node.length <= most && long.test(node) ? inText(node) : node;
  if (Array.isArray(node)) return Children.map(node, softBreaks);
  if (!isValidElement<{ children?: ReactNode }>(node)) return node;
  const { children } = node.props;
  if (children === undefined || (typeof node.type !== "string" && node.type !== Fragment))
    return node;
  return cloneElement(node, {}, softBreaks(children));
}

/** Returns a single element, because the text may be an item in a flex container. */
function inText(text: string): ReactNode {
  const pieces = text
    .split(long)
    .flatMap((part, index) =>
      index % 2 === 0 ? part : part.split(afterPunctuation).flatMap(after),
    );
  return createElement("span", null, ...pieces);
}

const mayBreak = <wbr />;

function after(piece: string, index: number): ReactNode[] {
  return index === 0 ? [piece] : [mayBreak, piece];
}
