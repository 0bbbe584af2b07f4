// Leads operators to the page of registration tokens, with the form for a new one open.

import { useMay } from "../../client/session.ts";
import { type ButtonKind, ButtonLink } from "../../components/button.tsx";
import { texts } from "../../texts/index.ts";

/** `filters` are those that the page keeps. */
export function CreateTokenLink(props: { kind?: ButtonKind; filters?: URLSearchParams }) {
  const { kind = "plain", filters = [] } = props;
  if (!useMay("operator")) return null;
  const query = new URLSearchParams([...filters, ["new", "1"]]);
  return (
    <ButtonLink kind={kind} to={`/registration-tokens?${query}`}>
      {texts.registrationTokens.create}
    </ButtonLink>
  );
}
