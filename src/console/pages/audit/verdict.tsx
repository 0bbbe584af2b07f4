// What verifying the chain came to, and what to do about it.

import { ShieldAlert, ShieldCheck } from "lucide-react";
import type { Reply } from "../../client/call.ts";
import { CopyButton } from "../../components/copy-button.tsx";
import { count, counted } from "../../format/number.ts";
import { texts } from "../../texts/index.ts";
import { Facts } from "../../values/facts.tsx";
import { Time } from "../../values/time.tsx";

type Verification = Reply<"audit-events.verify">;

const words = texts.audit.verify;

export function Verdict({ verification }: { verification: Verification }) {
  const { ok, broken, checked, firstSeq, lastSeq, checkpoint, anchor } = verification;
  return (
    <section className={ok ? "audit-verdict tone-good" : "audit-verdict tone-bad"} role="status">
      <p className="audit-verdict-word">
        {ok ? <ShieldCheck aria-hidden="true" /> : <ShieldAlert aria-hidden="true" />}
        <strong>{sentenceOf(verification)}</strong>
      </p>
      {broken && <p>{words.whatToDo}</p>}
      <Facts
        facts={[
          [words.reason, broken?.reason],
          [
            broken ? words.fitBefore : texts.audit.verify.range,
            broken ? count(checked) : rangeOf(firstSeq, lastSeq),
          ],
          [words.anchor, anchor && `${count(anchor.seq)}: ${words.anchors[anchor.state]}`],
          [
            words.checkpoint,
            checkpoint && (
              <>
                {words.checkpointOf(count(checkpoint.seq))} <Time at={checkpoint.at} />
              </>
            ),
          ],
        ]}
      />
      {ok && <Head head={verification.head} />}
    </section>
  );
}

function sentenceOf({ broken, checked }: Verification): string {
  if (broken) return words.broken(count(broken.seq));
  return checked === 0 ? words.okEmpty : words.ok(counted(checked, ...words.row));
}

function rangeOf(first: number | null, last: number | null): string | null {
  return first === null || last === null ? null : words.rangeOf(count(first), count(last));
}

function Head({ head }: Pick<Verification, "head">) {
  if (head === null) return null;
  return (
    <div className="audit-head">
      <h3>{words.head}</h3>
      <p className="muted small">{words.headText}</p>
      <div className="row">
        <code>{`${head.seq} ${head.hash}`}</code>
        <CopyButton text={`${head.seq} ${head.hash}`} label={words.copyHead} />
      </div>
    </div>
  );
}
