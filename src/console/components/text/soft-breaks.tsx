// Decides where lines may break in codes, paths and addresses, which have no spaces. By themselves,
// browsers prefer to break only after spaces and hyphens. Here, words of 24 or more characters may
// break after most punctuation, and words of up to 16 characters do not break.

import {
  Children,
  cloneElement,
  createElement,
  Fragment,
  isValidElement,
  type ReactNode,
} from "react";

/** In characters. Longer texts would need too many elements. */
const most = 20_000;
/** Matches long words, and short words with a hyphen, which browsers would break. */
const special = /(\S{24,}|(?<!\S)(?=[!-~]{3,16}[,.;:)]?(?!\S))[!-~]+-[!-~]+)/;
const longLength = 24;
const afterPunctuation = /(?<=[-._:/\\=@,;&?+|#%])(?=[\p{L}\p{N}])/u;

/** Changes the texts in `node` and its elements, but not texts that components render later. */
export function softBreaks(node: ReactNode): ReactNode {
  if (typeof node === "string")
    return node.length <= most && special.test(node) ? inText(node) : node;
  if (Array.isArray(node)) return Children.map(node, softBreaks);
  if (!isValidElement<{ children?: ReactNode }>(node)) return node;
  const { children } = node.props;
  if (children === undefined || (typeof node.type !== "string" && node.type !== Fragment))
    return node;
  return cloneElement(node, {}, softBreaks(children));
}

/** Returns a single element, because the text may be an item in a flex container. */
function inText(text: string): ReactNode {
  const parts = text.split(special);
  const nodes = parts.flatMap((part, index) => (index % 2 === 0 ? part : inWord(part)));
  return createElement("span", null, ...nodes);
}

function inWord(word: string): ReactNode {
  if (word.length < longLength) return createElement("span", { className: "unbroken" }, word);
  return word
    .split(afterPunctuation)
    .flatMap((piece, index) => (index === 0 ? piece : [mayBreak, piece]));
}

const mayBreak = <wbr />;
