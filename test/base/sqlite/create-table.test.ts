import { expect, test } from 'vitest';
import { shapeOfTable } from '../../../src/base/sqlite/create-table.ts';
import { seed, times } from '../../support/length.ts';
import { createRandom } from '../../support/simulator/random.ts';
import { valuesIn, withSqlite } from './sqlite3.ts';

/** A table for each way to write a column that programs use, and some that they do not. */
const STATEMENTS = [
  "CREATE TABLE t(`id` text PRIMARY KEY, `slug` text NOT NULL, `path` text DEFAULT '' NOT NULL, cost real DEFAULT 0 NOT NULL, CONSTRAINT `fk` FOREIGN KEY (`slug`) REFERENCES `p`(`id`) ON DELETE CASCADE)",
  "CREATE TABLE t(id INTEGER PRIMARY KEY, \"a b\" TEXT, [c,d] BLOB, `e``f` REAL, g, -- a comment, with (\n h TEXT DEFAULT 'it''s, (so)', CHECK (g <> 'x)'), UNIQUE (id, g))",
  'CREATE TABLE t(a INTEGER, b INT DEFAULT (-3), c AS (a + b), d GENERATED ALWAYS AS (a * 2) STORED, PRIMARY KEY (a), UNIQUE (b))',
  'CREATE TABLE t(a integer PRIMARY KEY DESC, b varchar(10, 2) DEFAULT +1.5e3 /* , c */, "d" "e" CHECK (b > 0))',
];

/** Replaces, adds or removes a few characters: those that end or begin a token above all. */
function changed(sql: string, random: ReturnType<typeof createRandom>): string {
  const characters = '`"\'[](),; -/*.Kx0_$\tä';
  let text = sql;
  const start = sql.indexOf('(') + 1;
  for (let left = 1 + random.int(2); left > 0; left -= 1) {
    const at = start + random.int(text.length - start);
    const put = random.chance(0.2) ? '' : random.pick([...characters]);
    text = text.slice(0, at) + put + text.slice(at + random.int(2));
  }
  return text;
}

/** The columns that are stored in a row, as JSON; undefined for a statement that is refused. */
function columnsBySqlite(sql: string): unknown {
  const query = "SELECT json_group_array(name) FROM pragma_table_xinfo('t') WHERE hidden IN (0, 3);";
  try {
    const [columns] = withSqlite(':memory:', (database) => {
      database.exec(`${sql}\n;`);
      return valuesIn(database, query);
    });
    return columns === '[]' ? undefined : columns;
  } catch {
    return undefined;
  }
}

test('columns are those that SQLite reads', () => {
  const random = createRandom(seed);
  const statements = STATEMENTS.flatMap((sql) => [
    sql,
    ...Array.from({ length: times(400, 40) }, () => changed(sql, random)),
  ]);
  let read = 0;
  for (const statement of statements) {
    const [expected, shape] = [columnsBySqlite(statement), shapeOfTable(statement)];
    // What SQLite refuses is not a table. What noesis refuses is said, and loses no rows silently.
    if (expected === undefined || typeof shape === 'string') continue;
    expect(JSON.stringify(shape.columns), `seed ${seed}: ${statement}`).toBe(expected);
    read += 1;
  }
  expect(read).toBeGreaterThan(statements.length / 10);
});
