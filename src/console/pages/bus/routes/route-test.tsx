// Tests a route, saved or not, against a stored event or one that the user writes. A test stores
// nothing.

import { type FormEvent, useState } from "react";
import { useSearchParams } from "react-router";
import { call, type Input, type Reply } from "../../../client/call.ts";
import { usePage } from "../../../client/queries.ts";
import { useSingleMutation } from "../../../client/use-single-mutation.ts";
import { Button } from "../../../components/buttons/button.tsx";
import { Alert, Failure } from "../../../components/failure.tsx";
import { ChoiceField, LinesField } from "../../../fields/inputs.tsx";
import { RadioField } from "../../../fields/radio-field.tsx";
import { exactTime } from "../../../format/time.ts";
import { Loaded } from "../../../lists/loaded.tsx";
import { texts } from "../../../texts/index.ts";
import { isSameDraft, namedRule, type RouteDraft, ruleOf } from "./route-draft.ts";
import { TestResult } from "./test-result.tsx";

type Body = Input<"bus-routes.test-draft">["body"];
type EventJson = NonNullable<Body["event"]>;

interface Tested {
  result: Reply<"bus-routes.test-draft">;
  /** The draft that was tested. */
  draft: RouteDraft;
}

const words = texts.busRoutes.test;

export function RouteTest({ draft }: { draft: RouteDraft }) {
  const [kind, setKind] = useState<"stored" | "written">("stored");
  const isWritten = kind === "written";
  const stored = useStoredEvents(draft.type.trim(), !isWritten);
  const { eventId } = stored;
  const [text, setText] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const test = useSingleMutation<Tested, Body>({
    mutationFn: async (body) => ({ result: await call("bus-routes.test-draft", { body }), draft }),
  });
  const tested = test.data;
  const written = text ?? exampleFor(draft);
  const submit = (submitted: FormEvent) => {
    submitted.preventDefault();
    if (test.isPending) return;
    const { rule, problems } = ruleOf(draft);
    const event = isWritten ? objectIn(written) : undefined;
    const isWrong = event === null;
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
        <RadioField
          legend={words.which}
          isInline
          value={kind}
          options={[
            ["stored", words.stored],
            ["written", words.written],
          ]}
          onChange={setKind}
        />
        {isWritten ? (
          <LinesField
            label={words.event}
            hint={words.eventHint}
            rows={8}
            value={written}
            onChange={setText}
          />
        ) : (
          <Loaded query={stored.query}>
            {() =>
              eventId === "" ? (
                <p className="muted">{words.noneStored}</p>
              ) : (
                <ChoiceField
                  label={words.storedEvent}
                  value={eventId}
                  onChange={stored.choose}
                  options={stored.options}
                />
              )
            }
          </Loaded>
        )}
        {problem && <Alert text={problem} />}
        <Button type="submit" busy={test.isPending} disabled={!isWritten && eventId === ""}>
          {words.run}
        </Button>
      </form>
      <Failure error={test.error} />
      {tested && (
        <>
          {!isSameDraft(tested.draft, draft) && <p className="card note">{words.stale}</p>}
          <TestResult
            result={tested.result}
            state={tested.draft.state}
            onEdit={(event) => {
              setText(JSON.stringify(event, null, 2));
              setKind("written");
            }}
          />
        </>
      )}
    </section>
  );
}

/** Returns an event that the route is likely to match, for the user to edit. */
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

/** `pattern` is a type, or a prefix followed by `.*`. The event in the URL is always offered. */
function useStoredEvents(pattern: string, enabled: boolean) {
  const [address] = useSearchParams();
  const given = address.get("eventId");
  const [chosen, choose] = useState(given ?? "");
  // The API cannot filter by a prefix, so the newest events of all types are searched.
  const isExact = pattern !== "" && !pattern.endsWith(".*");
  const query = usePage(
    "bus-events.list",
    { query: isExact ? { type: pattern, pageSize: 20 } : { pageSize: 100 } },
    { enabled },
  );
  const prefix = isExact ? "" : pattern.slice(0, -1);
  const options = (query.data?.data ?? [])
    .filter(({ type }) => type.startsWith(prefix))
    .map(({ id, type, source, receivedAt }): [id: string, text: string] => {
      return [id, `${type} · ${source} · ${exactTime(receivedAt)}`];
    });
  if (given !== null && !options.some(([id]) => id === given)) {
    options.unshift([given, `${given}${texts.words.colon}${words.chosenBefore}`]);
  }
  const isOffered = options.some(([id]) => id === chosen);
  /** `eventId` is empty if there are no events. */
  return { query, options, eventId: isOffered ? chosen : (options[0]?.[0] ?? ""), choose };
}
