// One service of a group, on at most two lines.

import { Cut } from "../../../components/text/cut.tsx";
import { Sentence } from "../../../components/text/sentence.tsx";
import { reportedText } from "../../../format/status.ts";
import { NounLink } from "../../../nouns/noun-link.tsx";
import { AgentLink } from "../../../nouns/owner-links.tsx";
import { texts } from "../../../texts/index.ts";
import { Since } from "../../../values/since.tsx";
import type { GroupService } from "./group.ts";

const words = texts.attention;
const { comma } = texts.words;

interface ServiceFactsProps {
  service: GroupService;
  saysSince: boolean;
}

export function ServiceFacts({ service, saysSince }: ServiceFactsProps) {
  const { id, code, since, changes, healthStatus, lastFailedCommand } = service;
  return (
    <Cut>
      <NounLink to="services" id={id}>
        {code}
      </NounLink>{" "}
      <span className="muted small">
        <Sentence text={words.on} parts={{ agent: <AgentLink of={service} /> }} />
        {saysSince && (
          <>
            {comma}
            <Sentence text={words.since} parts={{ time: <Since at={since} /> }} />
          </>
        )}
        {changes > 0 && `${comma}${words.changes({ many: changes })}`}
        {changes > 0 &&
          healthStatus &&
          `${comma}${words.reported({ status: reportedText(healthStatus) })}`}
        {lastFailedCommand && (
          <>
            {" · "}
            <LastFailure command={lastFailedCommand} />
          </>
        )}
      </span>
    </Cut>
  );
}

function LastFailure({ command }: { command: NonNullable<GroupService["lastFailedCommand"]> }) {
  const { id, action, errorCode, completedAt } = command;
  const link = (
    <NounLink to="commands" id={id}>
      {action}
    </NounLink>
  );
  return (
    <Sentence
      text={words.failed}
      parts={{ command: link, code: errorCode, time: <Since at={completedAt} /> }}
    />
  );
}
