import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { Dialect } from '../../dialects/dialect.ts';
import { UsageError } from '../../errors.ts';
import { parseExactJson } from '../../json/parse.ts';
import { isObject, type JsonValue } from '../../json/value.ts';
import { writeJson } from '../../json/write.ts';
import { EventLogIntegrityError } from '../../log/integrity-error.ts';
import type { LogRecord } from '../../log/record.ts';
import { readUntilCorrupt } from '../../log/until-corrupt.ts';
import { Redactor } from '../../text/secrets.ts';

/** What is to be copied. */
export interface RedactSource {
  readonly log: string;
  readonly dialect: Dialect;
  /** Logs of their own that belong to it. */
  readonly parts?: readonly string[] | undefined;
}

/** What is to be left as it is, and what is not to be copied at all: dotted paths; an index counts for no part of one. */
export interface RedactChoices {
  readonly keep: readonly string[];
  readonly drop: readonly string[];
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

/** Replaces what looks like a secret in JSON values; what others refer to by name stays. */
class ValueRedactor {
  readonly redactor = new Redactor();
  readonly #names: ReadonlySet<string>;
  readonly #keep: ReadonlySet<string>;
  readonly #drop: ReadonlySet<string>;

  constructor(names: ReadonlySet<string>, { keep, drop }: RedactChoices) {
    this.#names = names;
    this.#keep = new Set(keep);
    this.#drop = new Set(drop);
  }

  /** The value with its secrets replaced: the very same where there are none. */
  value(value: JsonValue, path = ''): JsonValue {
    if (this.#keep.has(path)) return value;
    if (path !== '' && this.#drop.has(path)) return this.redactor.dropped();
    if (typeof value === 'string') return this.#names.has(value) ? value : this.redactor.redact(value);
    if (Array.isArray(value)) {
      const items = value.map((item) => this.value(item, path));
      return items.every((item, index) => item === value[index]) ? value : items;
    }
    if (!isObject(value)) return value;
    let changed = false;
    const entries = Object.entries(value).map(([key, member]): [string, JsonValue] => {
      const newKey = this.#names.has(key) ? key : this.redactor.redact(key);
      const newMember = this.value(member, path === '' ? key : `${path}.${key}`);
      changed ||= newKey !== key || newMember !== member;
      return [newKey, newMember];
    });
    return changed ? Object.fromEntries(entries) : value;
  }
}

/** Reads a log all of whose lines are whole. Throws where one is corrupt: a secret may lie in it. */
async function eachRecord(log: string, record: (record: LogRecord) => void): Promise<void> {
  const { corruption } = await readUntilCorrupt(log, { record });
  if (corruption) throw new EventLogIntegrityError(log, corruption);
}

/** The names by which the records of a log know each other: without them nothing could be verified. */
function namesIn(log: string, { view, aliases }: Dialect, into: Set<string>): Promise<void> {
  return eachRecord(log, (record) => {
    const names = [
      view.id(record),
      view.cause?.(record),
      view.type(record),
      view.time(record),
      view.agent(record),
    ];
    for (const name of [...names, ...(aliases?.(record) ?? [])]) if (name !== undefined) into.add(name);
  });
}

async function copyLog(from: string, to: string, redactor: ValueRedactor): Promise<void> {
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, '', { flag: 'wx', mode: 0o600 });
  let lines = '';
  await eachRecord(from, ({ exact, text }) => {
    const value = redactor.value(exact);
    lines += `${value === exact ? text : writeJson(value)}\n`;
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
