// The services that a program has given to its agent, and the handle by which it goes on with each.

import { agentEndpoints } from "../../api/agent-endpoints.ts";
import { problemOfSchema } from "../../domain/payload/check.ts";
import type { JsonObject } from "../../domain/payload/json.ts";
import { AgentError } from "../connection/errors.ts";
import type {
  Publish,
  PublishOptions,
  PublishReceipt,
  ServiceEvent,
} from "../events/published-event.ts";
import { fixedPartOf } from "./service-report.ts";
import type { Action, Service } from "./services.ts";

/** A service of this agent. What is changed is in the next report; `reportNow` makes that one now. */
export interface ManagedService {
  readonly code: string;
  /**
   * Declares something that operators can have done. Answers this same service, so that calls can be
   * chained. Throws AgentError OPTIONS_INVALID when it is not valid, or there is one of that name.
   */
  action(action: Action): ManagedService;
  /** As `Agent.publish`, with this service as the source. */
  publish(event: ServiceEvent, options?: PublishOptions): Promise<PublishReceipt>;
  /** Reports it no more. The server keeps it, and shows it as STALE after a while. */
  remove(): void;
}

export class ManagedServices {
  readonly #services = new Map<string, Service>();

  /** All, as they are now; with their actions. */
  list(): Service[] {
    return [...this.#services.values()];
  }

  has(code: string): boolean {
    return this.#services.has(code);
  }

  /** Throws AgentError OPTIONS_INVALID. */
  add(service: Service, publish: Publish): ManagedService {
    const { code } = service;
    if (this.#services.has(code)) throw invalid(`there is a service ${code} already`);
    this.#put(service);
    const handle: ManagedService = {
      code,
      action: (action) => {
        const current = this.#services.get(code);
        if (!current) throw invalid(`the service ${code} was removed`);
        const { actions = [] } = current;
        this.#put({ ...current, actions: [...actions, action] });
        return handle;
      },
      publish: (event, options) => publish({ ...event, source: code }, options),
      remove: () => void this.#services.delete(code),
    };
    return handle;
  }

  #put(service: Service): void {
    checkService(service);
    this.#services.set(service.code, service);
  }
}

/**
 * By the server's own rules, as far as they can be known before anything is asked. Throws AgentError
 * OPTIONS_INVALID.
 */
export function checkService(service: Service): void {
  const report = { services: [fixedPartOf(service)] };
  const checked = agentEndpoints["agent.report"].body.safeParse(report);
  if (!checked.success) throw invalid(firstIssue(service, checked.error.issues));
  checkSchemas(service);
}

/** The server would refuse every payload, and the agent could not tell a wrong one. */
function checkSchemas({ code, actions = [] }: Service): void {
  for (const [index, { inputSchema }] of actions.entries()) {
    const problem = inputSchema ? problemOfSchema(inputSchema as JsonObject) : null;
    if (problem === null) continue;
    throw invalid(`service ${code}: actions.${index}.inputSchema: cannot be used: ${problem}`);
  }
}

function firstIssue({ code }: Service, issues: { path: PropertyKey[]; message: string }[]): string {
  const [issue] = issues;
  // Behind `services.0`.
  const path = issue?.path.slice(2).join(".") ?? "";
  return `service ${code}: ${path === "" ? "" : `${path}: `}${issue?.message ?? "is not valid"}`;
}

function invalid(what: string): AgentError {
  return new AgentError("OPTIONS_INVALID", `The service cannot be managed: ${what}.`);
}
