import { type Database, readDatabase, type SqlRow } from '../../base/sqlite/database.ts';
import { parseInstant } from '../../base/time/instant.ts';
import type { RunStore, StoredRun } from '../kit/run-store.ts';
import { storedTime } from './read.ts';

/** The members of an exported line, in its order (fishbowl.md §4). */
const MEMBERS = [
  ...['id', 'run_id', 'turn', 'kind', 'actor', 'payload', 'created_at', 'schema_version'],
  ...['session_id', 'model_profile', 'model_id'],
];

/** A row as a line. The payload is stored as JSON, and stays as it is: if it is damaged, the line is. */
function lineOf(row: SqlRow): string {
  const members = MEMBERS.filter((name) => row[name] !== undefined).map((name) => {
    const value = row[name];
    const isNumber = typeof value === 'number' || typeof value === 'bigint';
    const text =
      name === 'payload' && typeof value === 'string'
        ? value
        : isNumber
          ? String(value)
          : JSON.stringify(value);
    return `${JSON.stringify(name)}:${text}`;
  });
  // A newline inside of JSON is white space, and would end the line.
  return `{${members.join(',')}}`.replaceAll('\n', ' ');
}

function runsIn(database: Database): StoredRun[] {
  const changed = new Map<string, number>();
  for (const { run_id: run, created_at: time } of database.rows('events')) {
    if (typeof run !== 'string') continue;
    const at = parseInstant(storedTime(typeof time === 'number' ? time : String(time)) ?? '') ?? 0;
    changed.set(run, Math.max(changed.get(run) ?? 0, at));
  }
  return [...changed].map(([id, at]) => ({ id, changed: at }));
}

const offsetOf = ({ offset }: SqlRow): number => (typeof offset === 'number' ? offset : 0);

/** Opens the ledger of the engine, a database with the table `events`. */
export function openLedger(path: string, hint: string): RunStore {
  const read = <T>(what: (database: Database) => T): T => readDatabase(path, hint, what);
  return {
    runs: read(runsIn),
    unread: [],
    read: (id) =>
      read((database) => ({
        lines: [...database.rowsWith('events', 'run_id', id)]
          .sort((a, b) => offsetOf(a) - offsetOf(b))
          .map(lineOf),
      })),
  };
}
