// A filter by an id that nobody knows by heart: the address carries the id, the person writes what the
// thing is called, and is helped with those that there are.

import { useEffect, useEffectEvent, useId } from "react";
import { Field } from "../fields/field.tsx";
import { texts } from "../texts/index.ts";

interface LookupFilterProps {
  label: string;
  /** Said when nothing is called like what is written. */
  unknown: string;
  /** What is chosen now; empty: nothing. */
  id: string;
  /** What that is called, as soon as that is known. */
  name: string | undefined;
  /** What is being written; null while nobody writes. */
  draft: string | null;
  onDraft: (draft: string | null) => void;
  /** Those that may be meant. */
  options: readonly { id: string; text: string }[];
  /** They are those of the draft as it is now. */
  isSettled: boolean;
  onChoose: (id: string) => void;
}

export function LookupFilter(props: LookupFilterProps) {
  const { label, unknown, id, name, draft, onDraft, options, isSettled, onChoose } = props;
  const listId = useId();
  const wanted = draft?.trim();
  const match = options.find(({ text }) => text === wanted)?.id ?? (wanted === "" ? "" : id);
  const apply = useEffectEvent(() => {
    if (match !== id) onChoose(match);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each that is named
  useEffect(() => apply(), [match]);
  const isUnknown = wanted && isSettled && options.length === 0;
  return (
    <Field label={label} error={isUnknown ? unknown : null}>
      {(control) => (
        <>
          <input
            {...control}
            type="search"
            list={listId}
            autoComplete="off"
            placeholder={texts.words.any}
            value={draft ?? (id && (name ?? id))}
            onFocus={(event) => onDraft(event.target.value)}
            onChange={(event) => onDraft(event.target.value)}
            onBlur={() => onDraft(null)}
          />
          <datalist id={listId}>
            {options.map((option) => (
              <option key={option.id} value={option.text} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
