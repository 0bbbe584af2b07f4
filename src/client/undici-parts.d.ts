// The types of the parts of undici that undici.ts imports. The package has types only for its main
// module.

declare module "undici/lib/dispatcher/agent.js" {
  import { Agent } from "undici";

  export = Agent;
}

declare module "undici/lib/api/api-request.js" {
  import type { Dispatcher } from "undici";

  function request(
    this: Dispatcher,
    options: Dispatcher.RequestOptions,
  ): Promise<Dispatcher.ResponseData>;

  export = request;
}
