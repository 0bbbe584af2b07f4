// The services on which a rollout will run, by wave.

import { firstOf } from "../../format/first-of.ts";
import { count } from "../../format/number.ts";
import { column, Table } from "../../lists/table.tsx";
import { texts } from "../../texts/index.ts";

const words = texts.rollouts.preview;

export interface Wave {
  wave: number;
  codes: string[];
}

interface WaveTableProps {
  /** The choice of columns is stored under this name. */
  name: string;
  label: string;
  waves: Wave[];
  /** The number of codes that are shown for each wave. */
  mostCodes: number;
}

export function WaveTable({ name, label, waves, mostCodes }: WaveTableProps) {
  const columns = [
    column<Wave>("wave", words.wave, ({ wave }) => wave),
    column<Wave>("services", words.count, ({ codes }) => count(codes.length)),
    column<Wave>("codes", words.codes, ({ codes }) => firstOf(codes, mostCodes), { whole: true }),
  ];
  return (
    <Table
      name={name}
      label={label}
      columns={columns}
      rows={waves}
      rowKey={({ wave }) => String(wave)}
    />
  );
}
