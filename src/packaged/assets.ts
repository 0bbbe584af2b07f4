// Names of the assets inside the packaged file, besides the project's own files. scripts/package
// stores them under these names.

/** A part of the bundle. */
export const partAsset = (name: string) => `parts/${name}`;
/** V8's code cache of the part. Absent if the file was packaged for another platform. */
export const codeCacheAsset = (name: string) => `code-cache/${name}`;
/** The native module. The name contains its digest and the path to unpack it to. */
export const nativeFolder = "native/";
export const nativeAsset = (sha256: string) => `${nativeFolder}${sha256}/better_sqlite3.node`;
