// The approval policies in their order, and a form that tests which policy applies.

import { useMay } from "../../client/session.ts";
import { DialogButton } from "../../components/dialogs/dialog-button.tsx";
import { NounList } from "../../nouns/noun-list.tsx";
import { texts } from "../../texts/index.ts";
import { PolicyForm } from "./policy-form.tsx";
import { PolicyTest } from "./policy-test.tsx";

const words = texts.policies;

export function Component() {
  const create = useMay("owner") && (
    <DialogButton kind="primary" text={words.create}>
      {(close) => <PolicyForm stored={null} onClose={close} />}
    </DialogButton>
  );
  return (
    <NounList noun="approval-policies" actions={create}>
      <PolicyTest />
    </NounList>
  );
}
