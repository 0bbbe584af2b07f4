// Runs maintenance now. Owners also see the settings.

import type { Reply } from "../../client/call.ts";
import { useAct, useCall } from "../../client/queries.ts";
import { useMay } from "../../client/session.ts";
import { Button } from "../../components/buttons/button.tsx";
import { Failure } from "../../components/failure.tsx";
import { Section } from "../../components/page.tsx";
import { duration } from "../../format/time.ts";
import { Loaded } from "../../lists/loaded.tsx";
import { texts } from "../../texts/index.ts";
import { SettingsForm } from "./settings-form.tsx";

const words = texts.settings.run;

export function MaintenanceTab() {
  const isOwner = useMay("owner");
  const { data, error, isPending, mutate } = useAct("maintenance.run");
  const settings = useCall("settings.get", {}, { enabled: isOwner });
  return (
    <>
      <Section title={words.title}>
        <div className="card settings-run">
          <p>{isOwner ? words.says : words.saysToOperators}</p>
          <Button busy={isPending} onClick={() => mutate({})}>
            {words.verb}
          </Button>
          <Failure error={error} />
          <div role="status">{data && <Done done={data} />}</div>
        </div>
      </Section>
      {isOwner && (
        <Section title={texts.settings.form.title}>
          <Loaded query={settings}>{(current) => <SettingsForm current={current} />}</Loaded>
        </Section>
      )}
    </>
  );
}

function Done({ done }: { done: Reply<"maintenance.run"> }) {
  const kinds = Object.keys(words.did) as (keyof typeof words.did)[];
  const results = kinds.filter((kind) => done[kind] > 0);
  return (
    <>
      {results.length > 0 && (
        <ul>
          {results.map((kind) => (
            <li key={kind}>{words.did[kind]({ many: done[kind] })}</li>
          ))}
        </ul>
      )}
      <p>
        {results.length === 0 && words.nothing}{" "}
        {words.took({ duration: duration(done.durationMs) })}
      </p>
    </>
  );
}
