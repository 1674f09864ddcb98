import { statSync } from 'node:fs';
import type * as z from 'zod';
import { cannotRead, fileErrorCode, NoesisError, ReportError, reasonFor } from '../../base/errors.ts';
import { readWhole } from '../../base/files/open-file.ts';
import { NEWLINE } from '../../base/json/ascii.ts';
import { fromOutput } from '../../base/json/output.ts';
import { jsonIn } from '../../base/json/parse.ts';
import type { EpisodeReport, ReportHead } from '../../findings/report.ts';
import { episodeSchema, reportHeadSchema, reportSchema } from '../../findings/report-schema.ts';
import { linesBackwards } from '../../log/backwards.ts';
import { bytesBetween } from '../../log/bytes-between.ts';

/** A stored report. */
export interface ReportFile {
  readonly path: string;
  readonly head: ReportHead;
  /** Yields its episodes, reading on demand. Throws `report-invalid`. */
  episodes(): Iterable<EpisodeReport>;
}

const HINT = 'run noesis verify -f ndjson -o FILE (or -f json) to write a report';

const invalid = (path: string, why: string, line?: number, hint = HINT) =>
  new ReportError('report-invalid', `${path} ${why}`, {
    place: { file: path, ...(line !== undefined && { line }) },
    hint,
  });

/** The error for a file that is no report, which the user named instead of one. */
const noReport = (path: string, why: string) =>
  new ReportError('report-missing', `${path} is not ${why}`, { place: { file: path }, hint: HINT });

/** Describes the first place that does not fit. */
function issueOf({ issues }: z.ZodError): string {
  const [fault = ''] = issues.map(({ path, message }) => `: ${path.join('.')}: ${message}`);
  return fault;
}

/** Validates an episode but returns the stored value, because zod changes the order of members. */
function asEpisode(path: string, value: unknown, line: number): EpisodeReport {
  const outcome = episodeSchema.safeParse(value);
  if (!outcome.success) throw invalid(path, `is not the report of a run${issueOf(outcome.error)}`, line);
  return value as EpisodeReport;
}

const BLOCK = 256 * 1024;

/**
 * Yields the lines of a file. Closes the file between blocks, because there may be more reports than a
 * process may have open files.
 */
function* linesOf(path: string): Generator<string> {
  let rest: Buffer[] = [];
  for (let at = 0; ; ) {
    const block = bytesBetween(path, at, at + BLOCK);
    if (block.length === 0) break;
    at += block.length;
    let from = 0;
    for (let end = block.indexOf(NEWLINE); end !== -1; end = block.indexOf(NEWLINE, from)) {
      yield Buffer.concat([...rest, block.subarray(from, end)]).toString('utf8');
      rest = [];
      from = end + 1;
    }
    rest.push(block.subarray(from));
  }
  const last = Buffer.concat(rest).toString('utf8');
  if (last !== '') yield last;
}

/** Yields the episodes of NDJSON: all lines except the last. */
function* episodesInLines(path: string): Generator<EpisodeReport> {
  let line = 0;
  let held: { readonly text: string; readonly line: number } | undefined;
  for (const text of linesOf(path)) {
    line += 1;
    if (text === '') continue;
    if (held !== undefined) yield asEpisode(path, fromOutput(jsonIn(held.text)), held.line);
    held = { text, line };
  }
}

/** In bytes. Longer reports must be NDJSON. */
const LONGEST_DOCUMENT = 256 * 1024 * 1024;

function documentAt(path: string): ReportFile {
  const { size } = statSync(path);
  if (size > LONGEST_DOCUMENT)
    throw invalid(path, `has ${size} bytes: a report of this size is only read as NDJSON`);
  const value = fromOutput(jsonIn(readWhole(path).toString()));
  if (value === undefined) throw noReport(path, 'a complete report of noesis verify');
  const outcome = reportSchema.safeParse(value);
  if (!outcome.success) throw noReport(path, `a report of noesis verify${issueOf(outcome.error)}`);
  const { episodes, ...head } = value as ReportHead & { readonly episodes: readonly EpisodeReport[] };
  return { path, head, episodes: () => episodes };
}

function lastLine(path: string): string | undefined {
  for (const line of linesBackwards(path)) if (line !== '') return line;
  return undefined;
}

function reportIn(path: string): ReportFile {
  const last = fromOutput(jsonIn(lastLine(path) ?? ''));
  const head = reportHeadSchema.safeParse(last);
  if (head.success) return { path, head: last as ReportHead, episodes: () => episodesInLines(path) };
  if (episodeSchema.safeParse(last).success) {
    const hint = 'run that part again: it ended before the report was complete';
    throw invalid(path, 'lacks its last line, the summary: it is incomplete', undefined, hint);
  }
  return documentAt(path);
}

/** Opens a report in JSON or NDJSON. Throws `report-missing`, `report-invalid` and `unreadable`. */
export function openReportFile(path: string): ReportFile {
  try {
    return reportIn(path);
  } catch (error) {
    if (error instanceof NoesisError) throw error;
    throw cannotRead(path, reasonFor(fileErrorCode(error)), error);
  }
}
