// The names of the assets that scripts/package stores in the packaged file.

/** A part of the bundle. */
export const partAsset = (name: string) => `parts/${name}`;
/** V8's code cache for a part. It is absent if the file was packaged for another platform. */
export const codeCacheAsset = (name: string) => `code-cache/${name}`;
/** The name of the native module contains its digest and the path to unpack it to. */
export const nativeFolder = "native/";
export const nativeAsset = (sha256: string) => `${nativeFolder}${sha256}/better_sqlite3.node`;
