import { EventError } from '../errors.ts';
import type { Corruption } from '../log/corruption.ts';
import type { LogRecord } from '../log/record.ts';
import type { RowLayout } from '../log/row-layout.ts';
import { readUntilCorrupt } from '../log/until-corrupt.ts';
import type { RecordFold } from './projector.ts';

/** What is asked of the log's dialect: the ids of records. */
export interface ProjectionSource {
  readonly layout?: RowLayout;
  readonly view: { id(record: LogRecord): string | undefined };
}

/** Where to stop: an event's id, or a line of the log. */
export type StopAt =
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'line'; readonly line: number };

/** Reads `--at`: a number is a line, anything else an id. */
export function parseStopAt(text: string): StopAt {
  return /^\d{1,15}$/.test(text) ? { kind: 'line', line: Number(text) } : { kind: 'id', id: text };
}

/**
 * Hands a log's records to a projector, up to and with the one where to stop. The whole log is read all the same: a
 * projection of a corrupt log is not to be trusted, and the first corruption is returned for the caller to
 * fail with. Throws `event-missing` when there is no such event.
 */
export async function projectLog(
  log: string,
  projector: RecordFold,
  source: ProjectionSource,
  stopAt?: StopAt,
  onBytes?: (bytes: number) => void,
): Promise<Corruption | undefined> {
  let stopped = false;
  const { corruption } = await readUntilCorrupt(log, {
    row(row) {
      const { record } = row;
      if (stopped) return;
      if (projector.addRow) projector.addRow(row);
      else projector.add(record);
      stopped =
        stopAt?.kind === 'line'
          ? record.line === stopAt.line
          : stopAt !== undefined && source.view.id(record) === stopAt.id;
    },
    layout: projector.layout ?? source.layout,
    onBytes,
  });
  if (corruption === undefined && stopAt !== undefined && !stopped) {
    const what = stopAt.kind === 'line' ? `on line ${stopAt.line}` : stopAt.id;
    throw new EventError('event-missing', `no event ${what} in this log`, {
      hint: 'noesis events <target> shows the lines',
    });
  }
  return corruption;
}
