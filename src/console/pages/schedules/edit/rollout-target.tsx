// The fields for a schedule that runs a rollout.

import { useState } from "react";
import type { JsonObject } from "../../../../domain/payload/json.ts";
import { texts } from "../../../texts/index.ts";
import { draftOf, emptyDraft, hasNumbers, requestOf } from "../../rollouts/new/rollout-draft.ts";
import { RolloutFields, useRolloutFields } from "../../rollouts/new/rollout-fields.tsx";
import type { TargetFieldsProps } from "./action-target.tsx";
import type { RolloutTarget } from "./schedule-draft.ts";

const words = texts.schedules.form;

export function RolloutTargetFields(props: TargetFieldsProps<RolloutTarget>) {
  const { form, first, withheld, error, onChange, onLooking, onSubmit } = props;
  const fields = useRolloutFields({
    first: first ? draftOf(first) : emptyDraft,
    firstPayload: (first?.payload ?? {}) as JsonObject,
    found: null,
  });
  const [isFixing, setFixing] = useState(false);
  // The form does not show payloads of individual services, which a schedule from a file can have.
  const own = first?.payloadByService ?? {};
  const hasOwn = Object.keys(own).length > 0;
  const isReady = hasNumbers(fields.draft);
  return (
    <>
      <RolloutFields
        form={form}
        fields={fields}
        error={error}
        isFixing={isFixing}
        onChange={(areDefaults) => {
          if (areDefaults) return;
          setFixing(false);
          onChange();
        }}
        onLooking={onLooking}
        onSubmit={(payload) => {
          setFixing(!isReady);
          onSubmit(
            isReady
              ? {
                  kind: "rollout",
                  ...requestOf(fields.draft, payload, null),
                  ...(hasOwn ? { payloadByService: own } : {}),
                }
              : null,
          );
        }}
        onRefused={() => {
          setFixing(!isReady);
          onSubmit(null);
        }}
      />
      {withheld.length > 0 && <p className="muted small">{words.keptSecrets}</p>}
      {hasOwn && (
        <p className="muted small">{words.keptPayloads({ many: Object.keys(own).length })}</p>
      )}
    </>
  );
}
