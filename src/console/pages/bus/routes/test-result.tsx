// The result of a test: each condition, and the command that would be created, if any.

import { Check, X } from "lucide-react";
import type { Reply } from "../../../client/call.ts";
import { Button } from "../../../components/buttons/button.tsx";
import { duration } from "../../../format/time.ts";
import { AgentLink, ServiceLink } from "../../../nouns/owner-links.tsx";
import { texts } from "../../../texts/index.ts";
import { Facts } from "../../../values/facts.tsx";
import { JsonView } from "../../../values/json-view.tsx";
import type { RouteState } from "./route-draft.ts";

type Result = Reply<"bus-routes.test-draft">;

const words = texts.busRoutes.test;

interface TestResultProps {
  result: Result;
  /** The state of the route that was tested. */
  state: RouteState;
  onEdit: (event: Result["event"]) => void;
}

export function TestResult({ result, state, onEdit }: TestResultProps) {
  const { clauses, outcome, reason, command, event } = result;
  return (
    <section className="bus-result" role="status" aria-label={words.result}>
      <p className="bus-verdict">{words.verdicts[outcome ?? "none"]}</p>
      {reason !== null && <p>{reason}</p>}
      {outcome !== null && state === "DISABLED" && <p className="muted">{words.ifEnabled}</p>}
      <ul className="verdicts stack plain">
        {clauses.map((clause) => (
          <Clause key={`${clause.clause} ${clause.pointer ?? ""}`} {...clause} />
        ))}
      </ul>
      {command && <CommandFacts command={command} />}
      <details>
        <summary>{words.tested}</summary>
        <JsonView value={event} label={words.tested} />
        <Button onClick={() => onEdit(event)}>{words.edit}</Button>
      </details>
    </section>
  );
}

function Clause({ clause, pointer, expected, actual, matched }: Result["clauses"][number]) {
  return (
    <li className={matched ? "tone-good" : "tone-bad"}>
      {matched ? <Check aria-hidden="true" /> : <X aria-hidden="true" />}
      <span>
        <strong>{words.clauses[clause]}</strong> {pointer !== undefined && <code>{pointer}</code>}{" "}
        <span className="verdict-word">{matched ? words.matches : words.matchesNot}</span>
        {texts.words.colon}
        {words.clause.expected} <code>{JSON.stringify(expected)}</code>
        {texts.words.comma}
        {words.clause.actual}{" "}
        {actual === undefined ? words.clause.nothing : <code>{JSON.stringify(actual)}</code>}
      </span>
    </li>
  );
}

function CommandFacts({ command }: { command: NonNullable<Result["command"]> }) {
  return (
    <>
      <h3>{words.command}</h3>
      <Facts
        facts={[
          [texts.words.service, <ServiceLink key="service" of={command} />],
          [texts.words.action, command.action],
          [texts.words.agent, <AgentLink key="agent" of={command} />],
          [words.timeout, duration(command.timeoutSeconds * 1000)],
        ]}
      />
      <JsonView value={command.payload} label={texts.words.payload} />
    </>
  );
}
