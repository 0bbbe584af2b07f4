// Labels, each with a link to everything that has it.

import { Link } from "react-router";
import { formatSelector } from "../../domain/selectors.ts";
import "./label-links.css";

interface LabelLinksProps {
  labels: Readonly<Record<string, string>>;
  /** The list to open. */
  to: "agents" | "services";
}

/** Returns nothing for no labels. */
export function labelLinks({ labels, to }: LabelLinksProps) {
  const all = Object.entries(labels);
  if (all.length === 0) return null;
  return (
    <ul className="row label-links plain">
      {all.map(([key, value]) => {
        const selector = formatSelector([{ key, operator: "in", values: [value] }]);
        return (
          <li key={key}>
            <Link to={`/${to}?${new URLSearchParams({ selector })}`}>
              {key}={value}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
