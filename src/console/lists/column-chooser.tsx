// Lets the user choose a table's visible columns.

import { SlidersHorizontal } from "lucide-react";
import { useId, useState } from "react";
import { IconButton } from "../components/buttons/button.tsx";
import { CheckMenu } from "../components/check-menu.tsx";
import { keep, readKept } from "../components/kept.ts";
import { texts } from "../texts/index.ts";

export interface Choosable {
  key: string;
  header: string;
  /** The column is hidden until the user chooses it. */
  extra?: boolean;
}

export function useHiddenColumns(
  name: string,
  columns: readonly Choosable[],
): [ReadonlySet<string>, (hidden: ReadonlySet<string>) => void] {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(() => {
    const kept = readKept(`table.${name}`);
    const byDefault = columns.filter(({ extra }) => extra).map(({ key }) => key);
    return new Set(kept === null ? byDefault : kept.split(","));
  });
  const change = (next: ReadonlySet<string>) => {
    setHidden(next);
    keep(`table.${name}`, [...next].join(","));
  };
  return [hidden, change];
}

/** Whether these are the columns that a list shows by default. */
export function areDefaults(columns: readonly Choosable[], hidden: ReadonlySet<string>): boolean {
  return columns.every(({ key, extra = false }) => hidden.has(key) === extra);
}

interface ColumnChooserProps {
  columns: readonly Choosable[];
  hidden: ReadonlySet<string>;
  onChange: (hidden: ReadonlySet<string>) => void;
}

export function ColumnChooser({ columns, hidden, onChange }: ColumnChooserProps) {
  const id = useId();
  const toggle = (key: string) => {
    const next = new Set(hidden);
    if (!next.delete(key)) next.add(key);
    // A table must keep at least one column.
    if (columns.some((one) => !next.has(one.key))) onChange(next);
  };
  return (
    <div className="column-chooser">
      <IconButton label={texts.words.columns} icon={<SlidersHorizontal />} popoverTarget={id} />
      <CheckMenu
        id={id}
        legend={texts.words.columns}
        choices={columns.map(({ key, header }) => [key, header] as const)}
        isChecked={(key) => !hidden.has(key)}
        onToggle={toggle}
      />
    </div>
  );
}
