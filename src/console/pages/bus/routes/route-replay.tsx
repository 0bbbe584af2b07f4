// Shows what a route would have done with the events of a time range.

import { type FormEvent, useState } from "react";
import { issueOf } from "../../../client/api-error.ts";
import { Button } from "../../../components/buttons/button.tsx";
import { Failure } from "../../../components/failure.tsx";
import { Section } from "../../../components/page.tsx";
import { TextField } from "../../../fields/inputs.tsx";
import { findUnfinished, useUnfinished } from "../../../fields/unfinished.ts";
import { fromLocal, toLocal } from "../../../format/local-time.ts";
import { texts } from "../../../texts/index.ts";
import { useNow } from "../../../values/clock.ts";
import { ReplayResult } from "./replay-result.tsx";
import { namedRule, type Route, type Rule } from "./route-draft.ts";
import { type ReplayBody, useReplay } from "./use-replay.ts";

type ReplayWindow = Pick<ReplayBody, "from" | "to">;

const words = texts.busRoutes.replay;
const dayMs = 24 * 60 * 60 * 1000;
const progressWords = {
  running: words.goingOn,
  done: words.done,
  stopped: words.stopped,
  failed: words.failed,
};

interface RouteReplayProps {
  rule: Rule;
  /** The stored route; null if the form differs from it. */
  saved: Route | null;
}

export function RouteReplay({ rule, saved }: RouteReplayProps) {
  const { replay, start, stop } = useReplay();
  const [replayed, setReplayed] = useState("");
  const subject = JSON.stringify(saved ? saved.version : rule);
  const run = (window: ReplayWindow) => {
    setReplayed(subject);
    void start({ ...window, ...(saved ? { routeId: saved.id } : { route: namedRule(rule) }) });
  };
  const isRunning = replay?.status === "running";
  return (
    <Section title={words.title}>
      <p className="muted">
        {words.lead} {saved ? words.savedRoute : words.unsavedRoute}
      </p>
      <WindowForm isRunning={isRunning} error={replay?.error} onRun={run} onStop={stop} />
      {replay && (
        <>
          <p role="status">{progressWords[replay.status]({ many: replay.summary.events })}</p>
          {isRunning && <progress aria-label={words.title} />}
          <Failure error={replay.error} />
          {subject !== replayed && <p className="card note">{words.stale}</p>}
          <ReplayResult replay={replay} />
        </>
      )}
    </Section>
  );
}

interface WindowFormProps {
  isRunning: boolean;
  error: unknown;
  onRun: (window: ReplayWindow) => void;
  onStop: () => void;
}

/** The form for the time range, which at first is the last 24 hours, rounded down to the minute. */
function WindowForm({ isRunning, error, onRun, onStop }: WindowFormProps) {
  const now = useNow();
  const [from, setFrom] = useState(() => toLocal(now - dayMs).slice(0, "2026-01-02T03:04".length));
  const [to, setTo] = useState("");
  const [isMissing, setMissing] = useState(false);
  const fromField = useUnfinished();
  const toField = useUnfinished();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const unfinished = findUnfinished(event.currentTarget);
    unfinished?.focus();
    setMissing(from === "");
    if (unfinished || from === "" || isRunning) return;
    onRun({ from: fromLocal(from), ...(to === "" ? {} : { to: fromLocal(to) }) });
  };
  return (
    <form className="row inline-fields" noValidate onSubmit={submit}>
      <TextField
        {...fromField.watch}
        label={texts.words.from}
        error={fromField.problem ?? (isMissing ? words.noFrom : issueOf(error, "from"))}
        required
        type="datetime-local"
        value={from}
        onChange={setFrom}
      />
      <TextField
        {...toField.watch}
        label={texts.words.to}
        error={toField.problem ?? issueOf(error, "to")}
        type="datetime-local"
        value={to}
        onChange={setTo}
      />
      <Button type="submit" busy={isRunning}>
        {words.run}
      </Button>
      {isRunning && <Button onClick={onStop}>{texts.words.stop}</Button>}
    </form>
  );
}
