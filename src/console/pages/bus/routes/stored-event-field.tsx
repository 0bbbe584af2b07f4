// The choice of an event that came in, among the newest of the type that a route looks at.

import { Field } from "../../../fields/field.tsx";
import { exactTime } from "../../../format/time.ts";
import { Loaded } from "../../../lists/loaded.tsx";
import { texts } from "../../../texts/index.ts";
import type { StoredEvents } from "./use-stored-event.ts";

const words = texts.busRoutes.test;

export function StoredEventField({ stored }: { stored: StoredEvents }) {
  const { query, events, other, eventId, choose } = stored;
  return (
    <Loaded query={query}>
      {() =>
        eventId === "" ? (
          <p className="muted">{words.noneStored}</p>
        ) : (
          <Field label={words.storedEvent}>
            {(control) => (
              <select {...control} value={eventId} onChange={(event) => choose(event.target.value)}>
                {other !== null && (
                  <option value={other}>{`${other}: ${words.chosenBefore}`}</option>
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
