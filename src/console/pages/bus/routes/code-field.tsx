// A field for the code of a service, with those that are known as suggestions. Any other code may be
// written: the service may come later.

import { useEffect, useId, useState } from "react";
import type { Reply } from "../../../client/call.ts";
import { usePage } from "../../../client/queries.ts";
import { Field } from "../../../fields/field.tsx";

const pauseMs = 250;

export type ServiceRow = Reply<"services.list">[number];

interface CodeFieldProps {
  label: string;
  hint: string;
  value: string;
  error: string | null;
  required?: boolean;
  onChange: (code: string) => void;
}

export function CodeField({ label, hint, value, error, required, onChange }: CodeFieldProps) {
  const { services } = useServices(value);
  const list = useId();
  return (
    <Field label={label} hint={hint} error={error} required={required ?? false}>
      {(control) => (
        <>
          <input
            {...control}
            list={list}
            autoComplete="off"
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          <datalist id={list}>
            {services.map(({ id, code, name }) => (
              <option key={id} value={code} label={name} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

/** Those that have the text in code or name, a few of them; `isSettled` when they are those of this text. */
export function useServices(text: string): { services: readonly ServiceRow[]; isSettled: boolean } {
  const asked = useSettled(text.trim());
  const query = usePage("services.list", {
    query: { pageSize: 50, ...(asked === "" ? {} : { q: asked }) },
  });
  const isAnswered = query.data !== undefined && !query.isPlaceholderData;
  return {
    services: query.data?.data ?? [],
    isSettled: asked === text.trim() && (isAnswered || query.error !== null),
  };
}

/** The text as it is a moment after the last key. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
