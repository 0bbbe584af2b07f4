// What a fix would do, in one line that changes with the form: the waves, and when the fix stops.

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Failing } from "../../../client/api-error.ts";
import { call, type Reply } from "../../../client/call.ts";
import { Button } from "../../../components/buttons/button.tsx";
import { Failure } from "../../../components/failure.tsx";
import { WarningList } from "../../../components/warning-list.tsx";
import { useSettledText } from "../../../fields/use-delayed-text.ts";
import { firstOf } from "../../../format/first-of.ts";
import { count } from "../../../format/number.ts";
import { sentences } from "../../../format/sentences.ts";
import { duration } from "../../../format/time.ts";
import { texts } from "../../../texts/index.ts";
import { LeftOutServices } from "../../rollouts/left-out.tsx";
import type { RolloutDraft, RolloutRequest } from "../../rollouts/new/rollout-draft.ts";

const words = texts.fix;

interface LivePreview {
  /** Undefined until the first preview has been read. */
  preview: Reply<"rollouts.preview"> | undefined;
  error: Failing | null;
}

/** `request` is null while the form is incomplete. */
export function useLivePreview(request: RolloutRequest | null): LivePreview {
  const text = useSettledText(request ? JSON.stringify(request) : "");
  const { data, error } = useQuery<Reply<"rollouts.preview">, Failing>({
    // Does not begin with the route's name: live/refresh.ts would repeat this slow call.
    queryKey: ["fix preview", text],
    queryFn: ({ signal }) => call("rollouts.preview", { body: JSON.parse(text) }, signal),
    placeholderData: keepPreviousData,
    enabled: text !== "",
    // The payload can contain secrets.
    gcTime: 0,
  });
  return { preview: data, error };
}

interface FixPreviewProps {
  live: LivePreview;
  draft: RolloutDraft;
  isChanging: boolean;
  onChange: (isChanging: boolean) => void;
}

export function FixPreview({ live, draft, isChanging, onChange }: FixPreviewProps) {
  const { preview, error } = live;
  return (
    <>
      <div className="row fix-rules">
        <p role="status">{preview ? textOf(preview, draft) : texts.words.loading}</p>
        <Button kind="quiet" aria-expanded={isChanging} onClick={() => onChange(!isChanging)}>
          {isChanging ? words.hideRules : words.changeRules}
        </Button>
      </div>
      <Failure error={error} />
      {preview && <WarningList warnings={preview.warnings} />}
      {preview && preview.leftOut.length > 0 && !isIncomplete(preview) && (
        <LeftOutServices leftOut={preview.leftOut} />
      )}
    </>
  );
}

/** Whether services are left out only because the form is incomplete, which its fields show. */
function isIncomplete({ total, leftOut }: Reply<"rollouts.preview">): boolean {
  return total === 0 && leftOut.every(({ code }) => code === "PAYLOAD_INVALID");
}

const mostWaves = 6;

function textOf(preview: Reply<"rollouts.preview">, draft: RolloutDraft): string {
  const { total, waves, maxFailures } = preview;
  if (total === 0) return isIncomplete(preview) ? words.incomplete : texts.rollouts.preview.none;
  const sizes = waves.map(({ services }) => count(services.length));
  return sentences([
    waves.length === 1
      ? words.oneWave({ total })
      : words.waves({ total, sizes: firstOf(sizes, mostWaves) }),
    texts.rollouts.preview.stops({ tolerated: maxFailures }),
    draft.healthGate &&
      words.healthy({ time: duration(Number(draft.healthTimeoutSeconds) * 1000) }),
  ]);
}
