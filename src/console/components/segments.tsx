// A choice between a few views, as buttons side by side.

import "./buttons/button.css";
import "./segments.css";

interface SegmentsProps<K extends string> {
  label: string;
  choices: readonly (readonly [key: K, text: string])[];
  current: K;
  onChoose: (key: K) => void;
}

export function Segments<K extends string>(props: SegmentsProps<K>) {
  const { label, choices, current, onChoose } = props;
  return (
    <fieldset className="segments" aria-label={label}>
      {choices.map(([key, text]) => (
        <button
          key={key}
          type="button"
          className="button"
          aria-pressed={key === current}
          onClick={() => onChoose(key)}
        >
          {text}
        </button>
      ))}
    </fieldset>
  );
}
