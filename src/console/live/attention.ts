// Counts the services that need attention, for the browser's tab. The count starts when a page
// reads the health map, and the live stream keeps it up to date, even in a background tab. The
// count never causes a read. It is unknown and not shown until the overview has been opened, and
// again after the stream was interrupted or an agent was deleted.

import type { EffectiveStatus } from "../../domain/fleet/services.ts";
import type { Reply } from "../client/call.ts";
import { queryClient } from "../client/queries.ts";
import { showInTab } from "../components/document-title.ts";
import { mapRoute } from "./live-map.ts";
import type { StreamMessage } from "./live-stream.ts";

const needing: readonly EffectiveStatus[] = ["UNHEALTHY", "STALE", "OFFLINE"];

export class Attention {
  #services: Set<string> | null = null;
  readonly #unsubscribe = queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== "updated" || event.action.type !== "success") return;
    if (event.query.queryKey[0] === mapRoute) this.#read(event.query.state.data);
  });

  note(message: StreamMessage): void {
    if (message.type === "service") {
      const { id, status, removedAt } = message.data;
      this.#set(id, removedAt ? "HEALTHY" : status);
    }
    if (message.type !== "audit") return;
    const { action, targetId } = message.data;
    if (action === "service.deleted" && targetId !== null) this.#set(targetId, "HEALTHY");
    // The agent's services are deleted with it, but no message names them.
    if (action === "agent.deleted") this.forget();
  }

  forget(): void {
    this.#services = null;
    this.#show();
  }

  close(): void {
    this.#unsubscribe();
    this.forget();
  }

  #read(map: Reply<"overview.health-map">): void {
    const services = map.agents.flatMap((agent) => agent.services);
    const ill = services.filter(({ status }) => needing.includes(status));
    this.#services = new Set(ill.map(({ id }) => id));
    this.#show();
  }

  #set(id: string, status: EffectiveStatus): void {
    if (this.#services === null) return;
    if (needing.includes(status)) this.#services.add(id);
    else this.#services.delete(id);
    this.#show();
  }

  #show(): void {
    showInTab({ attention: this.#services?.size ?? 0 });
  }
}
