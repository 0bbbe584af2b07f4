// Any value as JSON, to be read and copied.

import { CopyButton } from "../components/copy-button.tsx";
import "./json-view.css";

export function JsonView({ value, label }: { value: unknown; label: string }) {
  const text = JSON.stringify(value, null, 2) ?? "";
  return (
    <figure className="json-view" aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <pre tabIndex={0}>{text}</pre>
      <CopyButton text={text} />
    </figure>
  );
}
