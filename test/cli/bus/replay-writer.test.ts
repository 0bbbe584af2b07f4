import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { type ReplayedEvent, replayWriter } from "../../../src/cli/commands/bus/replay-writer.ts";
import { loadYaml } from "../../../src/cli/output/yaml.ts";
import type { Io } from "../../../src/cli/terminal/io.ts";
import { emptySummary } from "../../../src/domain/bus/replays.ts";
import { size } from "../../helpers/size.ts";

beforeAll(loadYaml);

/** Only tables use the Io. */
const noIo = {} as Io;
const end = { summary: emptySummary(false), oldestEventAt: null };

function eventOf(text: string): ReplayedEvent {
  return {
    eventId: "bev_1",
    type: "log.full",
    source: "log-collector",
    receivedAt: "2026-01-02T03:04:05.678Z",
    matched: true,
    outcome: "FAILED",
    reason: text,
    payload: { [text]: [text] },
    recorded: null,
  };
}

const words = [...'a \n\r\t\u2028\u2029\u0085#"', "- ", ": ", "word "];
/**
 * Each text begins with a letter, because the YAML library cannot read every blank text that it
 * writes.
 */
const text = fc
  .array(fc.constantFrom(...words), { maxLength: 60 })
  .map((all) => `a${all.join("")}`);
const pages = fc.array(fc.array(text.map(eventOf), { maxLength: 3 }), { maxLength: 3 });

test.each([
  { output: "json" as const, read: (text: string) => JSON.parse(text) },
  { output: "yaml" as const, read: (text: string) => parse(text) },
])("a replay of any number of pages in $output can be parsed back", ({ output, read }) => {
  const isKept = fc.property(pages, (all) => {
    const writer = replayWriter(noIo, { output }, false);
    const whole = all.map((events) => writer.events(events)).join("") + writer.end(end);
    expect(read(whole)).toEqual({ events: all.flat(), ...end });
  });
  const examples: [ReplayedEvent[][]][] = [
    [[]],
    [[[], [eventOf("a\u2028b")], [eventOf("a\n\nb\u2029c")]]],
  ];
  fc.assert(isKept, { numRuns: size(30, 200), examples });
});
