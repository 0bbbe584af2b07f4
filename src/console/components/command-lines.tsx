// Lines for a terminal, with a button that copies them.

import { CopyButton } from "./buttons/copy-button.tsx";
import "./command-lines.css";

interface CommandLinesProps {
  title: string;
  lead?: string;
  text: string;
  /** The text of the copy button. */
  copy: string;
}

export function CommandLines({ title, lead, text, copy }: CommandLinesProps) {
  return (
    <section className="command-lines" aria-label={title}>
      <h3>{title}</h3>
      {lead && <p className="muted small">{lead}</p>}
      <pre>{text}</pre>
      <CopyButton text={text} label={copy} />
    </section>
  );
}
