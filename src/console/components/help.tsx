// A button with a question mark, which explains what is beside it. For the words listed here, the
// explanation is a sentence with a link to the documentation.

import { CircleHelp } from "lucide-react";
import { type ReactNode, useId } from "react";
import { texts } from "../texts/index.ts";
import { IconButton } from "./buttons/button.tsx";
import { DocsLink } from "./docs-link.tsx";
import type { DocsPage } from "./docs-pages.ts";
import "./help.css";

const words = texts.help.words;

/** The page of the documentation that says more about each word. */
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
    <Explanation label={texts.help.what} describedBy={id}>
      <strong id={id}>{word}</strong>
      <p>{text}</p>
      {children}
      <DocsLink to={pages[of]} />
    </Explanation>
  );
}

interface ExplanationProps {
  /** The question that the button asks. */
  label: string;
  /** The id of the element that says what the question is about. */
  describedBy?: string;
  children: ReactNode;
}

export function Explanation({ label, describedBy, children }: ExplanationProps) {
  const id = useId();
  return (
    <span className="help">
      <IconButton
        label={label}
        aria-describedby={describedBy}
        icon={<CircleHelp aria-hidden="true" />}
        popoverTarget={id}
      />
      <div id={id} popover="auto" className="help-text floating small">
        {children}
      </div>
    </span>
  );
}
