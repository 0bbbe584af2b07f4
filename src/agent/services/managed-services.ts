import { agentEndpoints } from "../../api/agent-endpoints.ts";
import { withIssueWords } from "../../api/contract/issue-words.ts";
import { problemOfSchema } from "../../domain/payload/check.ts";
import type { JsonObject } from "../../domain/payload/json.ts";
import { AgentError } from "../connection/errors.ts";
import type {
  Publish,
  PublishOptions,
  PublishReceipt,
  ServiceEvent,
} from "../events/published-event.ts";
import type { InputSchema, PayloadOf } from "./payload-of.ts";
import { fixedPartOf } from "./service-report.ts";
import type { Action, Service } from "./services.ts";

type ActionWith<Schema, Payload> = Omit<Action<Payload>, "inputSchema"> & {
  inputSchema?: Schema | undefined;
};

/** One of the agent's services. The next report includes changes. */
export interface ManagedService {
  readonly code: string;
  /**
   * Adds an action and returns this service, for chaining. Throws AgentError OPTIONS_INVALID if the
   * action is invalid or the service already has an action with this name.
   *
   * The type of the payload is what `inputSchema` describes, as far as PayloadOf understands it, or
   * the given type: `action<{ title: string }>(…)`.
   */
  action<Payload extends object = never, const Schema extends InputSchema = InputSchema>(
    action: ActionWith<Schema, [Payload] extends [never] ? PayloadOf<Schema> : Payload>,
  ): ManagedService;
  /** Like `Agent.publish`, with this service as the source. */
  publish(event: ServiceEvent, options?: PublishOptions): Promise<PublishReceipt>;
  /**
   * Stops reporting the service. The server keeps it and shows it as STALE after a while or, with
   * the option `completeReports`, as removed.
   */
  remove(): void;
}

interface Added {
  service: Service;
  handle: ManagedService;
}

export class ManagedServices {
  readonly #services = new Map<string, Added>();

  list(): Service[] {
    return [...this.#services.values()].map(({ service }) => service);
  }

  has(code: string): boolean {
    return this.#services.has(code);
  }

  add(service: Service, publish: Publish): ManagedService {
    const { code } = service;
    if (this.#services.has(code)) throw invalid(`a service with the code ${code} already exists`);
    /** A later service with this code has another handle. */
    const current = () => {
      const added = this.#services.get(code);
      return added?.handle === handle ? added.service : null;
    };
    const put = (described: Service) => {
      checkService(described);
      this.#services.set(code, { service: described, handle });
    };
    const handle: ManagedService = {
      code,
      action: (action) => {
        const described = current();
        if (!described) throw invalid(`the service ${code} was removed`);
        put({ ...described, actions: [...(described.actions ?? []), action as Action] });
        return handle;
      },
      publish: (event, options) => publish({ ...event, source: code }, options),
      remove: () => {
        if (current()) this.#services.delete(code);
      },
    };
    put(service);
    return handle;
  }
}

/** Applies the server's rules as far as possible before a report. Throws OPTIONS_INVALID. */
export function checkService(service: Service): void {
  const report = { services: [fixedPartOf(service)] };
  const checked = agentEndpoints["agent.report"].body.safeParse(report, withIssueWords);
  if (!checked.success) throw invalid(firstIssue(service, checked.error.issues));
  checkSchemas(service);
}

/** If a schema is unusable, the server would refuse every payload. */
function checkSchemas({ code, actions = [] }: Service): void {
  for (const [index, { inputSchema }] of actions.entries()) {
    const problem = inputSchema ? problemOfSchema(inputSchema as JsonObject) : null;
    if (problem === null) continue;
    throw invalid(`service ${code}: actions.${index}.inputSchema: is unusable: ${problem}`);
  }
}

function firstIssue({ code }: Service, issues: { path: PropertyKey[]; message: string }[]): string {
  const [issue] = issues;
  const path = issue?.path.slice(2).join(".") ?? "";
  return `service ${code}: ${path === "" ? "" : `${path}: `}${issue?.message ?? "is not valid"}`;
}

function invalid(what: string): AgentError {
  return new AgentError("OPTIONS_INVALID", `Cannot add the service: ${what}.`);
}
