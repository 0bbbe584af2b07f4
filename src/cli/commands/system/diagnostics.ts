import type { Invocation } from "../../command.ts";
import { asksNoServer } from "../../connecting/asks-no-server.ts";
import { printFactSheet } from "../../output/fact-sheet.ts";
import { isForPeople, type OutputOptions } from "../../output/output.ts";

export async function showDiagnostics({ io, options, client }: Invocation): Promise<void> {
  const api = await client();
  const diagnostics = await api.call("diagnostics.get");
  printFactSheet(io, options as OutputOptions, diagnostics, diagnostics.service.version);
  if (asksNoServer(api) && isForPeople(options as OutputOptions)) {
    io.note("\nProcess, queues and delays describe this command, because --db uses no server.\n");
  }
}
