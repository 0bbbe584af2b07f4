// Connects the parts of an agent, without contacting the server.

import { counted } from "../lib/counted.ts";
import { orAborted } from "../lib/time-limit.ts";
import type { AgentContext } from "./agent-context.ts";
import { CallSchedule } from "./connection/call-schedule.ts";
import { Connection } from "./connection/connection.ts";
import { createHeartbeats } from "./connection/heartbeats.ts";
import { createRegistration } from "./connection/registration.ts";
import { fileTokenStore, type TokenStore } from "./connection/token-store.ts";
import { createPublisher } from "./events/publisher.ts";
import type { ManagedServices } from "./services/managed-services.ts";
import { createRefusedServices } from "./services/refused-services.ts";
import { createReporter } from "./services/reporter.ts";
import { type StateFolder, takeStateFolder } from "./state-folder.ts";
import { emitJournalFailed, Journal } from "./work/journal.ts";
import { createOutbox } from "./work/outbox.ts";
import { createOutputs } from "./work/output/outputs.ts";
import { createWork } from "./work/work.ts";

export type Parts = Awaited<ReturnType<typeof assemble>>;

/**
 * `stopping` is aborted when the agent begins to stop. Throws AgentError STATE_IN_USE or
 * STATE_UNUSABLE.
 */
export async function assemble(
  context: AgentContext,
  services: ManagedServices,
  stopping: AbortSignal,
) {
  const { settings, emit } = context;
  const folder = takeStateFolder(settings.stateDir);
  const tokens = settings.tokenStore ?? fileTokenStore(folder.tokenFile);
  const journal = await openJournal(context, folder, tokens);
  const registration = createRegistration(context, tokens, () =>
    // After a failure, the journal's next write includes the registration.
    journal.registered().catch(() => undefined),
  );
  const connection = new Connection(context, registration);
  const rounds = new CallSchedule();
  const onCancelled = (ids: readonly string[]) => void work.cancel(ids);
  const heartbeats = createHeartbeats(context, connection, rounds.add(), onCancelled);
  const refused = createRefusedServices(settings.agent.code, emit);
  const reporter = createReporter(
    context,
    services,
    connection,
    rounds.add(),
    refused,
    heartbeats.reportSeconds,
  );
  const publisher = createPublisher(connection, reporter, services, refused, emit);
  const outbox = createOutbox(connection, journal, emit);
  const work = createWork({
    journal,
    outbox,
    emit,
    concurrency: settings.concurrency,
    clock: connection.clock,
    refreshClock: (signal) => heartbeats.refreshClock(signal),
    sharing: heartbeats.sharing,
    services: () => services.list(),
    openOutput: createOutputs(connection, emit, stopping, context.stopSignal),
  });
  /** Call this only when every part has finished. */
  const close = async () => {
    reporter.end();
    try {
      await connection.close();
    } finally {
      await journal.close().catch((error: unknown) => emitJournalFailed(emit, error));
      folder.release();
    }
  };
  return { connection, rounds, heartbeats, reporter, outbox, publisher, work, close };
}

async function openJournal(
  { emit, stopSignal }: AgentContext,
  folder: StateFolder,
  tokens: TokenStore,
): Promise<Journal> {
  try {
    const isNew = (await orAborted(tokens.read(), stopSignal)) === null;
    const journal = await Journal.open(folder.journalFile, { isNew });
    const { damagedLines: lines, wasLost } = journal;
    const message = `Could not read ${counted(lines, "line")} of ${folder.journalFile}. ${caution}`;
    if (lines > 0) emit("warn", message, { type: "journal.repaired", lines });
    const lost = `The agent is registered, but ${folder.journalFile} is missing or empty. ${caution}`;
    if (wasLost) emit("warn", lost, { type: "journal.lost" });
    return journal;
  } catch (error) {
    folder.release();
    throw error;
  }
}

const caution =
  "No command that was delivered before runs again. For 24 hours, a command that is lost on its " +
  "way to the agent is not delivered again either.";
