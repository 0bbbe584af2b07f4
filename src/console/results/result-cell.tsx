// One value of a structured result. Agents are not trusted: every value is text, and a link leads
// only to a page of this console.

import { Link } from "react-router";
import type { JsonObject } from "../../domain/payload/json.ts";
import { type Cell, cellOf, copyOf } from "../../domain/results/cells.ts";
import type { ResultField } from "../../domain/results/structured-result.ts";
import { formatBytes } from "../../lib/bytes.ts";
import { CopyIcon } from "../components/buttons/copy-button.tsx";
import { duration, exactTime } from "../format/time.ts";
import { isPageOfNoun } from "../nouns/addresses.ts";
import { texts } from "../texts/index.ts";
import { StatusBadge } from "../values/status-badge.tsx";
import { Time } from "../values/time.tsx";

interface ResultCellProps {
  row: JsonObject;
  field: ResultField;
}

export function ResultCell({ row, field }: ResultCellProps) {
  const copied = copyOf(row, field);
  const shown = <Shown cell={cellOf(row, field)} />;
  if (copied === null) return shown;
  return (
    <span className="result-copied">
      {shown} <CopyIcon text={copied} label={texts.results.copy({ label: field.label })} />
    </span>
  );
}

function Shown({ cell }: { cell: Cell }) {
  switch (cell.kind) {
    case "nothing":
      return <span className="muted">{texts.values.nothing}</span>;
    case "redacted":
      return <span className="muted">{texts.results.redacted}</span>;
    case "code":
      return <code>{cell.text}</code>;
    case "status":
      return <StatusBadge status={cell.text} />;
    case "link":
      return isPageOfNoun(cell.text) ? <Link to={cell.text}>{cell.text}</Link> : cell.text;
    case "boolean":
      return cell.value ? texts.words.yes : texts.words.no;
    case "number":
      return String(cell.value);
    case "bytes":
      return (cell.value < 0 ? "-" : "") + formatBytes(Math.abs(cell.value));
    case "duration":
      return (cell.value < 0 ? "-" : "") + duration(Math.abs(cell.value));
    case "time":
      return (
        <time dateTime={cell.at} title={cell.at}>
          {exactTime(cell.at)}
        </time>
      );
    case "relativeTime":
      return <Time at={cell.at} />;
    default:
      return cell.text;
  }
}

/** Returns the text of the row's first value, or else the row's number. */
export function rowName(row: JsonObject, columns: readonly ResultField[], at: number): string {
  for (const column of columns) {
    const cell = cellOf(row, column);
    if ("text" in cell) return cell.text;
  }
  return texts.results.row({ number: at + 1 });
}
