// A link for operators to the page of registration tokens, which opens with the form for a new
// token.

import { useMay } from "../../client/session.ts";
import { type ButtonKind, ButtonLink } from "../../components/button.tsx";
import { texts } from "../../texts/index.ts";

/** Returns the path of the form. `filters` are the filters that the page keeps. */
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
