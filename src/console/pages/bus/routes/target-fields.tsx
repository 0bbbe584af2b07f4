// The fields for a route's target: a service and one of its actions. Neither has to exist yet.

import { fieldsOf } from "../../../fields/draft.ts";
import { ActionChoice, useActionsOf } from "../../../nouns/action-choice.tsx";
import { texts } from "../../../texts/index.ts";
import type { DraftPart } from "./route-draft.ts";

export function TargetFields({ draft, onChange, error }: DraftPart) {
  const choice = useActionsOf(draft.serviceCode.trim());
  const field = fieldsOf(draft, onChange, error);
  return (
    <ActionChoice
      choice={choice}
      service={field("serviceCode", "target.serviceCode")}
      action={field("action", "target.action")}
      hint={({ requiresConfirmation }) => requiresConfirmation && texts.busRoutes.needsConfirmation}
    />
  );
}
