// Shows which policy applies to an action of a service, and why the others do not.

import { Check, Minus, X } from "lucide-react";
import { useState } from "react";
import { call, type Reply } from "../../client/call.ts";
import { useSingleMutation } from "../../client/use-single-mutation.ts";
import { Button } from "../../components/buttons/button.tsx";
import { Alert, Failure } from "../../components/failure.tsx";
import { Section } from "../../components/page.tsx";
import { fieldsOf, useDraft } from "../../fields/draft.ts";
import { ActionChoice, useActionsOf } from "../../nouns/action-choice.tsx";
import { NounLink } from "../../nouns/noun-link.tsx";
import { texts } from "../../texts/index.ts";
import "./policies.css";

type Result = Reply<"approval-policies.test">;

const words = texts.policies.test;

export function PolicyTest() {
  const [draft, change] = useDraft({ service: "", action: "" });
  const [isUnknown, setUnknown] = useState(false);
  const choice = useActionsOf(draft.service.trim());
  const test = useSingleMutation<Result, { serviceId: string; action: string }>({
    mutationFn: (query) => call("approval-policies.test", { query }),
  });
  const field = fieldsOf(draft, (to) => {
    change(to);
    test.reset();
  });
  return (
    <Section title={words.title} card>
      <p className="muted">{words.lead}</p>
      <form
        className="policy-test"
        onSubmit={(event) => {
          event.preventDefault();
          setUnknown(choice.serviceId === undefined);
          if (choice.serviceId === undefined) return;
          test.mutate({ serviceId: choice.serviceId, action: draft.action.trim() });
        }}
      >
        <ActionChoice choice={choice} service={field("service")} action={field("action")} />
        <Button type="submit" busy={test.isPending}>
          {words.run}
        </Button>
      </form>
      {isUnknown && choice.serviceId === undefined && <Alert text={words.unknownService} />}
      <Failure error={test.error} />
      {test.data && <TestResult result={test.data} />}
    </Section>
  );
}

function TestResult({ result: { policy, policies } }: { result: Result }) {
  const at = policies.findIndex(({ counts }) => counts);
  return (
    <section role="status" aria-label={words.result}>
      <p>
        <strong>{policy ? words.counts({ name: policy.name }) : words.none}</strong>
      </p>
      <ol className="verdicts stack plain">
        {policies.map(({ policyId, name, counts, reason }, index) => {
          const isLater = at >= 0 && index > at;
          const Sign = counts ? Check : isLater ? Minus : X;
          return (
            <li key={policyId} className={counts ? "tone-good" : "tone-idle"}>
              <Sign aria-hidden="true" />
              <span>
                <NounLink to="approval-policies" id={policyId}>
                  {name}
                </NounLink>{" "}
                <span className="verdict-word">
                  {words.verdicts[counts ? "counts" : isLater ? "later" : "not"]}
                </span>
                <span className="muted small policy-why">
                  {counts ? words.fits : isLater ? words.later : reason}
                </span>
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
