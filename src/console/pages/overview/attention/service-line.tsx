// A service of a group, on one line.

import { Sentence } from "../../../components/sentence.tsx";
import { NounLink } from "../../../nouns/noun-link.tsx";
import { texts } from "../../../texts/index.ts";
import { Since } from "../../../values/since.tsx";
import type { GroupService } from "./group.ts";

const words = texts.attention;
const { comma } = texts.words;

export function ServiceLine({ service, saysSince }: { service: GroupService; saysSince: boolean }) {
  const { id, code, agentId, agentCode, since, changes, healthStatus, lastFailedCommand } = service;
  return (
    <li>
      <NounLink to="services" id={id}>
        {code}
      </NounLink>{" "}
      <span className="muted small">
        <Sentence
          text={words.on}
          parts={{
            agent: (
              <NounLink to="agents" id={agentId}>
                {agentCode}
              </NounLink>
            ),
          }}
        />
        {saysSince && (
          <>
            {comma}
            <Sentence text={words.since} parts={{ time: <Since at={since} /> }} />
          </>
        )}
        {changes > 0 && `${comma}${words.changes({ many: changes })}`}
        {changes > 0 && healthStatus && `${comma}${words.reported({ status: healthStatus })}`}
        {lastFailedCommand && (
          <>
            {" · "}
            <LastFailure command={lastFailedCommand} />
          </>
        )}
      </span>
    </li>
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
