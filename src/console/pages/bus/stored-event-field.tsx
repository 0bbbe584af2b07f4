// The choice of an event that came in, among the newest of the type that a route looks at.

import { useEffect } from "react";
import { usePage } from "../../client/queries.ts";
import { Field } from "../../components/field.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { exactTime } from "../../format/time.ts";
import { texts } from "../../texts/index.ts";

const words = texts.busRoutes.test;

interface StoredEventFieldProps {
  /** Of the type: whole, or with `.*` at its end. */
  pattern: string;
  /** An event that somebody came with, whatever its type. */
  given: string | null;
  value: string;
  onChange: (eventId: string) => void;
}

export function StoredEventField({ pattern, given, value, onChange }: StoredEventFieldProps) {
  // The API knows whole types alone: of a beginning, the newest of all are looked through.
  const isExact = pattern !== "" && !pattern.endsWith(".*");
  const query = usePage("bus-events.list", {
    query: isExact ? { type: pattern, pageSize: 20 } : { pageSize: 100 },
  });
  const beginning = pattern.slice(0, -1);
  const events = (query.data?.data ?? []).filter(({ type }) =>
    isExact || pattern === "" ? true : type.startsWith(beginning),
  );
  const ids = events.map(({ id }) => id);
  const choices = given !== null && !ids.includes(given) ? [given, ...ids] : ids;
  const newest = choices[0] ?? "";
  const isThere = choices.includes(value);
  useEffect(() => {
    if (!isThere && !query.isPlaceholderData) onChange(newest);
  }, [isThere, newest, query.isPlaceholderData, onChange]);
  return (
    <Loaded query={query}>
      {() =>
        choices.length === 0 ? (
          <p className="muted">{words.noneStored}</p>
        ) : (
          <Field label={words.storedEvent}>
            {(control) => (
              <select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
                {given !== null && !ids.includes(given) && (
                  <option value={given}>{`${given}: ${words.chosenBefore}`}</option>
                )}
                {events.map(({ id, type, source, receivedAt }) => (
                  <option key={id} value={id}>
                    {`${type} · ${source} · ${exactTime(receivedAt)} · ${id}`}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )
      }
    </Loaded>
  );
}
