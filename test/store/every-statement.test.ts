// Records every statement of src/store while the use cases run. Checks how SQLite runs it, and that
// it is SQL that PostgreSQL accepts, too. A statement in the sources that never ran is an error.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { numbered } from "../../src/store/engine/postgresql/connection/session.ts";
import { plansForAnySize } from "../../src/store/engine/postgresql/database.ts";
import { mostStatements, Statements } from "../../src/store/engine/sqlite/statements.ts";
import { openTestApp } from "../helpers/app.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { migratedPostgres } from "../helpers/postgres-schema.ts";
import { isLong } from "../helpers/size.ts";
import { everyStatement, everyStatementOnPostgres, flat } from "./every-statement.ts";

const bigTables = [
  "commands",
  "command_output_pages",
  "command_results",
  "command_errors",
  "audit_events",
  "services",
  "agents",
  "agent_tokens",
  "registration_tokens",
  "bus_events",
  "sessions",
];

/** These statements read a whole big table on purpose. */
const allowed: [statement: RegExp, reason: string][] = [
  [/^SELECT 1 = 0 OR EXISTS \(SELECT 1 FROM /, "reads at most the first row of each table"],
  [
    /\(SELECT \S+ FROM (?!.* WHERE ).* ORDER BY \S+ DESC LIMIT \? OFFSET \?\) ORDER BY \S+ DESC$/,
    "a list without a filter walks from its newest row and stops at the end of the page",
  ],
  [
    /\(SELECT \S+ FROM (agents a|services s|registration_tokens) ORDER BY (?!\S+ DESC LIMIT)(?!\w\.code ).* LIMIT \? OFFSET \?\)/,
    "a list that is sorted by a column without an index reads every row, about 10,000",
  ],
  [
    /\(SELECT (\w)\.id FROM .* ORDER BY \1\.code (ASC|DESC), \1\.id DESC LIMIT \? OFFSET \?\)/,
    "a list that is sorted by code walks its index, and stops at the end of the page",
  ],
  [
    / FROM sessions WHERE user_id = \? AND .*ORDER BY last_used_at DESC/,
    "only the few sessions of one user",
  ],
  [
    /^SELECT code, status, last_heartbeat_at AS "lastHeartbeatAt" FROM agents ORDER BY code LIMIT \?$/,
    "the metrics of single agents, as many as the setting allows, in the index's order",
  ],
  [/^SELECT (seq, hash|at) FROM audit_events ORDER BY seq DESC LIMIT 1$/, "only the newest row"],
  [/^SELECT COUNT\(\*\) AS "total" FROM (?!.* WHERE )/, "SQLite counts a table by its pages"],
  [
    /^SELECT a\.code, a\.status, .* AS "lastTokenEvent" FROM agents a$/,
    "a check of a file without a server, which compares every agent with its audit rows",
  ],
  [
    / NOT \(+[as]\.id IN \(SELECT (agent|service)_id FROM (agent|service)_labels WHERE /,
    "everything without a label is every agent or service, about 10,000",
  ],
  [
    / WHERE \(s\.id IN \(SELECT service_id FROM service_labels .* ORDER BY s\.id DESC LIMIT \? OFFSET \?\)/,
    "the keys of services with a label are sorted for a page, about 10,000",
  ],
  [
    / AS lower_all FROM .* LIMIT (50000|2500)\) looked WHERE /,
    "a search reads a bounded number of rows, and sorts those that match",
  ],
  [/INSTR\(LOWER\(/, "a search for a part of a name reads every agent or service, about 10,000"],
  [
    / ELSE ('UNKNOWN'|\d) END (AS urgency |= \?|IN \(\?, \?\)|AS "status")/,
    "the effective status depends on the time, so every service is read, about 10,000",
  ],
  [
    /^SELECT (stored_)?status.* COUNT\(\*\) AS "count" FROM (agents|services|registration_tokens) GROUP BY/,
    "agents, services and their tokens are counted in the status index, about 10,000 of each",
  ],
  [/ FROM command_errors ORDER BY count DESC, code LIMIT \?$/, "ten rows, in the index's order"],
  [
    /^SELECT \S+ AS "key", .* AS "fits" FROM (?!.* WHERE ).* DESC LIMIT \?$/,
    "a search without an indexed filter walks from the newest row and stops: test/store/bounded-search.test.ts",
  ],
  [
    /^SELECT .* AS "fits" FROM .* ORDER BY \+\S+ DESC, \S+ DESC LIMIT \?$/,
    "sorts the matches of a filter by time, at most 2,500 rows, which were counted before",
  ],
  [
    / FROM commands WHERE source_kind = 'bus' AND source_id = \? ORDER BY id DESC LIMIT \?/,
    "only the commands of one event, at most 20",
  ],
  [
    / FROM agents a WHERE a\.status IN \(\?, \?\) .*ORDER BY a\.id DESC LIMIT \? OFFSET \?\)/,
    "the keys of agents with several statuses are sorted for a page, about 10,000",
  ],
  [
    /^SELECT a\.id FROM agents a .* NOT EXISTS/,
    "only after a change by another process while a caller waits",
  ],
  [
    /^UPDATE commands SET expires_at = expires_at \+ \?, started_at = .* WHERE completed_at IS NULL AND /,
    "after a clock jump, every open command is read: these are few and have their own index",
  ],
  [
    /^SELECT s\.id FROM services s WHERE s\.last_reported_at < \?/,
    "reads an index once a minute, and only if silent services are deleted",
  ],
  [
    /^SELECT id FROM commands WHERE withheld IS NULL ORDER BY id DESC LIMIT \?$/,
    "uses a partial index that is empty once old commands have been cleaned",
  ],
  [
    /FROM registration_tokens WHERE \(status = 'EXPIRED' OR /,
    "expired registration tokens are sorted for a page, but they are created by hand",
  ],
  [
    /FROM audit_events WHERE .*seq > \? AND seq <= \? ORDER BY seq$/,
    "an export sorts only the few rows that it reads in one turn",
  ],
];

test("the use cases run every statement of the sources", async () => {
  const ran = await everyStatement();
  const missing = statementsInSources().filter(({ form }) => !ran.some((sql) => form.test(sql)));
  expect(missing.map(({ where, text }) => `${where}: ${text}`)).toEqual([]);
});

const folder = join(import.meta.dirname, "../../src/store");
/** The engine runs the statements in these files for the schema and the pragmas. */
const engine = [
  "engine/sqlite/migrate.ts",
  "engine/sqlite/database.ts",
  "engine/sqlite/file.ts",
  "files/migration-note.ts",
];
/** Host commands run the statements in these files, in their own processes. */
const host = ["files/database-facts.ts", "files/restore-note.ts"];
/** Matches statements that change many rows on PostgreSQL. */
const ofPostgres = /\bjson_(populate|to)_recordset\b/;
/** `move/` reads and writes whole tables of databases that nobody uses; test/store/move runs it. */
const folders = ["engine/postgresql/", "move/"];

function statementsInSources() {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) =>
      name.endsWith(".ts") &&
      ![...engine, ...host].includes(name) &&
      !folders.some((folder) => name.startsWith(folder)),
  );
  const found = names.flatMap((name) => {
    const source = parametersAsMarks(readFileSync(join(folder, name), "utf8"));
    const literals = source.matchAll(
      /`((?:SELECT|INSERT|UPDATE|DELETE)\b[^`]*)`|"((?:SELECT|INSERT|UPDATE|DELETE)\b[^"]*)"/g,
    );
    const texts = [...literals].map(([, template, text]) => flat(template ?? text ?? ""));
    // These are built in store/rows.ts. An UPDATE of many columns comes from `updater`.
    const insert = "INSERT INTO TABLE (";
    const update = `UPDATE TABLE SET${` \${name} = ?,`.repeat(6)}`;
    const remove = "DELETE FROM TABLE WHERE id = ?";
    const beginnings: Record<string, string[]> = {
      inserter: [insert],
      rowsInserter: [insert],
      rowsUpdater: ["UPDATE TABLE SET"],
      updater: [update],
      deleter: [remove],
      declaredRows: [insert, update, remove],
    };
    const makers = new RegExp(`\\b(${Object.keys(beginnings).join("|")})\\(\\s*"(\\w+)"`, "g");
    const made = [...source.matchAll(makers)].flatMap(([, maker = "", table = ""]) =>
      beginnings[maker]!.map((text) => text.replace("TABLE", table)),
    );
    return [...texts.filter((text) => !ofPostgres.test(text)), ...made].map((text) => ({
      where: name,
      text,
      form: formOf(text),
    }));
  });
  expect(found.length).toBeGreaterThan(40);
  return found;
}

/** Replaces the values that store/sql-tag.ts interpolates with parameter marks. */
function parametersAsMarks(source: string): string {
  return source.replace(/\b(run|get|all)\((tx|db)\)(<[^`]*>)?`[^`]*`/g, (statement) =>
    statement.replace(/\$\{[^}]*(\{[^}]*\}[^}]*)?\}/g, "?"),
  );
}

/** Returns a pattern for the text in which interpolated values match anything. */
function formOf(text: string): RegExp {
  const parts = text
    .split(/\$\{[^}]*\}/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(parts.join(".*"));
}

test("no statement reads or sorts a big table as a whole", async () => {
  const wrong = (await passes()).filter(({ sql }) => !allowed.some(([form]) => form.test(sql)));
  expect(wrong.map(({ sql, detail }) => `${detail}: ${sql}`)).toEqual([]);
});

test("every listed exception applies to a statement", async () => {
  const found = await passes();
  const idle = allowed.filter(([form]) => !found.some(({ sql }) => form.test(sql)));
  expect(idle).toEqual([]);
});

const overviewOfServices =
  / AS ("status", .* FROM services s WHERE s.removed_at IS NULL GROUP BY 1$|urgency FROM services s WHERE s.removed_at IS NULL ORDER BY urgency, )/;

const openOf = (status: string) =>
  new RegExp(
    `^SELECT [^(]* FROM commands WHERE agent_id = \\? AND status IN \\('PENDING', 'RUNNING'\\) AND status = '${status}'( AND expires_at > \\?)? ORDER BY id LIMIT \\?$`,
  );

test.each<[what: string, statement: RegExp, index: string]>([
  ["an agent's pending commands", openOf("PENDING"), "commands_open_by_agent"],
  ["an agent's running commands", openOf("RUNNING"), "commands_open_by_agent"],
  [
    "expired commands",
    / FROM commands WHERE .*expires_at <= \? .*ORDER BY expires_at/,
    "commands_open_by_expiry",
  ],
  ["an outcome", / FROM command_results WHERE .* late = 0$/, "command_results_by_command"],
  ["the latest runs", / FROM commands WHERE started_at IS NOT NULL/, "commands_by_run"],
  [
    "executions over time",
    / FROM commands WHERE type = 'ACTION_EXECUTE'/,
    "commands_by_completion",
  ],
  ["open commands to count", /^SELECT status, COUNT.* FROM commands/, "commands_by_status"],
  ["an agent's active token", / FROM agent_tokens WHERE agent_id = \? AND/, "agent_tokens_active"],
])("an index without ended rows finds %s", async (_what, statement, index) => {
  const found = (await everyStatement()).filter((sql) => statement.test(sql));
  expect(found).toHaveLength(1);
  expect(planner()(found[0]!)).toEqual([expect.stringContaining(`INDEX ${index} `)]);
});

test("writing a command, its result or an audit row builds no temporary index", async () => {
  const write = /^(INSERT INTO \w+ .* VALUES|UPDATE \w+ SET .* WHERE (commands\.)?id = \?)/;
  const table = /^(INSERT INTO|UPDATE) (commands|command_results|audit_events) /;
  const found = (await everyStatement()).filter((sql) => table.test(sql) && write.test(sql));
  expect(found.length).toBeGreaterThan(5);
  const connection = new BetterSqlite3(openTestApp().file);
  onTestFinished(() => void connection.close());
  const building = found.filter((sql) => {
    const steps = connection.prepare(`EXPLAIN ${sql}`).all(...nullsFor(sql));
    return (steps as { opcode: string }[]).some(({ opcode }) => opcode === "OpenEphemeral");
  });
  expect(building).toEqual([]);
});

test("all open commands of an agent are found in the index without ended rows", async () => {
  const found = (await everyStatement()).filter((sql) => sql.includes("AS pending UNION ALL"));
  expect(found).toHaveLength(1);
  const searches = planner()(found[0]!).filter((step) => / commands /.test(step));
  const search = "SEARCH commands USING INDEX commands_open_by_agent (agent_id=?)";
  expect(searches).toEqual([search, search]);
});

test("lists that are sorted by code walk the index of the codes, and sort only one page", async () => {
  const byCode = / ORDER BY (\w)\.code (ASC|DESC), \1\.id DESC LIMIT \? OFFSET \?\)/;
  const found = (await everyStatement()).filter((sql) => byCode.test(sql));
  expect(found).toHaveLength(4);
  for (const sql of found) {
    const steps = planner()(sql);
    const walks = steps.filter((step) =>
      /^SCAN \w USING INDEX sqlite_autoindex_(agents|services)_2$/.test(step),
    );
    expect(walks).toHaveLength(1);
    expect(steps.filter((step) => step.startsWith("USE TEMP B-TREE"))).toHaveLength(1);
  }
});

test("a replay only reads its time range, in the index by time, and looks up each event's outcomes", async () => {
  const found = (await everyStatement()).filter((sql) => sql.includes("(e.received_at, e.id) >"));
  expect(found).toHaveLength(1);
  expect(planner()(found[0]!)).toEqual([
    "SEARCH e USING INDEX bus_events_by_time ((received_at,id)>(?,?) AND received_at<?)",
    expect.stringMatching(/^SEARCH m USING INDEX \S+ \(event_id=\? AND route_id=\?\) LEFT-JOIN$/),
  ]);
});

test("the overview reads services only from an index, and looks up no agent for each", async () => {
  const found = (await everyStatement()).filter((sql) => overviewOfServices.test(sql));
  expect(found).toHaveLength(2);
  for (const sql of found) {
    const steps = planner()(sql);
    const ofServices = steps.filter((step) => /^S\w+ s USING/.test(step));
    expect(ofServices).toEqual(["SCAN s USING COVERING INDEX services_by_agent_code"]);
    expect(steps.filter((step) => step.startsWith("CORRELATED"))).toEqual([]);
    expect(steps).toContain("MERGE (EXCEPT)");
  }
});

let found: Promise<{ sql: string; detail: string }[]> | null = null;

/** Returns the plan steps that scan a whole big table or sort its rows. */
function passes(): Promise<{ sql: string; detail: string }[]> {
  found ??= findPasses();
  return found;
}

async function findPasses() {
  const statements = await everyStatement();
  const planOf = planner();
  return statements
    .flatMap((sql) => planOf(sql).map((detail) => ({ sql, detail })))
    .filter(({ sql, detail }) => isPass(sql, detail));
}

/** Returns how SQLite would run a statement. The bound values make no difference. */
function planner(): (sql: string) => string[] {
  const connection = new BetterSqlite3(openTestApp().file, { readonly: true });
  onTestFinished(() => void connection.close());
  return (sql) => {
    const steps = new Statements(connection).of(`EXPLAIN QUERY PLAN ${sql}`).all(...nullsFor(sql));
    return (steps as { detail: string }[]).map(({ detail }) => detail);
  };
}

function nullsFor(sql: string): null[] {
  return Array<null>(sql.split("?").length - 1).fill(null);
}

function isPass(sql: string, detail: string): boolean {
  const tables = [...sql.matchAll(/\b(?:FROM|JOIN|UPDATE|INTO) (\w+)(?: ([a-z])\b)?/g)];
  const big = tables.filter(([, table]) => bigTables.includes(table ?? ""));
  if (detail === "USE TEMP B-TREE FOR ORDER BY") return big.length > 0;
  const scanned = /^SCAN (\w+)/.exec(detail)?.[1];
  return scanned !== undefined && big.some((names) => names.slice(1).includes(scanned));
}

test("the cache of SQLite has room for all statements that do not depend on a caller's input", async () => {
  // The rest is for statements that depend on it: if the cache is full, all must be prepared again.
  expect((await everyStatement()).length).toBeLessThan(mostStatements * 0.75);
});

/** Matches statements that the SQLite engine runs for itself. */
const ofEngine = /\bsqlite_|\bschema_migrations\b/;

/** The engine converts these types. */
const types = new Set(["text", "bigint", "integer", "boolean"]);

interface Prepared {
  name: string;
  parameters: string[];
  results: string[] | null;
}

test.skipIf(!hasPostgres)("PostgreSQL accepts every statement, and knows all types", async () => {
  const statements = (await everyStatement()).filter((sql) => !ofEngine.test(sql));
  expect(statements.length).toBeGreaterThan(300);
  const client = await migratedPostgres();
  const wrong: string[] = [];
  for (const [at, sql] of statements.entries()) {
    const failed = (error: Error) => void wrong.push(`${error.message}: ${sql}`);
    await client.query(`PREPARE one_${at} AS ${numbered(sql)}`).catch(failed);
  }
  const { rows } = await client.query<Prepared>(
    `SELECT name, parameter_types::text[] AS parameters, result_types::text[] AS results
     FROM pg_prepared_statements`,
  );
  for (const [at, sql] of statements.entries()) {
    const { parameters = [], results = null } = rows.find(({ name }) => name === `one_${at}`) ?? {};
    const others = [...parameters, ...(results ?? [])].filter((type) => !types.has(type));
    if (others.length > 0) wrong.push(`${others.join(", ")}: ${sql}`);
  }
  expect(wrong).toEqual([]);
});

/** Only host commands run these statements, on a file. */
const onFiles = [
  /^SELECT M(AX|IN)\((seq|at)\) FROM audit_events$/,
  /^SELECT id, username AS name, .* FROM users$/,
  / AS "(isOrphaned|lastTokenEvent)" FROM /,
  /^SELECT 1 = 0 OR EXISTS/,
  /^SELECT action, metadata FROM audit_events WHERE target_id = \? AND action IN \(\?, \?\)/,
];

/** Each row looks up what it changes, in an index. */
const planForEachRow =
  /^Update .*\n-> {2}Nested Loop .*\n-> {2}Function Scan on json_to_recordset .*\n-> {2}Index Scan .*\nIndex Cond: .*each_row/;

// All use cases run once more for this.
test.runIf(hasPostgres && isLong)(
  "every statement runs on PostgreSQL, also for many rows",
  async () => {
    const { ran, ofRows } = await everyStatementOnPostgres();
    const others = [ofEngine, ...onFiles];
    const wanted = (await everyStatement()).filter((sql) => !others.some((form) => form.test(sql)));
    expect(wanted.length).toBeGreaterThan(300);
    expect(wanted.filter((sql) => !ran.includes(sql))).toEqual([]);
    const updates = ofRows.filter((sql) => sql.startsWith("UPDATE"));
    expect(updates.length).toBeGreaterThan(1);
    const client = await migratedPostgres();
    for (const [name, value] of Object.entries(plansForAnySize)) {
      await client.query(`SET ${name} = ${value}`);
    }
    for (const sql of updates) {
      const { rows } = await client.query(`EXPLAIN (GENERIC_PLAN) ${numbered(sql)}`);
      expect(rows.map((row) => row["QUERY PLAN"].trim()).join("\n")).toMatch(planForEachRow);
    }
  },
);

test.skipIf(!hasPostgres)(
  "each subquery in FROM has a name, as PostgreSQL 15 requires",
  async () => {
    const nameless = (await everyStatement()).filter((sql) => hasNamelessSubquery(sql));
    expect(nameless).toEqual([]);
  },
);

function hasNamelessSubquery(sql: string): boolean {
  return [...sql.matchAll(/\b(?:FROM|JOIN) \(SELECT/g)].some(({ index }) => {
    let depth = 0;
    let end = sql.indexOf("(", index);
    do depth += { "(": 1, ")": -1 }[sql[end++]!] ?? 0;
    while (depth > 0);
    return !/^ (AS )?(?!WHERE|ORDER|GROUP|LIMIT)\w/.test(sql.slice(end));
  });
}
