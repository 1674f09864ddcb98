import type { DialectName } from '../dialects/dialect.ts';
import type { VerifyOptions, VerifyTarget } from '../findings/options.ts';
import { verifyTarget } from '../verify/verify-episode.ts';
import type { Tables } from './parts.ts';
import { episodeRow, eventRows, findingRow, unreadRow } from './rows.ts';
import { type CorruptLog, openForExport } from './runs.ts';

/**
 * Writes the rows of one target: its events, one row for each run, and what its verification found. Of a corrupt log
 * only the row of the episode and the findings are written; the corruption is what this resolves to then.
 *
 * @throws the file system's error where the log cannot be read; LogError `log-changed`.
 */
export async function exportTarget(
  target: VerifyTarget,
  tables: Tables,
  options: VerifyOptions,
  dialect?: DialectName,
): Promise<CorruptLog | undefined> {
  const opened = await openForExport(target, dialect);
  const report = await verifyTarget(target, options, dialect);
  for (const finding of report.findings) tables.findings.add(findingRow(report.episode, finding));
  if (opened === undefined || 'corruption' in opened) {
    tables.episodes.add(unreadRow(report));
  } else {
    await eventRows(
      opened,
      (row) => tables.events.add(row),
      async () => {
        await tables.events.drain();
        return undefined;
      },
    );
    for (const run of opened.runs) tables.episodes.add(episodeRow(run, report, opened.dialect.name));
  }
  await tables.events.drain();
  await tables.findings.drain();
  await tables.episodes.drain();
  return opened !== undefined && 'corruption' in opened ? opened : undefined;
}
