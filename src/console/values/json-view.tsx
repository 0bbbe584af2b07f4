import { CopyButton } from "../components/buttons/copy-button.tsx";
import { Section } from "../components/page.tsx";
import { softBreaks } from "../components/text/soft-breaks.tsx";
import "./json-view.css";

export function JsonView({ value, label }: { value: unknown; label: string }) {
  const text = JSON.stringify(value, null, 2) ?? "";
  return (
    <figure className="json-view" aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it */}
      <pre tabIndex={0}>{softBreaks(text)}</pre>
      <CopyButton text={text} />
    </figure>
  );
}

export function JsonSection({ title, value }: { title: string; value: unknown }) {
  if (value === null) return null;
  return (
    <Section title={title}>
      <JsonView value={value} label={title} />
    </Section>
  );
}
