// The names under which scripts/package stores assets in the packaged file, besides the project's
// own files.

/** The name of a part of the bundle. */
export const partAsset = (name: string) => `parts/${name}`;
/**
 * The name of V8's code cache for a part. The cache is absent if the file was packaged for another
 * platform.
 */
export const codeCacheAsset = (name: string) => `code-cache/${name}`;
/** The prefix for the native module. Its name contains its digest and the path to unpack it to. */
export const nativeFolder = "native/";
export const nativeAsset = (sha256: string) => `${nativeFolder}${sha256}/better_sqlite3.node`;
