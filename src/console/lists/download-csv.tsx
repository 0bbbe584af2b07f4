// Saves all rows of a list as a file. An error is shown in the page, and nothing is saved.

import { Download } from "lucide-react";
import { useEffect, useRef } from "react";
import { exportNameOf } from "../../api/contract/export-names.ts";
import { Unreachable } from "../client/api-error.ts";
import { callResponse, fileNameOf } from "../client/call.ts";
import { saveFile } from "../client/save-file.ts";
import { useSingleMutation } from "../client/use-single-mutation.ts";
import { Button } from "../components/buttons/button.tsx";
import { Alert, Failure } from "../components/failure.tsx";
import { texts } from "../texts/index.ts";

export interface CsvOf {
  /** The list's route: `agents.list`. */
  list: string;
  params?: object;
  /** Filters and order, without a page number. */
  query?: object;
}

const words = texts.csv;

export function DownloadCsv(csv: CsvOf) {
  const leaving = useRef<AbortController>(null);
  useEffect(() => () => leaving.current?.abort(), []);
  const { mutate, error, isPending } = useSingleMutation({
    mutationFn: () => {
      leaving.current = new AbortController();
      return saveCsv(csv, leaving.current.signal);
    },
  });
  const wasCutOff = error instanceof Unreachable;
  return (
    <>
      <Button icon={<Download />} busy={isPending} onClick={() => mutate()}>
        {words.download}
      </Button>
      {wasCutOff ? <Alert text={words.cutOff} /> : <Failure error={isPending ? null : error} />}
    </>
  );
}

async function saveCsv({ list, params, query }: CsvOf, signal: AbortSignal): Promise<void> {
  const route = exportNameOf(list) as "agents.export";
  const response = await callResponse(route, { params, query } as object, signal);
  const blob = await response.blob().catch((cause: unknown) => {
    signal.throwIfAborted();
    throw new Unreachable(cause);
  });
  saveFile(blob, fileNameOf(response) ?? "list.csv");
}
