// What a route would have done with the events of a window.

import { type FormEvent, useState } from "react";
import { issueOf } from "../../../client/api-error.ts";
import { Button } from "../../../components/button.tsx";
import { Failure } from "../../../components/failure.tsx";
import { Section } from "../../../components/page.tsx";
import { Field } from "../../../fields/field.tsx";
import { useUnfinished } from "../../../fields/unfinished.ts";
import { fromLocal, toLocal } from "../../../format/local-time.ts";
import { counted } from "../../../format/number.ts";
import { texts } from "../../../texts/index.ts";
import { useNow } from "../../../values/clock.ts";
import { ReplayResult } from "./replay-result.tsx";
import { namedRule, type Route, type Rule } from "./route-draft.ts";
import { type Replay, type ReplayBody, useReplay } from "./use-replay.ts";

const words = texts.busRoutes.replay;
const dayMs = 24 * 60 * 60 * 1000;

interface RouteReplayProps {
  rule: Rule;
  /** The route as it is stored; null when it is not stored as it is written here. */
  saved: Route | null;
}

export function RouteReplay({ rule, saved }: RouteReplayProps) {
  const { replay, start, stop } = useReplay();
  const [replayed, setReplayed] = useState("");
  const subject = JSON.stringify(saved ? saved.version : rule);
  const run = (window: Pick<ReplayBody, "from" | "to">) => {
    setReplayed(subject);
    const route = namedRule(rule);
    void start({ ...window, ...(saved ? { routeId: saved.id } : { route }) });
  };
  return (
    <Section title={words.title}>
      <p className="muted">
        {words.lead} {saved ? words.savedRoute : words.unsavedRoute}
      </p>
      <WindowForm
        isRunning={replay?.status === "running"}
        error={replay?.error}
        onRun={run}
        onStop={stop}
      />
      {replay && (
        <>
          <p role="status">{progressOf(replay)}</p>
          {replay.status === "running" && <progress aria-label={words.title} />}
          <Failure error={replay.error} />
          {subject !== replayed && <p className="bus-stale">{words.stale}</p>}
          <ReplayResult replay={replay} />
        </>
      )}
    </Section>
  );
}

interface WindowFormProps {
  isRunning: boolean;
  error: unknown;
  onRun: (window: Pick<ReplayBody, "from" | "to">) => void;
  onStop: () => void;
}

/** The last day, to the minute, until somebody says otherwise. */
function WindowForm({ isRunning, error, onRun, onStop }: WindowFormProps) {
  const now = useNow();
  const [from, setFrom] = useState(() => toLocal(now - dayMs).slice(0, "2026-01-02T03:04".length));
  const [to, setTo] = useState("");
  const [isMissing, setMissing] = useState(false);
  const fromField = useUnfinished();
  const toField = useUnfinished();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(from === "");
    if (from === "" || isRunning) return;
    onRun({ from: fromLocal(from), ...(to === "" ? {} : { to: fromLocal(to) }) });
  };
  return (
    <form className="bus-inline inline-fields" onSubmit={submit}>
      <Field
        label={texts.words.from}
        error={fromField.problem ?? (isMissing ? words.noFrom : issueOf(error, "from"))}
        required
      >
        {(control) => (
          <input
            {...control}
            {...fromField.watch}
            type="datetime-local"
            value={from}
            onChange={(event) => setFrom(event.target.value)}
          />
        )}
      </Field>
      <Field label={texts.words.to} error={toField.problem ?? issueOf(error, "to")}>
        {(control) => (
          <input
            {...control}
            {...toField.watch}
            type="datetime-local"
            value={to}
            onChange={(event) => setTo(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" busy={isRunning}>
        {words.run}
      </Button>
      {isRunning && <Button onClick={onStop}>{words.stop}</Button>}
    </form>
  );
}

function progressOf({ status, summary }: Replay): string {
  const events = counted(summary.events, ...words.event);
  const said = {
    running: words.goingOn,
    done: words.done,
    stopped: words.stopped,
    failed: words.failed,
  };
  return said[status](events);
}
