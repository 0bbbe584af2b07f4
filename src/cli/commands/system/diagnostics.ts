import type { Invocation } from "../../command.ts";
import { asksNoServer } from "../../connecting/asks-no-server.ts";
import { printFactSheet } from "../../output/fact-sheet.ts";
import { isForPeople } from "../../output/output.ts";

export async function showDiagnostics({ io, options, client }: Invocation): Promise<void> {
  const api = await client();
  const diagnostics = await api.call("diagnostics.get");
  printFactSheet(io, options, diagnostics, diagnostics.service.version);
  if (asksNoServer(api) && isForPeople(options)) {
    io.note("\nProcess, queues and delays describe this command, because --db uses no server.\n");
  }
}
