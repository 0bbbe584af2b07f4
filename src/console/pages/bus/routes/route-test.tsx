// What a route would do with one event: one that came in, or one that is written here. Nothing is written
// by it, and the route does not have to be saved.

import { type FormEvent, useId, useState } from "react";
import { useSearchParams } from "react-router";
import { call, type Input, type Reply } from "../../../client/call.ts";
import { useDoing } from "../../../client/doing.ts";
import { Button } from "../../../components/button.tsx";
import { Failure } from "../../../components/failure.tsx";
import { Field } from "../../../fields/field.tsx";
import { texts } from "../../../texts/index.ts";
import { isSameDraft, namedRule, type RouteDraft } from "./route-draft.ts";
import { ruleOf } from "./route-rule.ts";
import { StoredEventField } from "./stored-event-field.tsx";
import { TestResult } from "./test-result.tsx";
import { useStoredEvent } from "./use-stored-event.ts";

type Body = Input<"bus-routes.test-draft">["body"];
type Result = Reply<"bus-routes.test-draft">;
type EventJson = NonNullable<Body["event"]>;

const words = texts.busRoutes.test;

interface Tested {
  result: Result;
  /** The route as it was then. */
  draft: RouteDraft;
}

export function RouteTest({ draft }: { draft: RouteDraft }) {
  const [query] = useSearchParams();
  const [isWritten, setWritten] = useState(false);
  const stored = useStoredEvent({
    pattern: draft.type.trim(),
    given: query.get("eventId"),
    enabled: !isWritten,
  });
  const { eventId } = stored;
  const [text, setText] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const test = useDoing<Tested, Body>({
    mutationFn: async (body) => ({ result: await call("bus-routes.test-draft", { body }), draft }),
  });
  const choice = useId();
  const written = text ?? exampleFor(draft);
  const submit = (submitted: FormEvent) => {
    submitted.preventDefault();
    if (test.isPending) return;
    const { rule, problems } = ruleOf(draft);
    const event = isWritten ? objectIn(written) : undefined;
    const isWrong = isWritten && event === null;
    setProblem(isWrong ? words.noJson : problems.size > 0 ? texts.busRoutes.problems.fix : null);
    if (isWrong || problems.size > 0) return;
    const route = namedRule(rule);
    test.mutate(event ? { route, event } : { route, eventId });
  };
  return (
    <section className="card bus-test" aria-label={words.title}>
      <h2>{words.title}</h2>
      <p className="muted small">{words.lead}</p>
      <form onSubmit={submit}>
        <fieldset className="bus-choice bus-choice-inline">
          <legend>{words.which}</legend>
          <label>
            <input
              type="radio"
              name={choice}
              checked={!isWritten}
              onChange={() => setWritten(false)}
            />
            {words.stored}
          </label>
          <label>
            <input
              type="radio"
              name={choice}
              checked={isWritten}
              onChange={() => setWritten(true)}
            />
            {words.written}
          </label>
        </fieldset>
        {isWritten ? (
          <Field label={words.event} hint={words.eventHint}>
            {(control) => (
              <textarea
                {...control}
                rows={8}
                spellCheck={false}
                value={written}
                onChange={(event) => setText(event.target.value)}
              />
            )}
          </Field>
        ) : (
          <StoredEventField stored={stored} />
        )}
        {problem && (
          <p className="field-error" role="alert">
            {problem}
          </p>
        )}
        <Button
          type="submit"
          kind="primary"
          busy={test.isPending}
          disabled={!isWritten && eventId === ""}
        >
          {words.run}
        </Button>
      </form>
      <Failure error={test.error} />
      {test.data && (
        <>
          {!isSameDraft(test.data.draft, draft) && <p className="bus-stale">{words.stale}</p>}
          <TestResult
            result={test.data.result}
            state={test.data.draft.state}
            onEdit={(event) => {
              setText(JSON.stringify(event, null, 2));
              setWritten(true);
            }}
          />
        </>
      )}
    </section>
  );
}

/** An event that the route might match, to begin with. */
function exampleFor({ type, source, serviceCode }: RouteDraft): string {
  const exact = type.trim().replace(/\.\*$/, ".created") || "order.created";
  const about = source.trim() || serviceCode.trim();
  return JSON.stringify({ type: exact, source: about, data: {} }, null, 2);
}

function objectIn(text: string): EventJson | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && !Array.isArray(value) ? (value as EventJson | null) : null;
  } catch {
    return null;
  }
}
