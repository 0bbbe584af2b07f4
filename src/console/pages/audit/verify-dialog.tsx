// Verifying the chain of audit events, with an anchor that was kept elsewhere or without.

import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { issueOf } from "../../client/api-error.ts";
import { call, type Input, type Reply } from "../../client/call.ts";
import { useDoing } from "../../client/doing.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Failure } from "../../components/failure.tsx";
import { Field } from "../../fields/field.tsx";
import { duration } from "../../format/time.ts";
import { texts } from "../../texts/index.ts";
import { useNow } from "../../values/clock.ts";
import { Verdict } from "./verdict.tsx";

type Query = NonNullable<Input<"audit-events.verify">["query"]>;
type Verification = Reply<"audit-events.verify">;

const words = texts.audit.verify;

export function VerifyDialog({ onClose }: { onClose: () => void }) {
  const form = useId();
  const [seq, setSeq] = useState("");
  const [hash, setHash] = useState("");
  const running = useRef<AbortController | null>(null);
  const verify = useDoing<Verification, Query>({
    mutationFn: (query) => {
      running.current = new AbortController();
      return call("audit-events.verify", { query }, running.current.signal);
    },
  });
  // Nobody waits for the verdict any more.
  useEffect(() => () => running.current?.abort(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (verify.isPending) return;
    const anchor = {
      ...(seq.trim() === "" ? {} : { anchorSeq: seq.trim() }),
      ...(hash.trim() === "" ? {} : { anchorHash: hash.trim().toLowerCase() }),
    };
    verify.mutate(anchor as Query);
  };
  return (
    <Dialog
      title={words.title}
      wide
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.words.close}</Button>
          <Button type="submit" form={form} kind="primary" busy={verify.isPending}>
            {verify.data ? words.again : words.run}
          </Button>
        </>
      }
    >
      <p>{words.text}</p>
      <form id={form} onSubmit={submit}>
        <details>
          <summary>{words.anchorTitle}</summary>
          <p className="muted small">{words.anchorText}</p>
          <Field label={words.anchorSeq} error={issueOf(verify.error, "anchorSeq")}>
            {(control) => (
              <input
                {...control}
                inputMode="numeric"
                autoComplete="off"
                value={seq}
                onChange={(event) => setSeq(event.target.value)}
              />
            )}
          </Field>
          <Field label={words.anchorHash} error={issueOf(verify.error, "anchorHash")}>
            {(control) => (
              <input
                {...control}
                autoComplete="off"
                spellCheck={false}
                value={hash}
                onChange={(event) => setHash(event.target.value)}
              />
            )}
          </Field>
        </details>
      </form>
      {verify.isPending ? (
        <GoingOn since={verify.submittedAt} />
      ) : (
        <>
          <Failure error={verify.error} />
          {verify.data && <Verdict verification={verify.data} />}
        </>
      )}
    </Dialog>
  );
}

function GoingOn({ since }: { since: number }) {
  const now = useNow();
  return (
    <div className="audit-going-on">
      <progress aria-label={words.title} />
      <p>{words.goingOn(duration(Math.max(0, now - since)))}</p>
    </div>
  );
}
