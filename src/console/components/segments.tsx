// A choice of a few views, all of them to be seen: one of them is pressed.

import "./segments.css";

interface SegmentsProps<K extends string> {
  /** What is chosen, for readers. */
  label: string;
  choices: readonly (readonly [key: K, text: string])[];
  current: K;
  onChoose: (key: K) => void;
}

export function Segments<K extends string>({
  label,
  choices,
  current,
  onChoose,
}: SegmentsProps<K>) {
  return (
    <fieldset className="segments" aria-label={label}>
      {choices.map(([key, text]) => (
        <button
          key={key}
          type="button"
          aria-pressed={key === current}
          onClick={() => onChoose(key)}
        >
          {text}
        </button>
      ))}
    </fieldset>
  );
}
