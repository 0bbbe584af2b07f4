// What each error code of the command line itself means, why it occurs and what to do.

import type { ErrorCode } from "../errors.ts";
import type { Guide, OutcomeCode } from "./error-guide.ts";

/** With the exit status that the command line usually has with the code. */
export const commandLineGuide = {
  USAGE: {
    exitStatus: 2,
    meaning: "The command line is not valid. A command, a flag or a value is wrong or missing.",
    causes: [
      "A flag is mistyped, or comes before the command.",
      "A value is missing, and the command cannot ask for it because there is no terminal, or " +
        "because standard input is used for other input.",
    ],
    remedy: "To read the usage, add `--help` to the command.",
  },
  UNREACHABLE: {
    exitStatus: 6,
    meaning: "The server did not respond, or its certificate is not trusted.",
    causes: [
      "The server is down, or the URL, the port or the proxy is wrong.",
      "The server's certificate was issued by a private certificate authority, or is self-signed.",
    ],
    remedy:
      "Check the URL in the message, and check that `platform serve` is running there. If the certificate is not " +
      "trusted, pass the certificate authority's certificate in `--ca-file`. On the server's host, you can use `--db` " +
      "while the server is down.",
  },
  AMBIGUOUS: {
    exitStatus: 5,
    meaning: "The name or partial id matches more than one object. Nothing was done.",
    causes: ["Two objects have the same name, or the partial id is too short."],
    remedy: "Run the command again with one of the ids that the message lists.",
  },
  NOT_CONFIRMED: {
    exitStatus: 5,
    meaning: "You did not confirm the change. Nothing was done.",
    causes: ["You answered no to the question."],
    remedy: "Run the command again and confirm, or add `--yes`.",
  },
  INTERRUPTED: {
    exitStatus: 130,
    meaning: "The command was interrupted.",
    causes: ["Ctrl-C was pressed, or a signal ended the program."],
    remedy:
      "Commands that the server has already accepted continue to run. `platformctl commands list` shows them.",
  },
  CONTEXT_NOT_FOUND: {
    exitStatus: 3,
    meaning: "There is no context with this name.",
    causes: [
      "The name in `--context` or `PLATFORM_CONTEXT` is mistyped, or you have not signed in yet.",
    ],
    remedy:
      "List the contexts with `platformctl context list`, or sign in with `platformctl login`.",
  },
  CONTEXT_TAKEN: {
    exitStatus: 5,
    meaning: "This name already belongs to a context for another server.",
    causes: [
      "You signed in to another server, or with another URL of the same server, and `contexts.json` already has a context with this name.",
    ],
    remedy:
      "Choose another name with `--name`, or delete the old context with `platformctl context delete NAME`.",
  },
  CONTEXTS_UNUSABLE: {
    exitStatus: 1,
    meaning: "The file that contains the contexts cannot be read or written.",
    causes: ["The file is damaged, or belongs to another user."],
    remedy:
      "Correct or delete the file `contexts.json`, whose path is in the message. Then sign in again.",
  },
  PREPARE_PENDING: {
    exitStatus: 8,
    meaning: "The agent did not prepare the action within `--timeout`. Nothing was run.",
    causes: ["The agent is slow or has just gone offline."],
    remedy:
      "Increase `--timeout`, or give the whole payload with `--payload`. The action is then prepared only if you also " +
      "pass `--if-unchanged`.",
  },
  FILE_EXISTS: {
    exitStatus: 5,
    meaning: "The file to be written already exists.",
    causes: ["An earlier run of the command wrote the file."],
    remedy: "Name another file, or add `--force` if the command has this flag.",
  },
  FILE_NOT_WRITTEN: {
    exitStatus: 1,
    meaning: "A file could not be written.",
    causes: [
      "The folder does not exist, the disk is full, or you have no permission to write to the folder.",
    ],
    remedy: "Fix the cause that the message names, and run the command again.",
  },
  DATABASE_IN_USE: {
    exitStatus: 5,
    meaning:
      "The command needs exclusive access to the database, but another program has the database open.",
    causes: ["The server is still running."],
    remedy: "Stop the server and any other program that has the database open.",
  },
  NOT_OWNER: {
    exitStatus: 4,
    meaning:
      "The command does not run as root if another user can change a folder on the path to the database, because " +
      "that user could put links there for root to follow.",
    causes: [
      "The command was run with `sudo`, and the folder belongs to another user.",
      "The folder belongs to root, but others can write to it.",
    ],
    remedy:
      "Run the command as the user that owns the folder, for example `runuser -u platform -- platformctl …`. If the " +
      "folder belongs to root, remove the write permission of others (`chmod go-w`).",
  },
  CONFIG_INVALID: {
    exitStatus: 2,
    meaning:
      "The agent's configuration file has mistakes. The message lists them with their line numbers.",
    causes: [
      "The name of a field is mistyped, a required field is missing, or a value is not allowed.",
    ],
    remedy: "Correct these lines. `platform agent explain FIELD` describes a field.",
  },
  AUDIT_BROKEN: {
    exitStatus: 1,
    meaning: "The audit trail fails verification: somebody has changed it, or rows are missing.",
    causes: ["Somebody edited the database by hand, or reset it to an older state."],
    remedy:
      "Before you change anything, make a copy of the database as evidence. `platform docs guides/audit` explains how " +
      "to do this, and what to do next.",
  },
  CLI_ERROR: {
    exitStatus: 1,
    meaning: "The command failed for a reason that has no code of its own.",
    causes: [
      "A proxy or server responded to `platformctl api` without a body.",
      "A proxy drops the session's cookie at sign-in.",
      "The program has a bug.",
    ],
    remedy: "Read the message. `--debug` also prints each call and its outcome.",
  },
  PARTLY_FAILED: {
    exitStatus: 1,
    meaning: "A command for several objects failed for some or all of them, for different reasons.",
    causes: ["The objects have different states, or you may change only some of them."],
    remedy: "Fix the causes, and run the command again for the objects that the message lists.",
  },
  EDITOR_FAILED: {
    exitStatus: 1,
    meaning: "The editor could not be run, or ended with an error. Nothing was changed.",
    causes: [
      "The program in `VISUAL` or `EDITOR` does not exist.",
      "The editor was killed, or you left it with an error, such as `:cq` in vi.",
    ],
    remedy: "Set `VISUAL` or `EDITOR` to an editor, and run the command again.",
  },
  EDIT_CANCELLED: {
    exitStatus: 1,
    meaning: "There was nothing to save when you left the editor. Nothing was changed.",
    causes: [
      "The text was empty, or you did not change the template.",
      "After the text was rejected, you did not save it again.",
    ],
    remedy:
      "If you still want the change, run the command again. If the message names a file, it contains your text.",
  },
  NO_CHOICES: {
    exitStatus: 5,
    meaning:
      "The action requires a value that must be one of the agent's choices, but the agent offers no choices.",
    causes: ["The agent's `prepare` found nothing to choose from."],
    remedy:
      "Correct what the action's `prepare` returns. If there is nothing to choose from, there is nothing to run the action on.",
  },
  CONTEXTS_LOCKED: {
    exitStatus: 5,
    meaning: "Other processes are writing the file that contains the contexts.",
    causes: [
      "Many commands that change the contexts, such as `platformctl login`, run at the same time.",
    ],
    remedy:
      "Run the command again. If no other such command is running, delete the lock file that the message names.",
  },
  DOWNLOAD_BROKEN: {
    exitStatus: 1,
    meaning: "A download failed, and what had arrived was discarded.",
    causes: [
      "The connection was closed before the end.",
      "A proxy changed the response, so that its size or its digest is wrong.",
    ],
    remedy: "Run the command again. If it keeps failing, run it on the server's host with `--db`.",
  },
  NOT_READY: {
    exitStatus: 8,
    meaning: "The server was not ready within `--timeout`.",
    causes: [
      "The server is not running.",
      "The server is still starting, or cannot use its database.",
      "Another program uses the server's address.",
    ],
    remedy: "Read the message and the server's log.",
  },
  SERVER_ENDED: {
    exitStatus: 1,
    meaning: "The server ended before it was ready.",
    causes: ["A setting is invalid, or the server cannot use its database or its address."],
    remedy: "Read the server's log.",
  },
  PAGE_NOT_FOUND: {
    exitStatus: 3,
    meaning: "The documentation has no page with this name.",
    causes: ["The name is mistyped."],
    remedy: "List the pages with `platformctl docs`.",
  },
  CODE_NOT_FOUND: {
    exitStatus: 3,
    meaning: "The program does not have this code.",
    causes: [
      "The code is mistyped.",
      "The code comes from an action or from the operating system.",
    ],
    remedy:
      "List the codes with `platformctl explain`. Actions are documented by whoever wrote them.",
  },
  FIELD_NOT_FOUND: {
    exitStatus: 3,
    meaning: "The agent's configuration file has no field with this name.",
    causes: ["The name is mistyped."],
    remedy: "List the fields with `platform agent explain`.",
  },
  OPTIONS_INVALID: {
    exitStatus: 2,
    meaning: "The agent cannot be started with its configuration.",
    causes: [
      "The file in `caFile` cannot be read.",
      "The agent's library rejects a value, such as the declaration of an action.",
    ],
    remedy:
      "Correct what the message names, and check the configuration with `platform agent check`.",
  },
  STATE_IN_USE: {
    exitStatus: 5,
    meaning: "Another running agent uses the same state folder.",
    causes: ["The agent is already running.", "Two configurations name the same `stateDir`."],
    remedy: "Stop the other agent, or give this agent a `stateDir` and a `code` of its own.",
  },
  STATE_UNUSABLE: {
    exitStatus: 1,
    meaning: "The agent cannot use its state folder or a file in it.",
    causes: [
      "The agent's user cannot write to the folder, or the disk is full.",
      "The token file is damaged.",
    ],
    remedy:
      "Make the folder in `stateDir` writable. If the token file is damaged, delete it, and register the agent with a new token.",
  },
  REGISTRATION_TOKEN_MISSING: {
    exitStatus: 4,
    meaning: "The agent is not registered, and has no registration token.",
    causes: [
      "The variable or the file that `registrationToken` names does not exist.",
      "The state folder was deleted or changed, so the agent must register again.",
    ],
    remedy:
      "Create a token with `platformctl tokens create`, and give it to the agent as `registrationToken`.",
  },
  REGISTRATION_REFUSED: {
    exitStatus: 4,
    meaning: "The server refused to register the agent, and would refuse it again.",
    causes: [
      "The registration token was used, has expired or was revoked.",
      "An agent with the same code is online.",
    ],
    remedy:
      "Do what the message says. Usually, the agent needs a new token from `platformctl tokens create`.",
  },
  REPORT_REFUSED: {
    exitStatus: 1,
    meaning: "The agent's first report failed.",
    causes: ["The server refused the report.", "The state of a service could not be determined."],
    remedy: "Correct what the message names.",
  },
  AGENT_NOT_RUNNING: {
    exitStatus: 1,
    meaning: "The agent was stopped, or was never started.",
    causes: ["A program called the agent's library after it had stopped the agent."],
    remedy: "Start the agent again.",
  },
  SCHEMA_REFUSED: {
    exitStatus: 1,
    meaning: "The program cannot migrate this database. Nothing was changed.",
    causes: [
      "A newer program has already migrated the database.",
      "A migration was applied in a form that differs from this program's.",
    ],
    remedy:
      "If a newer program has migrated the database, use that program or a newer one. If a migration differs, use the " +
      "program that applied it.",
  },
  BACKUP_DAMAGED: {
    exitStatus: 1,
    meaning: "The backup is damaged. Nothing was changed.",
    causes: ["The file was cut off or changed after the backup, or a disk has failed."],
    remedy: "Use another backup.",
  },
  DIGEST_DIFFERS: {
    exitStatus: 1,
    meaning:
      "The backup's SHA-256 differs from the one in its `.sha256` file or in `--sha256`. Nothing was changed.",
    causes: [
      "The file was changed or damaged after the backup.",
      "The digest belongs to another backup.",
    ],
    remedy:
      "Use another backup. If you know that the digest is the wrong one, restore this backup with `--unverified`.",
  },
  SCHEMA_DIFFERS: {
    exitStatus: 1,
    meaning: "The schema in the backup was changed by another program. Nothing was changed.",
    causes: ["Somebody added, changed or removed a table, an index or a trigger."],
    remedy:
      "Use another backup. If you know who changed the schema and why, restore this backup with `--unverified`.",
  },
  ROWS_DIFFER: {
    exitStatus: 1,
    meaning:
      "Users, API keys or agents in the backup contradict its audit trail. Nothing was changed.",
    causes: ["Somebody changed the database without this program, for example to get access."],
    remedy:
      "Use another backup. If you know who changed the rows and why, restore this backup with `--unverified`.",
  },
  AUDIT_KEY_MISSING: {
    exitStatus: 1,
    meaning:
      "The file with the audit key is missing, so the backup cannot be verified. Nothing was changed.",
    causes: ["The backup was copied to a new host without the keys."],
    remedy: "Copy the key from the original host to the path in the message.",
  },
  AUDIT_NOT_VERIFIED: {
    exitStatus: 1,
    meaning:
      "The audit trail of the backup or database cannot be verified. `restore` and `db move` then change nothing, and " +
      "`backup --unverified` makes the backup but warns.",
    causes: [
      "The audit key belongs to another database.",
      "Somebody has changed the trail, or rows are missing.",
    ],
    remedy:
      "Use the key that belongs to the trail, or another backup. `--unverified` accepts the trail as it is.",
  },
  SCHEMA_NOT_CURRENT: {
    exitStatus: 5,
    meaning:
      "The source or the target of the move has the schema of another version, or the source has no tables. Nothing was changed.",
    causes: [
      "The server has not been started since the program was upgraded.",
      "A newer program has migrated the database.",
      "The source of the move is the wrong database.",
    ],
    remedy:
      "If the schema is older, run `platform migrate`. If it is newer, use the newer program. If the source has no " +
      "tables, name the right database in `--from`.",
  },
  TARGET_NOT_EMPTY: {
    exitStatus: 5,
    meaning: "The target of a move already contains something. Nothing was changed.",
    causes: ["The target has tables, or the target file already exists."],
    remedy: "Name a database without tables, or a file that does not exist.",
  },
  DATABASE_MOVED: {
    exitStatus: 5,
    meaning: "The data of this database has been moved, or is being moved, to another database.",
    causes: ["`platform db move` was run before, with another target."],
    remedy:
      "Use the database that the message names. To use this one again instead, run `platform db reactivate`.",
  },
  OUTCOME_UNKNOWN: {
    exitStatus: 5,
    meaning:
      "The move failed, and it is not known which database has the data, or whether servers can still open the source.",
    causes: ["The connection to a database was lost."],
    remedy:
      "Run the same command again: it finds out what happened, and finishes the move or starts it over. The message says " +
      "whether `platform db reactivate` helps, too.",
  },
  NOT_MOVED: {
    exitStatus: 5,
    meaning:
      "The data of this database was not moved, so there is nothing to reverse. Nothing was done.",
    causes: ["`--db` names the wrong database.", "The database was already reactivated."],
    remedy:
      "If this is the right database, start the server on it as usual. Otherwise, name the right one in `--db`.",
  },
  NOT_LINUX: {
    exitStatus: 5,
    meaning: "`platform install` and `platform uninstall` are only for Linux.",
    causes: ["The host has another operating system."],
    remedy: "Copy the program to a folder in the `PATH`.",
  },
  NOT_PACKAGED: {
    exitStatus: 5,
    meaning: "Only the packaged program, a single file, can install itself.",
    causes: ["The command was run in a checkout, or from an npm package."],
    remedy: "Run `npm run package` in a checkout, and install the file that it creates.",
  },
  NOT_INSTALLED: {
    exitStatus: 3,
    meaning: "Nothing is installed below the prefix.",
    causes: [
      "The program was installed with another `--prefix`.",
      "A package installed the program.",
    ],
    remedy: "Give the `--prefix` of the installation, or remove the package.",
  },
  NOT_ALLOWED: {
    exitStatus: 4,
    meaning: "This user cannot change a file of the installation.",
    causes: ["The command was run without root privileges."],
    remedy: "Run the command with `sudo`.",
  },
  IN_THE_WAY: {
    exitStatus: 5,
    meaning:
      "Files that this program did not install are in the places of files that it would install.",
    causes: [
      "The program was installed by hand or by a package.",
      "There is a folder where a file belongs, or a file where a folder belongs.",
    ],
    remedy:
      "Check what the files are. `--force` replaces files. If there is a folder where a file belongs, or a file where a " +
      "folder belongs, move it to another place by hand.",
  },
  FOLDER_OF_OTHERS: {
    exitStatus: 5,
    meaning:
      "Another user can write to a folder that root would change. That user could replace what root installs.",
    causes: ["The folder belongs to another user, or its mode allows others to write."],
    remedy: "Allow only root to write to the folder, or choose another `--prefix`.",
  },
  MANIFEST_INVALID: {
    exitStatus: 1,
    meaning: "The list of installed files is not valid.",
    causes: ["The file was edited or damaged."],
    remedy: "Move the list to another folder, and install again with `--force`.",
  },
  IN_USE: {
    exitStatus: 5,
    meaning:
      "Units of the installation are running or start at boot, so the program cannot be removed.",
    causes: ["The server or an agent is running."],
    remedy: "Run `systemctl disable --now` with the units that the message names.",
  },
  LEFTOVERS: {
    exitStatus: 5,
    meaning: "The server still has agents of an earlier benchmark.",
    causes: [
      "The benchmark was killed before it could delete them.",
      "Another benchmark is running.",
    ],
    remedy: "If no other benchmark is running, delete the agents with `platform bench --clean`.",
  },
  OTHER_AGENTS: {
    exitStatus: 5,
    meaning:
      "The server has agents that were not created by a benchmark, and the load of `platform bench` would slow them down.",
    causes: ["The server is in use."],
    remedy: "Run the benchmark against a separate server, or add `--among-others`.",
  },
  LIMITS_TOO_LOW: {
    exitStatus: 5,
    meaning: "A limit of the server or of this host does not allow the load of `platform bench`.",
    causes: ["The load is too large for the limits that the message lists."],
    remedy: "Raise the limits, or choose a smaller load.",
  },
  BUS_DISABLED: {
    exitStatus: 5,
    meaning: "`platform bench --events` needs the event bus, but it is off.",
    causes: ["The server was started without `PLATFORM_CAPSULE_BUS_ENABLED=true`."],
    remedy: "Start the server with `PLATFORM_CAPSULE_BUS_ENABLED=true`, or leave out `--events`.",
  },
} as const satisfies Guide<string> & Readonly<Record<string, { exitStatus: number }>>;

/**
 * The codes of errors that the command line reports. All are explained: a new code of the command
 * line needs an entry above.
 */
export type FailureCode = keyof typeof commandLineGuide | ErrorCode | OutcomeCode;
