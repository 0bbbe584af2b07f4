// How the pages of a replay are added up: the same for all who ask page by page.

export { addSummary, emptySummary, type ReplaySummary } from "../../domain/bus/replays.ts";
