// Starts a rollout: the form, then a preview, then a confirmation. The URL can contain the filters
// of the list of services, which then choose the rollout's services.

import { useSearchParams } from "react-router";
import { useCall } from "../../../client/queries.ts";
import { Failure } from "../../../components/failure.tsx";
import { Page } from "../../../components/page.tsx";
import { Loading } from "../../../lists/loaded.tsx";
import { nouns } from "../../../nouns/nouns.ts";
import { texts } from "../../../texts/index.ts";
import { isOnlyInList, useFound } from "./chosen-services.ts";
import { emptyDraft } from "./rollout-draft.ts";
import { RolloutForm } from "./rollout-form.tsx";
import "../rollouts.css";

const words = texts.rollouts.form;

export function Component() {
  const [filters] = useSearchParams();
  const given = (name: string) => filters.get(name) ?? "";
  const agentId = given("agentId");
  const found = useFound(filters);
  const agent = useCall("agents.get", { params: { agentId } }, { enabled: agentId !== "" });
  const needed = isOnlyInList(filters) ? found : agentId ? agent : null;
  const action = given("action");
  const isReady = needed === null || needed.data !== undefined;
  return (
    <Page
      title={words.title}
      lead={words.lead}
      parent={{ to: "/rollouts", text: nouns.rollouts.title }}
    >
      <Failure error={needed?.error} onRetry={() => void needed?.refetch()} />
      {!isReady && !needed?.error && <Loading />}
      {isReady && (
        <RolloutForm
          key={String(filters)}
          found={found.data ?? null}
          first={{
            ...emptyDraft,
            action,
            selector: given("selector"),
            status: given("status"),
            services: given("services"),
            agents: agent.data?.code ?? "",
          }}
        />
      )}
    </Page>
  );
}
