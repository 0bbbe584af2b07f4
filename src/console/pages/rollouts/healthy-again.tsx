// Shown after a fix from the overview: how many services are healthy again, and a link back.

import { ArrowLeft } from "lucide-react";
import { Link, useSearchParams } from "react-router";
import { texts } from "../../texts/index.ts";
import { isMoving, type Rollout } from "./rollout.ts";

const words = texts.fix;

/** A rollout with `healthTimeoutSeconds` counts a target as succeeded only if it became healthy. */
export function HealthyAgain({ rollout }: { rollout: Rollout }) {
  const [query] = useSearchParams();
  const { targets, total, leftOut, healthTimeoutSeconds } = rollout;
  if (!query.has("fix") || healthTimeoutSeconds === null) return null;
  const all = total + (leftOut?.total ?? 0);
  const tone = targets.SUCCEEDED === all ? "good" : isMoving(rollout) ? "busy" : "bad";
  return (
    <section className={`card healthy-again tone-${tone}`} aria-label={words.health}>
      <p role="status">{words.healthyAgain({ many: targets.SUCCEEDED, all })}</p>
      <progress aria-label={words.health} value={targets.SUCCEEDED} max={all} />
      <Link to="/">
        <ArrowLeft aria-hidden="true" /> {words.back}
      </Link>
    </section>
  );
}
