// Labels, each with a link to everything that has it.

import { Link } from "react-router";
import { formatSelector } from "../../domain/fleet/selectors.ts";
import { softBreaks } from "../components/text/soft-breaks.tsx";
import "./label-links.css";

interface LabelLinksProps {
  labels: Readonly<Record<string, string>>;
  /** The list to open. */
  to: "agents" | "services";
}

/** Returns null if there are no labels. */
export function labelLinks({ labels, to }: LabelLinksProps) {
  const all = Object.entries(labels);
  if (all.length === 0) return null;
  return (
    <ul className="row label-links plain">
      {all.map(([key, value]) => (
        <li key={key}>
          <LabelLink label={{ key, value }} to={to} />
        </li>
      ))}
    </ul>
  );
}

interface LabelLinkProps {
  label: { key: string; value: string };
  to: LabelLinksProps["to"];
}

export function LabelLink({ label: { key, value }, to }: LabelLinkProps) {
  const selector = formatSelector([{ key, operator: "in", values: [value] }]);
  return (
    <Link to={`/${to}?${new URLSearchParams({ selector })}`}>{softBreaks(`${key}=${value}`)}</Link>
  );
}
