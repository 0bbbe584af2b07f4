import { useParams } from "react-router";
import { useCall } from "../../client/queries.ts";
import { useMay } from "../../client/session.ts";
import { DialogButton } from "../../components/dialogs/dialog-button.tsx";
import { WarningList } from "../../components/warning-list.tsx";
import { dangerFrom } from "../../format/danger.ts";
import { count } from "../../format/number.ts";
import { duration } from "../../format/time.ts";
import { AuditTrail } from "../../lists/audit-trail.tsx";
import { textIn } from "../../nouns/cell-texts.ts";
import { NounPage } from "../../nouns/noun-page.tsx";
import { nouns } from "../../nouns/nouns.ts";
import { texts } from "../../texts/index.ts";
import { Facts } from "../../values/facts.tsx";
import { Time } from "../../values/time.tsx";
import type { Policy } from "./policy-draft.ts";
import { PolicyForm } from "./policy-form.tsx";

const words = texts.policies;

export function Component() {
  const { policyId = "" } = useParams();
  const mayEdit = useMay("owner");
  const query = useCall("approval-policies.get", { params: { policyId } });
  const policy = query.data;
  return (
    <NounPage
      noun={nouns["approval-policies"]}
      query={query}
      lead={policy?.description ?? undefined}
      actions={
        policy &&
        mayEdit && (
          <DialogButton kind="primary" text={texts.words.edit}>
            {(close) => <PolicyForm stored={policy} onClose={close} />}
          </DialogButton>
        )
      }
    >
      {(loaded) => <Content policy={loaded} />}
    </NounPage>
  );
}

function Content({ policy }: { policy: Policy }) {
  const { id, order, selector, action, dangerLevel, approvals } = policy;
  const isForAll = selector === null && action === null && dangerLevel === null;
  return (
    <>
      <WarningList warnings={policy.warnings} />
      <Facts
        card
        facts={[
          [words.scope, isForAll && words.everything],
          [texts.words.action, action && <code>{action}</code>],
          [words.fields.dangerLevel, dangerLevel && dangerFrom(dangerLevel)],
          [words.fields.selector, selector && <code>{selector}</code>],
          [words.approvals, count(approvals)],
          [words.approvers, textIn(policy, { cell: "policyApprovers" }) as string],
          [words.expiresAfter, duration(policy.expiresAfterSeconds * 1000)],
          [words.order, count(order)],
          [texts.words.version, count(policy.version)],
          [texts.words.updated, <Time key="updated" at={policy.updatedAt} />],
        ]}
      />
      <AuditTrail targetId={id} />
    </>
  );
}
