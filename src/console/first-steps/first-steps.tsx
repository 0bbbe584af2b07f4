// The steps on a new installation. A tick marks each step that is done. The steps are shown until
// the first action has run, or until the user hides them.

import { Circle, CircleCheck, X } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { useMay } from "../client/session.ts";
import { ButtonLink, IconButton } from "../components/buttons/button.tsx";
import { DocsLink } from "../components/docs-link.tsx";
import { LoadingMark } from "../lists/loaded.tsx";
import { CreateTokenLink } from "../pages/registration-tokens/create-token-link.tsx";
import { texts } from "../texts/index.ts";
import { firstSteps, type StepKey, useSteps } from "./use-steps.ts";
import "./first-steps.css";

const words = texts.firstSteps;

/** Shows `otherwise` if the steps are not shown. */
export function FirstSteps({ otherwise = null }: { otherwise?: ReactNode }) {
  return firstSteps.use() === "hidden" ? otherwise : <Asked otherwise={otherwise} />;
}

function Asked({ otherwise }: { otherwise: ReactNode }) {
  const { steps, isPending, wasDoneBefore } = useSteps();
  const mayAct = useMay("operator");
  useEffect(() => {
    if (wasDoneBefore) firstSteps.set("hidden");
  }, [wasDoneBefore]);
  if (isPending) return <LoadingMark />;
  if (steps === null || wasDoneBefore) return otherwise;
  const open = steps.find(({ isDone }) => !isDone);
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <section className="card first-steps" aria-label={words.title}>
      <header className="row">
        <h2>{words.title}</h2>
        <span className="muted small" role="status">
          {words.progress({ done, all: steps.length })}
        </span>
        <IconButton
          label={words.hide}
          icon={<X aria-hidden="true" />}
          onClick={() => firstSteps.set("hidden")}
        />
      </header>
      <ol className="plain">
        {steps.map(({ key, isDone }) => (
          <li key={key} className={isDone ? "row muted" : "row"}>
            {isDone ? (
              <CircleCheck className="first-steps-done" aria-label={words.done} />
            ) : (
              <Circle aria-label={words.toDo} />
            )}
            <span className="first-steps-text">{words.steps[key]}</span>
            {key === open?.key && mayAct && ways[key]}
          </li>
        ))}
      </ol>
      {!mayAct && <p className="muted small">{words.viewer}</p>}
    </section>
  );
}

/** A button or link for each step. The page shows only that of the next step. */
const ways: Readonly<Record<StepKey, ReactNode>> = {
  token: <CreateTokenLink kind="primary" />,
  agent: <DocsLink to="enrol">{words.ways.agent}</DocsLink>,
  service: <DocsLink to="sidecar">{words.ways.service}</DocsLink>,
  action: (
    <ButtonLink kind="primary" to="/services">
      {words.ways.action}
    </ButtonLink>
  ),
  password: <ButtonLink to="/account">{texts.account.title}</ButtonLink>,
};
