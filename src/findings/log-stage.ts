import { duplicateKey } from '../json/lint.ts';
import type { Corruption } from '../log/corruption.ts';
import type { FastLane } from '../log/fast-lane.ts';
import { type FileVisitor, type LogExtent, readLog } from '../log/read.ts';
import type { LogRecord } from '../log/record.ts';
import { field } from '../log/record.ts';
import type { EventCheck, LoggedEvent } from './check.ts';
import type { Findings } from './findings.ts';
import { type Places, placesInRecord } from './place.ts';

const ID = field('id');

/** What to do about each kind of corruption. */
const HINTS: Readonly<Record<Corruption['code'], string>> = {
  'log/truncated':
    'the writer was cut off: events --partial shows what is whole; restore the rest from a copy',
  'log/invalid-utf8': 'restore the line from a copy: events --partial shows what comes before it',
  'log/bom': 'an editor or a tool put it there: write the log as UTF-8 without a byte order mark',
  'log/nul-bytes': 'look for a crash or a full disk at that time, and restore the bytes from a copy',
  'log/invalid-json': 'restore the line from a copy: events --partial shows what comes before it',
  'log/glued-records': 'the writer went on after a torn write: a newline is missing before this place',
  'log/split-record': 'the writer must escape newlines inside strings as \\n',
  'log/not-object': 'every line of a log is one JSON object',
  'log/non-finite': 'the writer must store null, or a string, where a number is not finite',
  'log/too-deep': 'find out what wrote this line: no event nests so deep',
  'log/line-too-long': 'find out what wrote this line: store large data in a file and refer to it',
};

function reportCorruption(findings: Findings, file: string, corruption: Corruption): void {
  const { lineExcerpt: _, ...place } = corruption;
  findings.report(Object.assign(place, { file, hint: HINTS[corruption.code] }));
}

function reportNotices(
  findings: Findings,
  file: string,
  record: LogRecord,
  eventId: string | undefined,
): void {
  let places: Places | undefined;
  for (const notice of record.notices()) {
    const { kind, start, end, text } = notice;
    const code = kind === 'duplicate-key' ? 'log/duplicate-key' : 'log/unsafe-integer';
    findings.reportAt({ code, file, line: record.line }, () => {
      places ??= placesInRecord(record);
      const message =
        kind === 'duplicate-key'
          ? duplicateKey(notice)
          : `the integer ${text.slice(0, 40)} lies beyond 2^53: readers in JavaScript round it`;
      const place = { file, ...places.between(start, end), path: notice.path() };
      return { code, message, ...place, ...(eventId !== undefined && { eventId }) };
    });
  }
}

/** A log to check: where it is, how findings name it, and who looks at its records. */
export interface LogToCheck {
  readonly path: string;
  readonly file: string;
  readonly checks: readonly EventCheck[];
  /** The raw bytes in their order, for hashing. */
  readonly bytes?: FileVisitor['bytes'];
  /** Called between chunks; what it returns is awaited. */
  readonly pressure?: () => Promise<void> | undefined;
  /** Awaited when all has been read, before the checks hear of the end. */
  readonly settle?: () => Promise<void>;
  /** Takes records there is nothing to say about past the checks. */
  readonly fast?: FastLane | undefined;
  /** Sees the records that the fast lane accepted and marked as worth seeing. */
  readonly accepted?: (record: LogRecord) => void;
}

/**
 * Reads a log once, reports all that the `log` family knows, and hands every whole record to the checks; they hear at
 * the end whether the log was whole. Memory stays flat but for what the checks keep.
 */
export async function checkLog(
  { path, file, checks, bytes, pressure, settle, fast, accepted }: LogToCheck,
  findings: Findings,
): Promise<LogExtent> {
  let lastLine = 0;
  const extent = await readLog(path, {
    record(record) {
      lastLine = record.line;
      const id = record.string(ID);
      reportNotices(findings, file, record, id);
      const logged: LoggedEvent = { record, event: record.value, line: record.line, id };
      for (const check of checks) check.event?.(logged);
    },
    corrupt: (corruption) => reportCorruption(findings, file, corruption),
    ...(bytes && { bytes }),
    ...(accepted && { accepted }),
    ...(pressure && { between: () => pressure()?.then(() => true) }),
    fast,
  });
  if (extent.missingFinalNewline) {
    const message = 'the last record is whole and lacks its newline';
    findings.report({
      code: 'log/no-final-newline',
      message,
      file,
      line: lastLine,
      byteStart: extent.bytes,
      byteEnd: extent.bytes,
    });
  }
  if (extent.grew) {
    const message = `the log grew while it was read: this speaks of its first ${extent.bytes} bytes`;
    findings.report({ code: 'log/growing', message, file });
  }
  if (extent.changed !== undefined) {
    const message = `the log changed while it was read: ${extent.changed}`;
    findings.report({ code: 'log/changed', message, file });
  }
  await settle?.();
  const { whole, records } = extent;
  for (const check of checks) check.end?.({ whole, records });
  return extent;
}
