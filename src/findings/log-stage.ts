import { duplicateKey } from '../base/json/lint.ts';
import { shellWord } from '../base/text/shell-word.ts';
import type { Corruption } from '../log/corruption.ts';
import { documentsText, filterOf, headOf, jsonDocumentsIn } from '../log/json-documents.ts';
import type { LogForm } from '../log/log-form.ts';
import { LINES_WANTED, otherForm } from '../log/other-forms.ts';
import { type FileVisitor, type LogExtent, readLog } from '../log/read.ts';
import type { LogRecord } from '../log/record.ts';
import { type Row, RowSource } from '../log/row.ts';
import { NO_COLUMNS, withColumns } from '../log/row-layout.ts';
import { chainCheck } from './chains/check.ts';
import type { ChainCheckSettings } from './chains/settings.ts';
import { type EventCheck, EventReporter, type LogEnd } from './check.ts';
import type { Findings } from './findings.ts';
import type { VerifyOptions } from './options.ts';
import { type Places, placesInRecord } from './place.ts';

const REPAIRS =
  'noesis salvage copies the intact records, and noesis doctor says whether a session can be repaired';

/** The hint for each kind of corruption. */
const HINTS: Readonly<Record<Corruption['code'], string>> = {
  'log/truncated': `restore the rest from a copy, unless the run still writes (noesis tail -f follows it); ${REPAIRS}`,
  'log/invalid-utf8': 'restore the line from a copy; noesis events --partial shows the other lines',
  'log/bom': 'write the log as UTF-8 without a byte order mark; editors and other tools add it',
  'log/nul-bytes': `look for a crash or a full disk at that time, and restore the bytes from a copy; ${REPAIRS}`,
  'log/invalid-json': 'restore the line from a copy; noesis events --partial shows the other lines',
  'log/glued-records': `find out which write was cut off, and followed by the next one without a newline; ${REPAIRS}`,
  'log/split-record': 'change the writer so that it escapes newlines inside strings as \\n',
  'log/not-object': 'write one JSON object per line',
  'log/non-finite': 'change the writer so that it stores null, or a string, for a number that is not finite',
  'log/too-deep': 'find out what wrote this line; no event is nested this deep',
  'log/too-many-values': 'store large data in a file, and refer to it',
  'log/line-too-long': 'find out what wrote this line; store large data in a file, and refer to it',
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
  let made: Places | undefined;
  const places = () => {
    made ??= placesInRecord(record);
    return made;
  };
  for (const notice of record.notices()) {
    const { kind, start, end, text } = notice;
    const code = kind === 'duplicate-key' ? 'log/duplicate-key' : 'log/unsafe-integer';
    const column = () => places().columnOf(start);
    findings.reportAt({ code, file, line: record.line, column }, () => {
      const message =
        kind === 'duplicate-key'
          ? duplicateKey(notice)
          : `the integer ${text.slice(0, 40)} is beyond 2^53: readers in JavaScript round it`;
      const place = { file, ...places().between(start, end), path: notice.path() };
      return { code, message, ...place, ...(eventId !== undefined && { eventId }) };
    });
  }
}

function reportStrayWhitespace(findings: Findings, file: string, { record, id }: Row): void {
  const stray = record.strayWhitespace;
  if (stray === undefined) return;
  const { from, to } = stray;
  findings.reportAt({ code: 'log/stray-whitespace', file, line: record.line }, () => ({
    code: 'log/stray-whitespace',
    message: 'white space around the record that JSON does not allow: the runtime strips it',
    file,
    ...placesInRecord(record).between(from, to),
    ...(id !== undefined && { eventId: id }),
  }));
}

/** A log to check, its name in findings, and its checks. */
interface LogToCheck {
  readonly path: string;
  readonly file: string;
  readonly checks: readonly EventCheck[];
  /** The raw bytes in order, for hashing. */
  readonly bytes?: FileVisitor['bytes'];
  /** Called between chunks. Its result is awaited. */
  readonly pressure?: () => Promise<void> | undefined;
  /** Receives the number of bytes of each chunk. */
  readonly onBytes?: VerifyOptions['onBytes'];
  /** How the chain of its records is checked; absent: not at all. */
  readonly chain?: ChainCheckSettings | undefined;
  /** Awaited after reading, before the checks get the end. */
  readonly settle?: () => Promise<void>;
  /** The form of its records. Its layout has the columns that the checks read, and the tables of acceptable records. */
  readonly form: LogForm;
}

/** Passes the rows of a log to its checks. */
class RowChecks {
  lastLine = 0;
  readonly #file: string;
  readonly #findings: Findings;
  readonly #checks: readonly EventCheck[];
  /** The methods of the checks, bound once, because there may be thousands of small logs. */
  readonly #bound: { see: (row: Row) => void; types: EventCheck['types'] }[] = [];
  /** The bound methods by type number. Most records concern few checks. */
  readonly #byType: ((row: Row) => void)[][] = [];

  constructor({ file }: LogToCheck, checks: readonly EventCheck[], findings: Findings) {
    this.#file = file;
    this.#findings = findings;
    this.#checks = checks;
    // Loops instead of flatMap, which takes a twentieth of the time of a small log.
    for (const check of checks)
      if (check.row) this.#bound.push({ see: check.row.bind(check), types: check.types });
  }

  row(row: Row): void {
    this.lastLine = row.line;
    const { type } = row;
    if (!row.isAccepted) {
      reportNotices(this.#findings, this.#file, row.record, row.id);
      reportStrayWhitespace(this.#findings, this.#file, row);
      for (const check of this.#checks) check.refused?.(row);
    }
    for (const see of this.#byType[type] ?? this.#boundFor(type)) see(row);
  }

  #boundFor(type: number): ((row: Row) => void)[] {
    const wanted: ((row: Row) => void)[] = [];
    for (const { see, types } of this.#bound) if (types?.has(type) !== false) wanted.push(see);
    this.#byType[type] = wanted;
    return wanted;
  }

  end(log: LogEnd): void {
    for (const check of this.#checks) check.end?.(log);
  }
}

/** Why no line of a file is a record, and how to convert it. Undefined for a log, however damaged. */
function whyNotLines(path: string, file: string): { message: string; hint: string } | undefined {
  const form = otherForm(headOf(path));
  if (form) return { message: `${form.what}: ${LINES_WANTED}`, hint: form.command(shellWord(file)) };
  const documents = jsonDocumentsIn(path);
  return (
    documents && {
      message: documentsText(documents),
      hint: `run jq -c ${shellWord(filterOf(documents.first))} ${shellWord(file)} > records.jsonl`,
    }
  );
}

/** Reports what the reader found out about the file. */
function reportExtent(findings: Findings, file: string, extent: LogExtent, lastLine: number): void {
  if (extent.missingFinalNewline) {
    const message = 'the last record is complete, but has no newline';
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
    const message = `the log grew while it was read: only its first ${extent.bytes} bytes were verified`;
    findings.report({ code: 'log/growing', message, file });
  }
  if (extent.changed !== undefined) {
    const message = `the log changed while it was read: ${extent.changed}`;
    findings.report({ code: 'log/changed', message, file });
  }
}

/**
 * Reads a log once, reports all findings of the `log` family, and passes every whole record to the checks.
 * Memory does not grow with the log, except for what the checks keep.
 */
export async function checkLog(log: LogToCheck, findings: Findings): Promise<LogExtent> {
  const { path, file, bytes, pressure, onBytes, settle } = log;
  let read = 0;
  const chain = log.chain && chainCheck(path, new EventReporter(findings, file), log.chain);
  const checks = new RowChecks(log, chain ? [...log.checks, chain] : log.checks, findings);
  const form = chain
    ? log.form.withLayout(withColumns(log.form.layout ?? NO_COLUMNS, chain.columns))
    : log.form;
  const rows = RowSource.open(form);
  try {
    let isFirst = true;
    let notLines: ReturnType<typeof whyNotLines>;
    const extent = await readLog(path, rows, {
      row: (row) => {
        isFirst = false;
        if (notLines === undefined) checks.row(row);
      },
      // No diagnosis is needed if no line is a record.
      wants: (code, line) => notLines === undefined && findings.wants({ code, file, line }),
      corrupt: (corruption) => {
        // A file whose first line is a record has lines.
        if (isFirst) notLines = whyNotLines(path, file);
        isFirst = false;
        if (notLines === undefined) reportCorruption(findings, file, corruption);
      },
      ...(bytes && { bytes }),
      between: (position) => {
        onBytes?.(position - read);
        read = position;
        return pressure?.()?.then(() => true);
      },
    });
    if (notLines) findings.report({ code: 'log/not-json-lines', ...notLines, file, line: 1 });
    else reportExtent(findings, file, extent, checks.lastLine);
    await settle?.();
    // Some lines of a document may look like records.
    const records = notLines === undefined ? extent.records : 0;
    checks.end({ whole: extent.whole, records, path });
    findings.settle(extent.whole);
    findings.chains.push(chain?.proof());
    return { ...extent, records };
  } finally {
    rows.close();
  }
}
