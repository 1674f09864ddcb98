import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { accountOfLog } from '../describe/account-of-log.ts';
import type { EpisodeReport } from '../findings/report.ts';
import type { Corruption } from '../log/corruption.ts';
import { version } from '../version.ts';
import type { EpisodeDocument, PageVerdict } from './document.ts';
import { canRebuild } from './html.ts';
import { meaningsOf } from './meanings.ts';
import { RowReader, type ViewedLog } from './read-rows.ts';

/** A page's document, and the stored lines that go with it. */
export interface EpisodePage {
  readonly document: EpisodeDocument;
  readonly lines: Buffer;
  /** The first line that is no event. */
  readonly corruption: Corruption | undefined;
}

/** What a page says of a verification. */
export function pageVerdict({ verdict, stages, findings, omitted = [] }: EpisodeReport): PageVerdict {
  return { verdict, stages, findings, omitted };
}

/** Makes the page of one log. Throws `usage` for a log that is too long for one. */
export async function episodePage(log: ViewedLog, report: EpisodeReport | undefined): Promise<EpisodePage> {
  const { name, path, dialect, run } = log;
  const reader = new RowReader(log);
  const told = await accountOfLog(path, dialect, run, false, reader);
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
    bytes: 'corruption' in told ? statSync(path).size : told.bytes,
    table,
    account: 'corruption' in told ? undefined : told,
    corruption: corruption && `line ${corruption.line} is corrupt: ${corruption.message}`,
    verification: report && pageVerdict(report),
    meanings: meaningsOf(report?.findings ?? []),
    states: corruption === undefined && canRebuild(dialect.name),
  };
  return { document, lines, corruption };
}
