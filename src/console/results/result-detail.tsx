import type { ResultDetail as Detail } from "../../domain/results/structured-result.ts";
import { texts } from "../texts/index.ts";
import "../values/facts.css";
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
      {/* `Facts` is not used, because an agent can use a label twice. */}
      <dl className="facts">
        {fields.map((field) => (
          <div key={field.key}>
            <dt>{field.label}</dt>
            <dd>
              <ResultCell row={data} field={field} />
            </dd>
          </div>
        ))}
      </dl>
      {otherFields > 0 && (
        <p className="muted">{texts.results.otherFields({ many: otherFields })}</p>
      )}
      {offers && actions.length > 0 && (
        <OfferLinks offers={offers} actions={actions} nameOf={(index) => `detail-${index}`} />
      )}
    </div>
  );
}
