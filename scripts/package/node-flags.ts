/**
 * The flags of Node.js in the packaged file, as in bin/launch.sh. A flag that V8 includes in the key
 * of a code cache would make it reject all of them.
 */
export const nodeFlags = ["--disable-sigusr1", "--max-semi-space-size=8"];
