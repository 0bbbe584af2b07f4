/**
 * The flags of Node.js in the packaged file, as in bin/launch.sh. V8 includes some flags in the key
 * of a code cache; with such a flag here, it would reject all caches.
 */
export const nodeFlags = ["--disable-sigusr1", "--max-semi-space-size=8"];
