import { EventError } from '../../base/errors.ts';
import { beyondLast } from '../../log/beyond-last.ts';
import type { Corruption } from '../../log/corruption.ts';
import type { LogForm } from '../../log/log-form.ts';
import type { LogRecord } from '../../log/record.ts';
import { readUntilCorrupt } from '../../log/until-corrupt.ts';
import type { RecordFold } from './projector.ts';

/** The parts of the log's dialect that a projection needs. */
interface ProjectionSource {
  readonly form: LogForm;
  readonly view: { id(record: LogRecord): string | undefined };
}

/** Where to stop: an event's id or a line. */
export type StopAt =
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'line'; readonly line: number };

/** Parses `--at`: a number is a line, anything else an id. */
export function parseStopAt(text: string): StopAt {
  return /^\d{1,15}$/.test(text) ? { kind: 'line', line: Number(text) } : { kind: 'id', id: text };
}

/** What a projector received of a log. */
interface PassedRecords {
  /** The first corruption of the log. */
  readonly corruption: Corruption | undefined;
  /** The line of the last record; undefined if there is none. */
  readonly line: number | undefined;
}

/**
 * Passes a log's records to a projector, up to and including the one where to stop. Still reads the whole log,
 * because a projection of a corrupt log cannot be trusted. Throws `event-missing`
 * if no event matches `stopAt`.
 */
export async function projectLog(
  log: string,
  projector: RecordFold,
  source: ProjectionSource,
  stopAt?: StopAt,
  onBytes?: (bytes: number) => void,
): Promise<PassedRecords> {
  let stopped = false;
  let line: number | undefined;
  const { corruption } = await readUntilCorrupt(log, source.form.withLayout(projector.layout), {
    row(row) {
      const { record } = row;
      if (stopped) return;
      line = record.line;
      if (projector.addRow) projector.addRow(row);
      else projector.add(record);
      stopped =
        stopAt?.kind === 'line'
          ? record.line === stopAt.line
          : stopAt !== undefined && source.view.id(record) === stopAt.id;
    },
    onBytes,
  });
  if (corruption === undefined && stopAt !== undefined && !stopped) {
    const what = stopAt.kind === 'line' ? `on line ${stopAt.line}` : stopAt.id;
    const last = stopAt.kind === 'line' ? beyondLast(stopAt.line, line) : '';
    throw new EventError('event-missing', `no event ${what} in this log${last}`, {
      hint: 'run noesis events <target> to see the lines',
    });
  }
  return { corruption, line };
}
