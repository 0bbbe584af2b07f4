// What to do in the first minute, while there is no agent.

import { useMay } from "../../client/session.ts";
import { ButtonLink } from "../../components/button.tsx";
import { texts } from "../../texts/index.ts";
import { newTokenAddress } from "../registration-tokens/addresses.ts";

export function FirstSteps() {
  const mayCreate = useMay("operator");
  const { title, text, steps, viewer } = texts.overview.begin;
  return (
    <section className="card overview-begin">
      <h2>{title}</h2>
      <p>{text}</p>
      <ol>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {mayCreate ? (
        <ButtonLink kind="primary" to={newTokenAddress}>
          {texts.registrationTokens.create}
        </ButtonLink>
      ) : (
        <p className="muted">{viewer}</p>
      )}
    </section>
  );
}
