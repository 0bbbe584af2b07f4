// The output of a command's program, while it runs and afterwards. The end stays in view unless the
// reader has scrolled up.

import { useLayoutEffect, useRef, useState } from "react";
import { formatBytes } from "../../../lib/bytes.ts";
import { type Command, hasEnded } from "../../client/command.ts";
import { Button } from "../../components/button.tsx";
import { Failure } from "../../components/failure.tsx";
import { Section } from "../../components/page.tsx";
import { texts } from "../../texts/index.ts";
import type { OutputLine } from "./output-lines.ts";
import { type OutputState, useOutput } from "./use-output.ts";
import "./command-output.css";

const words = texts.commands.output;

/** Shows nothing for a command that has ended without output. */
export function CommandOutput({ command }: { command: Command }) {
  const output = useOutput(command.id);
  const isEmpty = output.lines.length === 0;
  if (isEmpty && !output.error && (hasEnded(command) || command.status === "PENDING")) return null;
  return (
    <Section title={words.title}>
      <Failure error={output.error} />
      {isEmpty ? (
        <p className="muted">{words.none}</p>
      ) : (
        <OutputView output={output} id={command.id} />
      )}
    </Section>
  );
}

/** How far from the end, in pixels, still counts as the end. */
const nearEnd = 24;

function OutputView({ output, id }: { output: OutputState; id: string }) {
  const box = useRef<HTMLDivElement>(null);
  const [isFollowing, setIsFollowing] = useState(true);
  const { lines, hidden } = output;

  // biome-ignore lint/correctness/useExhaustiveDependencies: new lines move the end
  useLayoutEffect(() => {
    if (isFollowing) toEnd();
  }, [lines, isFollowing]);

  function toEnd(): void {
    box.current?.scrollTo({ top: box.current.scrollHeight, behavior: "instant" });
  }
  function noteScroll(): void {
    const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = box.current ?? {};
    setIsFollowing(scrollHeight - scrollTop - clientHeight <= nearEnd);
  }
  return (
    <div className="output-frame">
      {hidden > 0 && (
        <p className="muted small">
          {words.hidden({ lines: hidden })} <code>platformctl commands logs {id}</code>
        </p>
      )}
      <div
        ref={box}
        className="output-box panel"
        role="log"
        aria-live="off"
        aria-label={words.title}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it
        tabIndex={0}
        onScroll={noteScroll}
      >
        {lines.map((line) => (
          <Line key={line.key} line={line} />
        ))}
      </div>
      {!isFollowing && !output.isComplete && (
        <Button onClick={() => setIsFollowing(true)}>{words.follow}</Button>
      )}
    </div>
  );
}

function Line({ line: { stream, text, gap } }: { line: OutputLine }) {
  if (gap) {
    const text = gap.bytes === 0 ? words.openEnd : words[gap.gap]({ size: formatBytes(gap.bytes) });
    return <div className="output-gap">{text}</div>;
  }
  if (stream === "stdout") return <div>{text || "\n"}</div>;
  return (
    <div className="output-error">
      <span className="output-stream">{words.error}</span> {text}
    </div>
  );
}
