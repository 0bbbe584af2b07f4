// Verifies the chain of audit events, or only its newer rows, optionally against an anchor that was
// saved elsewhere.

import { ShieldAlert, ShieldCheck } from "lucide-react";
import { type FormEvent, useEffect, useId, useRef } from "react";
import { call, type Input, type Reply } from "../../client/call.ts";
import { useSingleMutation } from "../../client/use-single-mutation.ts";
import { Button } from "../../components/buttons/button.tsx";
import { CopiedCode } from "../../components/buttons/copy-button.tsx";
import { Dialog } from "../../components/dialogs/dialog.tsx";
import { Failure } from "../../components/failure.tsx";
import { Sentence } from "../../components/text/sentence.tsx";
import { fieldsOf, useDraft } from "../../fields/draft.ts";
import { CheckField, TextField } from "../../fields/inputs.tsx";
import { count } from "../../format/number.ts";
import { duration } from "../../format/time.ts";
import { texts } from "../../texts/index.ts";
import { useNow } from "../../values/clock.ts";
import { Facts } from "../../values/facts.tsx";
import { Time } from "../../values/time.tsx";

type Query = NonNullable<Input<"audit-events.verify">["query"]>;
type Verification = Reply<"audit-events.verify">;

const words = texts.audit.verify;

export function VerifyDialog({ onClose }: { onClose: () => void }) {
  const form = useId();
  const [draft, change] = useDraft({ incremental: false, anchorSeq: "", anchorHash: "" });
  const running = useRef<AbortController | null>(null);
  const { data, error, isPending, submittedAt, mutate } = useSingleMutation<Verification, Query>({
    mutationFn: (query) => {
      running.current = new AbortController();
      return call("audit-events.verify", { query }, running.current.signal);
    },
  });
  const field = fieldsOf(draft, change, error);
  useEffect(() => () => running.current?.abort(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const query = {
      incremental: draft.incremental || undefined,
      anchorSeq: draft.anchorSeq.trim() || undefined,
      anchorHash: draft.anchorHash.trim().toLowerCase() || undefined,
    };
    mutate(query as Query);
  };
  return (
    <Dialog
      title={words.title}
      wide
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.words.close}</Button>
          <Button type="submit" form={form} kind="primary" busy={isPending}>
            {data ? words.again : words.run}
          </Button>
        </>
      }
    >
      <p>{words.text}</p>
      <form id={form} onSubmit={submit}>
        <CheckField
          label={words.incremental}
          hint={words.incrementalHint}
          {...field("incremental")}
        />
        <details>
          <summary>{words.anchorTitle}</summary>
          <p className="muted small">{words.anchorText}</p>
          <TextField label={words.anchorSeq} inputMode="numeric" {...field("anchorSeq")} />
          <TextField label={texts.audit.row.hash} spellCheck={false} {...field("anchorHash")} />
        </details>
      </form>
      {isPending ? (
        <Progress since={submittedAt} />
      ) : (
        <>
          <Failure error={error} />
          {data && <Verdict verification={data} />}
        </>
      )}
    </Dialog>
  );
}

function Progress({ since }: { since: number }) {
  const now = useNow();
  return (
    <div className="audit-progress">
      <progress aria-label={words.title} />
      <p>{words.goingOn({ time: duration(Math.max(0, now - since)) })}</p>
    </div>
  );
}

function Verdict({ verification }: { verification: Verification }) {
  const { ok, broken, checked, firstSeq, lastSeq, since, checkpoint, anchor, head } = verification;
  const range = firstSeq !== null && lastSeq !== null;
  return (
    <section className={`card audit-verdict tone-${ok ? "good" : "bad"}`} role="status">
      <p className="row audit-verdict-word">
        {ok ? <ShieldCheck aria-hidden="true" /> : <ShieldAlert aria-hidden="true" />}
        <strong>
          {broken
            ? words.broken({ seq: count(broken.seq) })
            : checked === 0
              ? words.okEmpty
              : words.ok({ rows: checked })}
        </strong>
      </p>
      {broken && <p>{words.whatToDo}</p>}
      <Facts
        facts={[
          [texts.actions.reason, broken?.reason],
          [words.fitBefore, broken && count(checked)],
          [
            words.range,
            !broken && range && words.rangeOf({ first: count(firstSeq), last: count(lastSeq) }),
          ],
          [
            words.notRead,
            since && (
              <Sentence
                text={words.notReadOf}
                parts={{ seq: count(since.seq), time: <Time at={since.at} /> }}
              />
            ),
          ],
          [words.lastFull, since && <Time at={since.fullAt} />],
          [
            words.anchor,
            anchor && `${count(anchor.seq)}${texts.words.colon}${words.anchors[anchor.state]}`,
          ],
          [
            words.checkpoint,
            checkpoint && (
              <Sentence
                text={words.checkpointOf}
                parts={{ seq: count(checkpoint.seq), time: <Time at={checkpoint.at} /> }}
              />
            ),
          ],
        ]}
      />
      {ok && head && (
        <div className="audit-head">
          <h3>{words.head}</h3>
          <p className="muted small">{words.headText}</p>
          <CopiedCode text={`${head.seq} ${head.hash}`} label={words.copyHead} />
        </div>
      )}
    </section>
  );
}
