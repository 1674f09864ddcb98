import type { RecordSource } from '../../dialects/dialect.ts';
import type { AccountBuilder } from '../../dialects/kit/account.ts';
import { isFailedCall } from '../../dialects/sessions/kit/session.ts';
import { CorruptLines } from '../../log/corrupt-lines.ts';
import type { Row } from '../../log/row.ts';
import { readUntilCorrupt } from '../../log/until-corrupt.ts';
import type { Filters } from './filter.ts';

/**
 * The lines of calls that will get no result. Only the whole log says which they are, so it is read once more if
 * failed events are wanted.
 */
export async function lostCalls(
  log: string,
  { failed }: Filters,
  { account, spans, form }: RecordSource,
): Promise<ReadonlySet<number>> {
  // Only formats with start and end of a call in different records can lose an end.
  const builder = failed && spans !== undefined ? await account?.() : undefined;
  if (builder === undefined) return new Set();
  await readUntilCorrupt(
    log,
    form,
    { row: ({ record }: Row) => builder.add(record), lost: (line) => builder.lost?.(line) },
    new CorruptLines(true),
  );
  return lostIn(builder);
}

/** The lines of calls that will get no result, after the last record. */
export function lostIn(builder: AccountBuilder): ReadonlySet<number> {
  const calls = (builder.result().usage ?? []).flatMap(({ call }) => call ?? []);
  const lost = calls.filter((call) => isFailedCall(call) && call.result_line === undefined);
  return new Set(lost.map(({ line }) => line));
}
