// The output of a command's program, while it runs and afterwards. The end stays in view unless the
// reader has scrolled up.

import {
  type RefObject,
  useDeferredValue,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { hasEnded } from "../../../../domain/commands/commands.ts";
import type { CommandSummary } from "../../../client/command.ts";
import { saveFile } from "../../../client/save-file.ts";
import { useSingleMutation } from "../../../client/use-single-mutation.ts";
import { Button } from "../../../components/buttons/button.tsx";
import { Failure } from "../../../components/failure.tsx";
import { Section } from "../../../components/page.tsx";
import { texts } from "../../../texts/index.ts";
import { matchesIn, useMarks } from "./find.ts";
import { type OutputLine, plainText } from "./output-lines.ts";
import { OutputText } from "./output-text.tsx";
import { OutputToolbar, type Search, type View } from "./output-toolbar.tsx";
import { type OutputState, readAll, useOutput } from "./use-output.ts";
import "./output.css";

const words = texts.commands.output;

/** Shows nothing for a command that has ended without output. */
export function CommandOutput({ command }: { command: CommandSummary }) {
  const output = useOutput(command.id);
  const isEmpty = output.lines.length === 0;
  const { status } = command;
  if (isEmpty && !output.error && (hasEnded(status) || status === "PENDING")) return null;
  return (
    <Section title={words.title}>
      <OutputOf output={output} id={command.id} />
    </Section>
  );
}

/** The output of a command that is known only by its id. */
export function OutputById({ id }: { id: string }) {
  return <OutputOf output={useOutput(id)} id={id} />;
}

function OutputOf({ output, id }: { output: OutputState; id: string }) {
  const { lines, isComplete, error } = output;
  return (
    <>
      <Failure error={error} />
      {lines.length > 0 ? (
        <OutputView output={output} id={id} />
      ) : (
        <p className="muted">{isComplete ? words.empty : words.none}</p>
      )}
    </>
  );
}

function OutputView({ output, id }: { output: OutputState; id: string }) {
  const { lines, hidden, isComplete } = output;
  const frame = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<View>({ isWrapped: true, withTimes: false, onlyErrors: false });
  const { isWrapped, withTimes } = view;
  const onlyErrors = useDeferredValue(view.onlyErrors);
  const shown = useMemo(() => (onlyErrors ? lines.filter(isError) : lines), [lines, onlyErrors]);
  const { isFollowing, follow, noteScroll } = useEnd(box, shown);
  const search = useSearch(box, shown);
  const full = useFullScreen(frame);
  const saving = useSingleMutation({
    mutationFn: async () => saveFile(new Blob([plainText(await readAll(id))]), `${id}.log`),
  });
  const numberWidth = String(lines.at(-1)?.key ?? 0).length;
  return (
    <>
      {hidden > 0 && <p className="muted small">{words.hidden({ lines: hidden })}</p>}
      <Failure error={saving.error} />
      <div ref={frame} className="output-frame panel">
        <OutputToolbar
          search={search}
          view={view}
          change={(change) => setView({ ...view, ...change })}
          hasBoth={lines.some(isError) && !lines.every(isError)}
          text={() => plainText(shown)}
          download={() => saving.mutate()}
          isDownloading={saving.isPending}
          isFull={full.isOn}
          toggleFull={full.toggle}
        />
        <div
          ref={box}
          className="output-box"
          style={{ "--number-width": `${numberWidth}ch` } as object}
          data-wraps={isWrapped || undefined}
          data-times={withTimes || undefined}
          role="log"
          aria-live="off"
          aria-label={words.title}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it
          tabIndex={0}
          onScroll={noteScroll}
        >
          <OutputText lines={shown} />
        </div>
        {!isFollowing && !isComplete && (
          <div className="output-follow">
            <Button onClick={follow}>{words.follow}</Button>
          </div>
        )}
      </div>
    </>
  );
}

function isError({ stream }: OutputLine): boolean {
  return stream === "stderr";
}

/** How far from the end, in pixels, still counts as the end. */
const nearEnd = 24;

/** Keeps the end of the box in view until the reader scrolls up. */
function useEnd(box: RefObject<HTMLElement | null>, lines: readonly OutputLine[]) {
  const [isFollowing, setIsFollowing] = useState(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new lines move the end
  useLayoutEffect(() => {
    if (!isFollowing) return;
    box.current?.scrollTo({ top: box.current.scrollHeight, behavior: "instant" });
  }, [box, lines, isFollowing]);
  return {
    isFollowing,
    follow: () => setIsFollowing(true),
    noteScroll: () => {
      const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = box.current ?? {};
      setIsFollowing(scrollHeight - scrollTop - clientHeight <= nearEnd);
    },
  };
}

function useSearch(box: RefObject<HTMLElement | null>, lines: readonly OutputLine[]): Search {
  const [wanted, setWanted] = useState("");
  const [at, setAt] = useState(0);
  const applied = useDeferredValue(wanted);
  const matches = useMemo(() => matchesIn(lines, applied), [lines, applied]);
  const found = matches.length;
  const current = Math.min(at, found - 1);
  useMarks(box, matches, matches[current]);
  return {
    wanted,
    setWanted: (next) => {
      setWanted(next);
      setAt(0);
    },
    found,
    current,
    move: (by) => setAt((current + by + found) % Math.max(1, found)),
  };
}

/** Shows the element on the whole screen until the user presses Escape. */
function useFullScreen(frame: RefObject<HTMLElement | null>) {
  const isOn = useSyncExternalStore(watchFullScreen, () => document.fullscreenElement !== null);
  const toggle = () => {
    if (isOn) void document.exitFullscreen();
    else void frame.current?.requestFullscreen();
  };
  return { isOn, toggle: document.fullscreenEnabled ? toggle : undefined };
}

function watchFullScreen(listener: () => void): () => void {
  document.addEventListener("fullscreenchange", listener);
  return () => document.removeEventListener("fullscreenchange", listener);
}
