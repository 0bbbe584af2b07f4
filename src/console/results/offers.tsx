// The links to the actions that a result offers. Each URL names the command and the offer, so that
// the action's page can fill in the form from the result, and the browser stores nothing.

import type { OfferName } from "../../domain/results/offers.ts";
import type { NextAction, StructuredResult } from "../../domain/results/structured-result.ts";
import type { Reply } from "../client/call.ts";
import { useCall } from "../client/queries.ts";
import { useMay } from "../client/session.ts";
import { Button, ButtonLink } from "../components/buttons/button.tsx";
import { actionPath } from "../nouns/addresses.ts";
import { texts } from "../texts/index.ts";

export interface OfferedBy {
  serviceId: string;
  commandId: string;
}

export interface Offers {
  by: OfferedBy;
  /** The actions that the service declares now. */
  declared: Reply<"services.get">["actions"];
}

/** Null if the user cannot run actions, nothing is offered, or the service is still being read. */
export function useOffers(
  result: StructuredResult | null,
  by: OfferedBy | undefined,
): Offers | null {
  const mayRun = useMay("operator");
  const { list, detail } = result ?? {};
  const offered = [list?.rowActions, list?.pageActions, detail?.actions];
  const enabled = mayRun && by !== undefined && offered.some((some) => some && some.length > 0);
  const params = { serviceId: by?.serviceId ?? "" };
  const { data: service } = useCall("services.get", { params }, { enabled });
  return enabled && service ? { by, declared: service.actions } : null;
}

interface OfferLinksProps {
  offers: Offers;
  actions: readonly NextAction[];
  nameOf: (index: number) => OfferName;
  /** The subject of the actions, for screen readers. */
  about?: string;
}

export function OfferLinks({ offers, actions, nameOf, about }: OfferLinksProps) {
  return (
    <div className="row result-actions">
      {actions.map((next, index) => {
        const name = nameOf(index);
        return <OfferLink key={name} {...{ offers, next, name, about }} />;
      })}
    </div>
  );
}

interface OfferLinkProps {
  offers: Offers;
  next: NextAction;
  name: OfferName;
  about: string | undefined;
}

function OfferLink({ offers: { by, declared }, next, name, about }: OfferLinkProps) {
  const action = declared.find((one) => one.name === next.action);
  if (!action) {
    return (
      <Button disabled title={texts.results.undeclared({ action: next.action })}>
        {next.label}
      </Button>
    );
  }
  const query = new URLSearchParams({ from: by.commandId, offer: name });
  return (
    <ButtonLink
      to={`${actionPath(by.serviceId, next.action)}?${query}`}
      data-danger={next.danger || action.dangerLevel === "HIGH" || undefined}
      aria-label={about ? `${next.label}${texts.words.colon}${about}` : undefined}
    >
      {next.label}
    </ButtonLink>
  );
}
