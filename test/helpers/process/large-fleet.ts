// 23 agents with 2,001 services.

import { createToken } from "./operator.ts";
import { type RemoteAgent, registerAgent, type Server } from "./process.ts";

const agents = 23;
const servicesPerAgent = 87;

export interface Host extends RemoteAgent {
  codes: string[];
}

export async function registerHosts(server: Server, actions: object[] = []): Promise<Host[]> {
  const hosts: Host[] = [];
  for (let n = 0; n < agents; n++) {
    const codes = Array.from({ length: servicesPerAgent }, (_, at) => `web-${n}-${at}`);
    const services = codes.map((code) => ({
      ...{ code, name: code, version: "1", healthStatus: "UP", actions },
    }));
    const agent = await registerAgent(server.url, await createToken(server), `host-${n}`, services);
    hosts.push({ ...agent, codes });
  }
  return hosts;
}
