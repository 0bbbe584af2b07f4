// The services that need attention, grouped by reason; a single line if all is well.

import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import { useCall } from "../../../client/queries.ts";
import { Button } from "../../../components/button.tsx";
import { Section } from "../../../components/page.tsx";
import { Loaded } from "../../../lists/loaded.tsx";
import { texts } from "../../../texts/index.ts";
import { Badge } from "../../../values/status-badge.tsx";
import { AttentionGroup } from "./attention-group.tsx";
import type { Attention as AttentionReply } from "./group.ts";
import { HandledGroups } from "./handled-groups.tsx";
import "./attention.css";

const words = texts.attention;
/** The stream does not report that an agent has become silent, or that a silence has expired. */
const refetchMs = 15_000;
const shownAtFirst = 5;

export function Attention() {
  const query = useCall("attention.get", {}, { everyMs: refetchMs });
  const isWell = query.data?.open.total === 0;
  return (
    <Section title={isWell ? words.calm : words.title}>
      <Loaded query={query as UseQueryResult<AttentionReply>}>
        {(attention) => <Content attention={attention} />}
      </Loaded>
    </Section>
  );
}

function Content({ attention }: { attention: AttentionReply }) {
  const { open, handled, truncated } = attention;
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? open.groups : open.groups.slice(0, shownAtFirst);
  const folded = open.groups.length - shown.length;
  const leftOut = open.total - open.groups.length;
  const counted = open.groups.reduce((sum, { services }) => sum + services, 0);
  return (
    <>
      {open.total === 0 && <AllWell attention={attention} />}
      {truncated && <p className="small">{words.truncated}</p>}
      {shown.length > 0 && (
        <ul className="plain attention-groups">
          {shown.map((group) => (
            <AttentionGroup key={group.id} group={group} />
          ))}
        </ul>
      )}
      {folded > 0 && (
        <Button onClick={() => setWhole(true)}>{words.showGroups({ many: folded })}</Button>
      )}
      {leftOut > 0 && folded === 0 && (
        <p className="small">
          {words.moreGroups({ groups: leftOut, services: open.services - counted })}
        </p>
      )}
      {handled.services > 0 && <HandledGroups handled={handled} />}
    </>
  );
}

function AllWell({ attention: { services, handled } }: { attention: AttentionReply }) {
  const { HEALTHY, UNKNOWN } = services;
  const parts = [
    words.healthy({ many: HEALTHY }),
    ...(UNKNOWN > 0 ? [words.unknown({ many: UNKNOWN })] : []),
  ].join(texts.words.comma);
  return (
    <p className="card attention-line">
      <Badge tone="good">
        {handled.services > 0
          ? words.nothingNew({ healthy: parts })
          : words.well({ healthy: parts })}
      </Badge>
    </p>
  );
}
