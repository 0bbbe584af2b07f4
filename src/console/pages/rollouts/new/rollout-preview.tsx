// The preview of a rollout, and the dialog that starts the rollout.

import { useEffect, useRef, useState } from "react";
import { ApprovalNeeded, useBypassState, verbWith } from "../../../approvals/break-glass.tsx";
import type { Confirmation, Reply } from "../../../client/call.ts";
import type { SingleMutation } from "../../../client/use-single-mutation.ts";
import { Button } from "../../../components/buttons/button.tsx";
import { Confirm } from "../../../components/dialogs/confirm.tsx";
import { Section } from "../../../components/page.tsx";
import { WarningList } from "../../../components/warning-list.tsx";
import { FormFooter } from "../../../fields/form-footer.tsx";
import { count } from "../../../format/number.ts";
import { texts } from "../../../texts/index.ts";
import { JsonView } from "../../../values/json-view.tsx";
import { LeftOutServices } from "../left-out.tsx";
import { WaveTable } from "../wave-table.tsx";

type Preview = Reply<"rollouts.preview">;

const words = texts.rollouts.preview;
const mostCodes = 50;

export interface Started {
  seed: string;
  confirmation: Confirmation;
  breakGlass?: string;
}

interface RolloutPreviewProps {
  action: string;
  preview: Preview;
  /** The call that `onStart` makes. */
  starting: Pick<SingleMutation<unknown, never>, "isPending" | "error" | "reset">;
  onStart: (started: Started) => void;
}

export function RolloutPreview(props: RolloutPreviewProps) {
  const { preview } = props;
  const { total, waves, leftOut, maxFailures, warnings } = preview;
  const summary = useRef<HTMLParagraphElement>(null);
  useEffect(() => summary.current?.focus(), []);
  return (
    <Section title={words.title}>
      <p ref={summary} tabIndex={-1}>
        <strong>{words.summary({ total, waves: waves.length })}</strong>{" "}
        {total > 0 ? words.stops({ tolerated: maxFailures }) : words.none}
      </p>
      <WarningList warnings={warnings} />
      {total > 0 && (
        <>
          <WaveTable
            name="rollout-preview"
            label={words.title}
            waves={waves.map(({ services }, at) => ({
              wave: at + 1,
              codes: services.map(({ serviceCode }) => serviceCode),
            }))}
            mostCodes={mostCodes}
          />
          <FormFooter>
            <Start {...props} />
          </FormFooter>
        </>
      )}
      {leftOut.length > 0 && <LeftOutServices leftOut={leftOut} />}
    </Section>
  );
}

function Start(props: RolloutPreviewProps) {
  const { action, preview, starting } = props;
  const [isAsking, setAsking] = useState(false);
  const close = () => {
    setAsking(false);
    starting.reset();
  };
  return (
    <>
      <Button
        kind={preview.requiresConfirmation ? "danger" : "primary"}
        onClick={() => setAsking(true)}
      >
        {words.start({ action, total: preview.total })}
      </Button>
      {isAsking && <ConfirmStart {...props} onClose={close} />}
    </>
  );
}

/** The preview's `seed` keeps its services and their order, unless the fleet has changed. */
export function ConfirmStart(props: RolloutPreviewProps & { onClose: () => void }) {
  const { action, preview, starting, onStart, onClose } = props;
  const { seed, total, waves, requiresConfirmation, policies, payload } = preview;
  const glass = useBypassState();
  const { confirm } = texts.rollouts;
  const word = { label: confirm.word({ total }), expected: count(total) };
  return (
    <Confirm
      title={confirm.title({ action, total })}
      verb={verbWith(policies, glass, confirm.verb)}
      danger={glass.isBroken || (requiresConfirmation && policies.length === 0)}
      isHeld={glass.isHeld}
      word={requiresConfirmation ? word : undefined}
      busy={starting.isPending}
      error={starting.error}
      onConfirm={(confirmation) => onStart({ seed, confirmation, ...glass.body })}
      onClose={onClose}
    >
      <p>{confirm.inWaves({ waves: waves.length, first: waves[0]?.services.length ?? 0 })}</p>
      {requiresConfirmation && <p>{confirm.asks}</p>}
      {Object.keys(payload).length > 0 && <JsonView value={payload} label={texts.words.payload} />}
      <ApprovalNeeded policies={policies} glass={glass} />
    </Confirm>
  );
}
