import { basename } from 'node:path';
import { accountOfLog } from '../describe/account-of-log.ts';
import { upcastsInUse } from '../dialects/upcast.ts';
import type { EpisodeReport } from '../findings/report.ts';
import type { SkippedLines } from '../log/corrupt-lines.ts';
import { version } from '../version.ts';
import type { EpisodeDocument, PageVerdict } from './document.ts';
import { canRebuild } from './html.ts';
import { meaningsOf } from './meanings.ts';
import { RowReader, type ViewedLog } from './read-rows.ts';

/** A page's document, and the stored lines that go with it. */
export interface EpisodePage {
  readonly document: EpisodeDocument;
  readonly lines: Buffer;
  /** The corrupt lines, which the account leaves out. */
  readonly skipped: SkippedLines | undefined;
}

/** What a page says of a verification. */
export function pageVerdict({ verdict, stages, findings, omitted = [] }: EpisodeReport): PageVerdict {
  return { verdict, stages, findings, omitted };
}

/**
 * Makes the page of one log. A corrupt line has its place in the list; the account is of the others. Throws `usage` for
 * a log that is too long for a page.
 */
export async function episodePage(log: ViewedLog, report: EpisodeReport | undefined): Promise<EpisodePage> {
  const { name, path, dialect, run } = log;
  const upcasts = upcastsInUse();
  const reader = new RowReader(log);
  const told = await accountOfLog(path, dialect, run, reader);
  const { corruption, rows } = reader;
  const { table, lines } = rows.result();
  const document: EpisodeDocument = {
    kind: 'episode',
    version,
    name,
    dialect: dialect.name,
    format: dialect.title,
    file: basename(path),
    run,
    bytes: told.bytes,
    table,
    account: told,
    corruption: corruption && `line ${corruption.line} is corrupt: ${corruption.message}`,
    verification: report && pageVerdict(report),
    meanings: meaningsOf(report?.findings ?? []),
    ...(upcasts.length > 0 && { upcasts }),
    states: corruption === undefined && canRebuild(dialect.name),
  };
  return { document, lines, skipped: told.skipped };
}
