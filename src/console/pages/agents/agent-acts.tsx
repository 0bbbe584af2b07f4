// What an operator may do with an agent; each asks first, and says what will happen.

import { useState } from "react";
import { useNavigate } from "react-router";
import type { Reply } from "../../client/call.ts";
import { useAct } from "../../client/queries.ts";
import { Button } from "../../components/button.tsx";
import { Confirm } from "../../components/confirm.tsx";
import { useNotice } from "../../components/notices.tsx";
import { texts } from "../../texts/index.ts";
import "./agent-detail.css";

type AgentDetail = Reply<"agents.get">;
type ActName = keyof typeof texts.agents.acts;

export function AgentActs({ agent }: { agent: AgentDetail }) {
  const [asked, setAsked] = useState<ActName | null>(null);
  const offered: ActName[] = [
    agent.status === "DISABLED" ? "agents.enable" : "agents.disable",
    ...(agent.token ? (["agents.revoke-token"] as const) : []),
    ...(isGone(agent) ? (["agents.delete"] as const) : []),
  ];
  return (
    <>
      {offered.map((name) => (
        <Button key={name} onClick={() => setAsked(name)}>
          {texts.agents.acts[name].verb}
        </Button>
      ))}
      {asked && <AskedAct agent={agent} name={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

/** With open commands the server refuses, and says so. */
function isGone({ status, token }: AgentDetail): boolean {
  return status === "OFFLINE" || (status === "ONLINE" && token === null);
}

interface AskedActProps {
  agent: AgentDetail;
  name: ActName;
  onClose: () => void;
}

function AskedAct({ agent: { id, code }, name, onClose }: AskedActProps) {
  const { verb, title, happens, done } = texts.agents.acts[name];
  const tell = useNotice();
  const navigate = useNavigate();
  const isLeaving = name === "agents.delete";
  const whenDone = () => {
    onClose();
    tell(done(code));
    if (isLeaving) void navigate("/agents", { replace: true });
  };
  const act = useAct(name, whenDone, isLeaving ? { leaving: true } : {});
  return (
    <Confirm
      title={title(code)}
      verb={verb}
      danger={name !== "agents.enable"}
      busy={act.isPending}
      error={act.error}
      onConfirm={() => act.mutate({ params: { agentId: id } })}
      onClose={onClose}
    >
      <ul className="agent-happens">
        {happens.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Confirm>
  );
}
