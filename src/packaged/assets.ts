// The names of what lies inside the packaged file beside the files of the project: scripts/package puts it
// there under them, and this room reads it.

/** A part of the bundle. */
export const partAsset = (name: string) => `parts/${name}`;
/** What V8 made of the part when it was packaged; absent for another platform than that of the build. */
export const codeCacheAsset = (name: string) => `code-cache/${name}`;
/** The native module: its name says what is in it, and where it goes. */
export const nativeFolder = "native/";
export const nativeAsset = (sha256: string) => `${nativeFolder}${sha256}/better_sqlite3.node`;
