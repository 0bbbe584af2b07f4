import type { ResultDetail as Detail } from "../../domain/results/structured-result.ts";
import { texts } from "../texts/index.ts";
import { Facts } from "../values/facts.tsx";
import { OfferLinks, type Offers } from "./offers.tsx";
import { ResultCell } from "./result-cell.tsx";

interface ResultDetailProps {
  detail: Detail;
  offers: Offers | null;
}

export function ResultDetail({ detail, offers }: ResultDetailProps) {
  const { title, fields, otherFields, data, actions } = detail;
  return (
    <div className="stack result-detail">
      {title && <h3>{title}</h3>}
      <Facts
        facts={fields.map((field) => [
          field.label,
          <ResultCell key={field.key} row={data} field={field} />,
        ])}
      />
      {otherFields > 0 && (
        <p className="muted">{texts.results.otherFields({ many: otherFields })}</p>
      )}
      {offers && actions.length > 0 && (
        <OfferLinks offers={offers} actions={actions} nameOf={(index) => `detail-${index}`} />
      )}
    </div>
  );
}
