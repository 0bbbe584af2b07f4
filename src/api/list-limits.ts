// How far back pages of long lists reach, for the console. A file of its own: nothing else comes with it.

export { maxRowsCounted } from "../domain/limits.ts";
