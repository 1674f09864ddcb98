import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { Dialect } from '../../dialects/dialect.ts';
import { UsageError } from '../../errors.ts';
import { lintJson } from '../../json/lint.ts';
import { parseExactJson } from '../../json/parse.ts';
import { writeJson } from '../../json/write.ts';
import { EventLogIntegrityError } from '../../log/integrity-error.ts';
import type { LogRecord } from '../../log/record.ts';
import { readUntilCorrupt } from '../../log/until-corrupt.ts';
import { type RedactChoices, ValueRedactor } from './values.ts';

/** What is to be copied. */
export interface RedactSource {
  readonly log: string;
  readonly dialect: Dialect;
  /** Logs of their own that belong to it. */
  readonly parts?: readonly string[] | undefined;
}

/** What was replaced. */
export interface Redaction {
  readonly files: readonly string[];
  readonly replaced: readonly {
    readonly rule: string;
    readonly places: number;
    readonly different: number;
  }[];
}

/** Where lines are written in one go, in UTF-16 units. */
const BATCH = 1 << 20;

/** Reads a log all of whose lines are whole. Throws where one is corrupt: a secret may lie in it. */
async function eachRecord(log: string, record: (record: LogRecord) => void): Promise<void> {
  const { corruption } = await readUntilCorrupt(log, { record });
  if (corruption) throw new EventLogIntegrityError(log, corruption);
}

/** The names by which the records of a log know each other: without them nothing could be verified. */
function namesIn(log: string, { view, aliases }: Dialect, into: Set<string>): Promise<void> {
  return eachRecord(log, (record) => {
    const names = [view.id(record), view.cause?.(record), view.type(record), view.time(record)];
    for (const name of [...names, ...(aliases?.(record) ?? [])]) if (name !== undefined) into.add(name);
  });
}

/** Whether a key is repeated: then the text has a value that no reader sees, and that may be a secret. */
function hidesValue({ bytes, valueStart, valueEnd }: LogRecord): boolean {
  for (const { kind } of lintJson(bytes, valueStart, valueEnd)) if (kind === 'duplicate-key') return true;
  return false;
}

async function copyLog(from: string, to: string, redactor: ValueRedactor): Promise<void> {
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, '', { flag: 'wx', mode: 0o600 });
  let lines = '';
  await eachRecord(from, (record) => {
    const { exact, text } = record;
    const value = redactor.value(exact);
    lines += `${value === exact && !hidesValue(record) ? text : writeJson(value)}\n`;
    if (lines.length < BATCH) return;
    appendFileSync(to, lines);
    lines = '';
  });
  appendFileSync(to, lines);
}

/** Copies the stored state of a log, where there is one. */
function copyState(from: string, to: string, redactor: ValueRedactor): void {
  const value = redactor.value(parseExactJson(readFileSync(from, 'utf8')));
  writeFileSync(to, `${writeJson(value, 2)}\n`, { flag: 'wx', mode: 0o600 });
}

function requireEmpty(to: string): void {
  if (existsSync(to) && readdirSync(to).length > 0)
    throw new UsageError('usage', `${to} is there and not empty`, {
      place: { file: to },
      hint: 'name a folder that is not there yet',
    });
}

/**
 * Copies a log with its parts and its state into a folder, with what looks like a secret replaced by placeholders that
 * are equal where the secrets are. Names by which records know each other stay, so that the copy verifies as the
 * original does, but for its seal. The original is only read. Throws where a line is corrupt: a secret may lie in it.
 */
export async function redactLog(
  { log, dialect, parts = [] }: RedactSource,
  to: string,
  choices: RedactChoices,
): Promise<Redaction> {
  requireEmpty(to);
  const names = new Set<string>();
  const logs = [log, ...parts];
  for (const path of logs) await namesIn(path, dialect, names);
  const redactor = new ValueRedactor(names, choices);
  const files: string[] = [];
  const nameIn = (path: string): string => {
    const name = relative(dirname(log), path);
    return name.startsWith('..') ? basename(path) : name;
  };
  for (const path of logs) {
    await copyLog(path, join(to, nameIn(path)), redactor);
    files.push(nameIn(path).replaceAll(sep, '/'));
  }
  const state = dialect.stateFile(log);
  if (state !== undefined && existsSync(state)) {
    copyState(state, join(to, basename(state)), redactor);
    files.push(basename(state));
  }
  return { files, replaced: redactor.redactor.report };
}
