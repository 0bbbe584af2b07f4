// What the server does by itself again and again, done now; and for owners the settings of it.

import type { Reply } from "../../client/call.ts";
import { useAct, useCall } from "../../client/queries.ts";
import { useMay } from "../../client/session.ts";
import { Button } from "../../components/button.tsx";
import { Failure } from "../../components/failure.tsx";
import { Section } from "../../components/page.tsx";
import { counted } from "../../format/number.ts";
import { duration } from "../../format/time.ts";
import { Loaded } from "../../lists/loaded.tsx";
import { texts } from "../../texts/index.ts";
import { SettingsForm } from "./settings-form.tsx";

const words = texts.settings;

export function MaintenanceTab() {
  const isOwner = useMay("owner");
  return (
    <>
      <RunNow says={isOwner ? words.run.says : words.run.saysToOperators} />
      {isOwner && <OwnersSettings />}
    </>
  );
}

function RunNow({ says }: { says: string }) {
  const run = useAct("maintenance.run");
  return (
    <Section title={words.run.title}>
      <div className="card settings-run">
        <p>{says}</p>
        <Button busy={run.isPending} onClick={() => run.mutate({})}>
          {words.run.verb}
        </Button>
        <Failure error={run.error} />
        <div role="status">{run.data && <Done done={run.data} />}</div>
      </div>
    </Section>
  );
}

function Done({ done }: { done: Reply<"maintenance.run"> }) {
  const kinds = Object.keys(words.run.did) as (keyof typeof words.run.did)[];
  const told = kinds
    .filter((kind) => done[kind] > 0)
    .map((kind) => counted(done[kind], ...words.run.did[kind]));
  const took = words.run.took(duration(done.durationMs));
  if (told.length === 0) {
    return (
      <p>
        {words.run.nothing} {took}
      </p>
    );
  }
  return (
    <>
      <ul>
        {told.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <p>{took}</p>
    </>
  );
}

function OwnersSettings() {
  const query = useCall("settings.get", {});
  return (
    <Section title={words.form.title}>
      <Loaded query={query}>{(current) => <SettingsForm current={current} />}</Loaded>
    </Section>
  );
}
