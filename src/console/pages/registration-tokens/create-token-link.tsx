// A link to the form for a new registration token. Only operators see it.

import { useMay } from "../../client/session.ts";
import { type ButtonKind, ButtonLink } from "../../components/buttons/button.tsx";
import { texts } from "../../texts/index.ts";

/** `filters` are the list's filters, which the link keeps. */
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
