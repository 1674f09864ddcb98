import { FileError, isFileError, reasonOf } from '../../base/errors.ts';
import type { DialectName } from '../../dialects/dialect.ts';
import type { VerifyTarget } from '../../findings/options.ts';
import type { EpisodeReport } from '../../findings/report.ts';
import { type RunSettings, verifyOneOfMany } from '../../verify/run.ts';
import { openFragment, type TableFormat } from './parts.ts';
import { eventRows } from './rows.ts';
import { type CorruptLog, type ExportLog, type ExportRun, hasLog, openForExport } from './runs.ts';
import type { Fragment, FragmentFile } from './table-file.ts';

/** The settings of an export, as plain data that can be sent to a thread. */
export interface ExportSettings extends RunSettings {
  readonly format: TableFormat;
  /** The name of the writing program in the files. */
  readonly createdBy: string;
}

/** Targets whose events go into the same fragment. */
export interface ExportBatch {
  readonly targets: readonly VerifyTarget[];
  /** The path of the fragment. */
  readonly fragment: string;
}

/** The result of exporting one target, apart from its events. */
export interface Exported {
  readonly report: EpisodeReport;
  /** The exported runs and their format. */
  readonly log?: { readonly dialect: DialectName; readonly runs: readonly ExportRun[] };
  /** Why no events were exported. Part of a log would look like a whole one. */
  readonly left?: CorruptLog | { readonly log: string; readonly reason: string };
}

/** The results of a batch, in the order of its targets. */
export interface BatchOutcome {
  readonly events: Fragment;
  readonly exported: readonly Exported[];
}

/** Why a log cannot be read, worded to follow its name. Rethrows errors that are not about the log. */
function unreadReason(log: string, error: unknown): string {
  if (isFileError(error)) return reasonOf(error);
  // For example a database with the name of a log.
  if (error instanceof FileError) return error.message.replace(`${log} is `, 'it is ');
  throw error;
}

async function exportTarget(
  target: VerifyTarget,
  events: FragmentFile,
  settings: ExportSettings,
): Promise<Exported> {
  const report = await verifyOneOfMany(target, settings);
  if (!hasLog(target)) return { report };
  let opened: ExportLog | CorruptLog;
  try {
    opened = await openForExport(target, settings.dialect);
  } catch (error) {
    return { report, left: { log: target.log, reason: unreadReason(target.log, error) } };
  }
  if ('corruption' in opened) return { report, left: opened };
  await eventRows(
    opened,
    (row) => events.add(row),
    () => events.drain(),
  );
  await events.drain();
  return { report, log: { dialect: opened.dialect.name, runs: opened.runs } };
}

/**
 * Writes the events of targets to a fragment, and returns the rows of the other tables. Throws if a log
 * changed while it was read, or if the fragment cannot be written.
 */
export async function exportBatch(
  { targets, fragment }: ExportBatch,
  settings: ExportSettings,
): Promise<BatchOutcome> {
  const events = await openFragment(fragment, settings);
  const exported: Exported[] = [];
  for (const target of targets) exported.push(await exportTarget(target, events, settings));
  return { events: await events.end(), exported };
}
