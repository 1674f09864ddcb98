import { dirname } from 'node:path';
import { readEpisodeFile } from '../../../base/files/files.ts';
import { exactDocument, parseDocument } from '../../../base/json/parse-document.ts';
import { isObject, type JsonObject } from '../../../base/json/value.ts';
import { LogForm } from '../../../log/log-form.ts';
import { readLog } from '../../../log/read.ts';
import { RowSource } from '../../../log/row.ts';
import { columnsBehind } from '../../../log/row-event.ts';
import { LogStatements } from '../agreement/log-statements.ts';
import { Course } from '../course/course.ts';
import { COLUMN, LAYOUT, PHASE } from '../event/rows.ts';
import { STATE_FILE, SUMMARY_FILE } from '../files/names.ts';

/** What sealing needs from the log and files of a run. */
export interface EndedRun {
  readonly course: Course;
  readonly said: LogStatements;
  /** The number of vetoes by governance. */
  readonly vetoes: number;
  readonly state: JsonObject | undefined;
  readonly summary: JsonObject | undefined;
}

/** A document of an episode, with numbers as stored; undefined if it cannot be read. */
export function documentIn(dir: string, name: string): JsonObject | undefined {
  const outcome = readEpisodeFile(dir, name);
  const parsed = outcome.kind === 'read' ? parseDocument(outcome.bytes) : undefined;
  if (outcome.kind !== 'read' || !parsed?.ok) return undefined;
  const value = exactDocument(outcome.bytes, parsed.value);
  return isObject(value) ? value : undefined;
}

/** Reads an episode, whose log must be intact. */
export async function readRun(log: string): Promise<EndedRun> {
  const course = new Course();
  const said = new LogStatements(course);
  let vetoes = 0;
  const rows = RowSource.open(LogForm.stored(LAYOUT));
  try {
    await readLog(log, rows, {
      row: (row) => {
        course.take(columnsBehind(row), row.line);
        said.row(row);
        if (row.type === PHASE.governance && row.text(COLUMN.decision) === 'veto') vetoes += 1;
      },
    });
  } finally {
    rows.close();
  }
  const dir = dirname(log);
  return { course, said, vetoes, state: documentIn(dir, STATE_FILE), summary: documentIn(dir, SUMMARY_FILE) };
}
