// The lines of an output, in blocks. The browser lays out only the blocks in view, and React
// renders only changed blocks again.

import { memo } from "react";
import { clockTime } from "../../../format/time.ts";
import { texts } from "../../../texts/index.ts";
import { gapText, type OutputLine } from "./output-lines.ts";

const words = texts.commands.output;

const linesPerBlock = 200;
/** Must be the same as in output.css. */
const lineHeight = 1.5;

interface OutputTextProps {
  lines: readonly OutputLine[];
}

export function OutputText({ lines }: OutputTextProps) {
  const blocks = Map.groupBy(lines, ({ key }) => Math.floor(key / linesPerBlock));
  return [...blocks].map(([number, block]) => <Block key={number} lines={block} />);
}

const Block = memo(
  function Block({ lines }: OutputTextProps) {
    return (
      <div
        className="output-block"
        style={{ containIntrinsicBlockSize: `auto ${lines.length * lineHeight}em` }}
      >
        {lines.map((line) => (
          <Line key={line.key} line={line} />
        ))}
      </div>
    );
  },
  ({ lines: a }, { lines: b }) => a.length === b.length && a[0] === b[0] && a.at(-1) === b.at(-1),
);

/** CSS shows the line's number and time, so that they are not copied with the text. */
function Line({ line: { key, stream, at, text, gap } }: { line: OutputLine }) {
  if (gap) return <div className="output-gap">{gapText(gap)}</div>;
  return (
    <div
      className={stream === "stderr" ? "output-line output-error" : "output-line"}
      data-number={key + 1}
      data-time={clockTime(at)}
    >
      {stream === "stderr" && <span className="output-stream">{words.error}</span>}
      {text || "\n"}
    </div>
  );
}
