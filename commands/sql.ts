import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { errorCode, messageOf, TargetError, UsageError } from '../src/base/errors.ts';
import { nearest } from '../src/base/text/nearest.ts';
import { plainShellWord } from '../src/base/text/shell-word.ts';
import { action, type Context, type GlobalOptions } from '../src/cli/context.ts';
import { writeTables } from '../src/cli/export/export-tables.ts';
import { Failed } from '../src/cli/failure.ts';
import { withExamples } from '../src/cli/help/examples.ts';
import type { Io } from '../src/cli/io.ts';
import { joined } from '../src/cli/pieces.ts';
import { targetsOf } from '../src/cli/targets/find-targets.ts';
import {
  ALL_RUNS,
  type ManyTargetsOptions,
  streamOption,
  withManyTargets,
} from '../src/cli/targets/target-options.ts';
import { tableSection, viewCell } from '../src/dialects/kit/state-view.ts';
import { privateFolder } from '../src/find/private-folder.ts';
import { TABLE_NAMES } from '../src/show/export/tables.ts';
import { plural } from '../src/show/render/tally.ts';

interface SqlOptions extends GlobalOptions, ManyTargetsOptions {
  /** The folder of an earlier export. */
  readonly from?: string;
}

const MORE = `
The tables are events, episodes and findings. docs/formats/tables.md has their
columns, docs/queries.md ten example queries. sql needs DuckDB: npm install
@duckdb/node-api installs it next to noesis. Each query reads the targets again; --from queries the tables of
an earlier noesis export --format parquet.`;

export function addSql(program: Command, io: Io): void {
  const command = withExamples(
    program.command('sql'),
    ['sql "select status, count(*) n from episodes group by 1 order by 1"', 'how runs ended'],
    ['sql "select name, max(duration_ms) from events group by all" --from t/', 'over an earlier export'],
  )
    .description('query runs with SQL (needs DuckDB)')
    .argument('<query>', 'SQL over the tables events, episodes and findings')
    .argument('[target...]', ALL_RUNS)
    .addOption(streamOption())
    .option('--from <dir>', 'use the tables of an earlier export');
  withManyTargets(command).addHelpText('after', MORE).action(action(io, runSql));
}

type DuckDb = typeof import('@duckdb/node-api');

/** DuckDB is 70 MB of native code, so it is an optional dependency. */
async function loadDuckDb(): Promise<DuckDb> {
  // The import uses a variable, so that the bundler does not resolve it.
  const name: string = '@duckdb/node-api';
  try {
    return (await import(name)) as DuckDb;
  } catch (error) {
    // The bundle requires what the source imports.
    if (!/^(?:ERR_)?MODULE_NOT_FOUND$/.test(errorCode(error) ?? '')) throw error;
    throw new UsageError('usage', 'sql needs DuckDB, which is not installed', {
      hint: 'install it: npm install @duckdb/node-api next to noesis (with --global if noesis is global)',
    });
  }
}

/** Query results as JSON: integers become numbers if they are exact. */
interface Answer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

const WHOLE: ReadonlySet<string> = new Set(['BIGINT', 'UBIGINT', 'HUGEINT', 'UHUGEINT']);

function exactNumber(value: unknown): unknown {
  const number = Number(value);
  return typeof value === 'string' && Number.isSafeInteger(number) ? number : value;
}

type Connection = Awaited<ReturnType<InstanceType<DuckDb['DuckDBInstance']>['connect']>>;

/** Runs a query. Throws if it has several answers, because DuckDB would return only the first. */
async function answerOf({ StatementType }: DuckDb, connection: Connection, query: string) {
  // An empty query or a syntax error; running it says which.
  const statements = await connection.extractStatements(query).catch(() => undefined);
  if (statements === undefined || statements.count < 2) {
    const result = await connection.runAndReadAll(query);
    if (result.columnCount === 0) throw new Error('the query is empty');
    return result;
  }
  for (let at = 0; at < statements.count - 1; at += 1) {
    const statement = await statements.prepare(at);
    if (statement.statementType === StatementType.SELECT || statement.statementType === StatementType.EXPLAIN)
      throw new Error(
        `the query has ${statements.count} statements, and statement ${at + 1} has an answer, which would be lost: give one query`,
      );
    await statement.run();
  }
  return (await statements.prepare(statements.count - 1)).runAndReadAll();
}

async function ask(duckdb: DuckDb, query: string, dir: string): Promise<Answer> {
  const instance = await duckdb.DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    await connection.run("set timezone = 'UTC'");
    for (const table of TABLE_NAMES) {
      const files = join(dir, table, '*.parquet').replaceAll("'", "''");
      await connection.run(`create view ${table} as select * from read_parquet('${files}')`);
    }
    const result = await answerOf(duckdb, connection, query);
    const whole = result.columnTypes().map((type) => WHOLE.has(String(type)));
    const rows = result
      .getRowsJson()
      .map((row) => row.map((cell, at) => (whole[at] ? exactNumber(cell) : cell)));
    return { columns: result.deduplicatedColumnNames(), rows };
  } catch (error) {
    // The lines of the query follow, which the user knows.
    const [message = ''] = messageOf(error).split(/\n+LINE \d/);
    const [, table] = /^Catalog Error: Table with name (.+?) does not exist/.exec(message) ?? [];
    if (table !== undefined)
      throw new UsageError('usage', `there is no table ${table}; the tables are ${TABLE_NAMES.join(', ')}`, {
        hint: 'see noesis help sql, and docs/formats/tables.md for the columns',
      });
    throw new UsageError('usage', message.replaceAll(/\s*\n+/g, ' '), {
      hint: 'see docs/formats/tables.md for the tables and their columns',
    });
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

async function printAnswer(context: Context, { columns, rows }: Answer): Promise<void> {
  if (context.json) {
    const recordOf = (row: Answer['rows'][number]) =>
      Object.fromEntries(columns.map((column, at) => [column, row[at] ?? null]));
    const lines = rows.map((row) => `${JSON.stringify(recordOf(row))}\n`);
    for (const piece of joined(lines)) await context.out(piece);
    return;
  }
  if (rows.length === 0) return context.say('no rows');
  const cells = rows.map((row) => row.map((value) => viewCell(value)));
  await context.showView(
    tableSection(
      '',
      columns.map((name) => name.toUpperCase()),
      cells,
    ).map(({ title: _, ...section }) => section),
  );
}

/**
 * Throws unless a folder is an earlier export. DuckDB's own error would mention a pattern that nobody typed.
 */
async function requireTables(dir: string, name: string): Promise<void> {
  const files = await readdir(join(dir, 'events')).catch(() => []);
  if (files.some((file) => file.endsWith('.parquet'))) return;
  throw new TargetError('target-missing', `there are no Parquet tables in ${name}`, {
    place: { file: dir },
    hint: 'run noesis export --format parquet -o DIR to write them',
  });
}

/** The words with which queries begin. */
const KEYWORDS = ['select', 'with', 'from', 'describe', 'summarize', 'explain', 'show', 'pivot'];

/** Whether a word is the beginning of a query, possibly mistyped, and not the name of a run. */
const isKeyword = (word: string): boolean => nearest(KEYWORDS, word, 1).length > 0;

async function runSql(
  context: Context,
  query: string,
  names: readonly string[],
  options: SqlOptions,
): Promise<void> {
  // A query has several words; the name of a run has none. Semicolons alone are an empty query.
  if (/^[^\s;]+$/.test(query.trim()))
    throw new UsageError('usage', `${JSON.stringify(query)} is not a query`, {
      hint: isKeyword(query)
        ? "give the whole query in quotes: noesis sql 'select * from episodes'"
        : `give the query first: noesis sql 'select * from episodes' ${plainShellWord(query)}`,
    });
  const duckdb = await loadDuckDb();
  if (options.from !== undefined) {
    if (names.length > 0)
      throw new UsageError('usage', `--from and ${plural(names.length, 'target')}: they cannot be combined`);
    if (options.shard !== undefined || options.targets !== undefined)
      throw new UsageError('usage', '--shard and --targets cannot be combined with --from', {
        hint: 'remove one of the two',
      });
    const dir = resolve(context.io.cwd, options.from);
    await requireTables(dir, options.from);
    return printAnswer(context, await ask(duckdb, query, dir));
  }
  await using found = await targetsOf(context, names, options);
  const folder = privateFolder(context.io);
  try {
    const { left } = await writeTables(context, found, { format: 'parquet', dir: folder.path, force: false });
    await printAnswer(context, await ask(duckdb, query, folder.path));
    if (left > 0) throw new Failed();
  } finally {
    folder.remove();
  }
}
