// A button with a question mark beside a word. It explains the word in a sentence, with a link into
// the documentation.

import { CircleHelp } from "lucide-react";
import { type ReactNode, useId } from "react";
import { texts } from "../texts/index.ts";
import { IconButton } from "./button.tsx";
import { DocsLink } from "./docs-link.tsx";
import type { DocsPage } from "./docs-pages.ts";
import "./help.css";

const words = texts.help.words;

/** Where the documentation says more about each word. */
const pages: Readonly<Record<keyof typeof words, DocsPage>> = {
  statuses: "statuses",
  selector: "selectors",
  waves: "waves",
  cron: "dueTimes",
  danger: "actions",
  digest: "approved",
};

export type HelpWord = keyof typeof pages;

interface HelpProps {
  of: HelpWord;
  /** Shown below the sentence. */
  children?: ReactNode;
}

export function Help({ of, children }: HelpProps) {
  const id = useId();
  const { word, text } = words[of];
  return (
    <span className="help">
      <IconButton
        label={texts.help.what}
        aria-describedby={`${id}-word`}
        icon={<CircleHelp aria-hidden="true" />}
        popoverTarget={id}
      />
      <div id={id} popover="auto" className="help-text floating small">
        <strong id={`${id}-word`}>{word}</strong>
        <p>{text}</p>
        {children}
        <DocsLink to={pages[of]} />
      </div>
    </span>
  );
}
