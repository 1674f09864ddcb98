import { appendFileSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { cannotWrite, UsageError } from '../../base/errors.ts';
import { listFiles, readEpisodeFile } from '../../base/files/files.ts';
import { makeFolders } from '../../base/files/make-folders.ts';
import { pushAll } from '../../base/files/push-all.ts';
import { lintJson } from '../../base/json/lint.ts';
import { parseExactJson } from '../../base/json/parse.ts';
import { writeJson } from '../../base/json/write.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { formatsInUse } from '../../dialects/registry.ts';
import { familyOf, type NamedProfile, profilesOf } from '../../findings/chains/choose.ts';
import { parsedAt, pathOf } from '../../findings/chains/paths.ts';
import { EventLogIntegrityError } from '../../log/integrity-error.ts';
import { AS_STORED, type LogForm } from '../../log/log-form.ts';
import type { LogRecord } from '../../log/record.ts';
import { readUntilCorrupt } from '../../log/until-corrupt.ts';
import type { RedactedCopy } from '../../read/outputs/redact.ts';
import { type RedactChoices, ValueRedactor } from './values.ts';

interface RedactSource {
  readonly log: string;
  readonly dialect: Dialect;
  /** The episode's folder, whose documents are copied too. */
  readonly dir?: string | undefined;
  /** Separate logs that belong to it. */
  readonly parts?: readonly string[] | undefined;
  /** If some of them are unpacked copies: the paths that they would have without packing. */
  readonly partPlaces?: readonly string[] | undefined;
  /** What may be such logs and is not read. */
  readonly unreadParts?: readonly string[] | undefined;
  /** If the log is a copy: its path without packing. Its other files are next to it. */
  readonly place?: string | undefined;
}

export type Redaction = Readonly<Omit<RedactedCopy, 'output'>>;

/** The number of UTF-16 units written at a time. */
const BATCH = 1 << 20;

/** Reads an intact log. Throws if a line is corrupt, because it may hide a secret. */
async function eachRecord(log: string, form: LogForm, record: (record: LogRecord) => void): Promise<void> {
  const { corruption } = await readUntilCorrupt(log, form, { record });
  if (corruption) throw new EventLogIntegrityError(log, corruption);
}

/**
 * The ids that records of a log use for each other, and the hashes and signatures of its chains. The copy could not be
 * verified without them.
 */
function namesIn(
  log: string,
  { view, aliases, form }: Dialect,
  chains: readonly NamedProfile[],
  into: Set<string>,
): Promise<void> {
  const proofs = chains.flatMap(({ profile: { each, link, hash, signature } }) =>
    [link, hash, signature?.member, signature?.key].flatMap((path) =>
      path === undefined ? [] : [pathOf(each === undefined ? path : `${each}.${path}`)],
    ),
  );
  const record = (record: LogRecord) => {
    const names = [view.id(record), view.cause?.(record), view.type(record), view.time(record)];
    for (const name of [...names, ...(aliases?.(record) ?? [])]) if (name !== undefined) into.add(name);
    for (const path of proofs) {
      const proof = parsedAt(record.exact, path);
      if (typeof proof === 'string') into.add(proof);
    }
  };
  return eachRecord(log, form, record);
}

/** Whether a key is repeated. Readers do not see the first value, which may be a secret. */
function hidesValue({
  bytes,
  valueStart,
  valueEnd,
}: Pick<LogRecord, 'bytes' | 'valueStart' | 'valueEnd'>): boolean {
  for (const { kind } of lintJson(bytes, valueStart, valueEnd)) if (kind === 'duplicate-key') return true;
  return false;
}

/** Copies a log, and returns whether the copy differs. */
async function copyLog(from: string, to: string, redactor: ValueRedactor): Promise<boolean> {
  let differs = false;
  makeFolders(dirname(to));
  writeFileSync(to, '', { flag: 'wx', mode: 0o600 });
  let lines = '';
  await eachRecord(from, AS_STORED, (record) => {
    const { exact, text } = record;
    const value = redactor.value(exact);
    const isSame = value === exact && !hidesValue(record);
    if (!isSame) differs = true;
    lines += `${isSame ? text : writeJson(value)}\n`;
    if (lines.length < BATCH) return;
    appendFileSync(to, lines);
    lines = '';
  });
  appendFileSync(to, lines);
  return differs;
}

/**
 * Replaces the secrets in a document or a file of lines. Returns it unchanged if there are none; undefined if
 * it is not JSON.
 */
function redactedText(name: string, text: string, redactor: ValueRedactor): string | undefined {
  const isLines = name.endsWith('.jsonl');
  if (!isLines && !name.endsWith('.json')) return undefined;
  try {
    const pieces = isLines ? text.split('\n') : [text];
    const values = pieces.map((piece) => {
      if (piece.trim() === '') return piece;
      const value = parseExactJson(piece);
      const redacted = redactor.value(value);
      const bytes = Buffer.from(piece);
      const hidden = hidesValue({ bytes, valueStart: 0, valueEnd: bytes.length });
      if (redacted === value && !hidden) return piece;
      return isLines ? writeJson(redacted) : `${writeJson(redacted, 2)}\n`;
    });
    return values.join('\n');
  } catch {
    return undefined;
  }
}

/** Copies the documents of an episode, except its seal, which only fits the original bytes. */
function copyDocuments(
  dir: string,
  names: readonly string[],
  to: string,
  redactor: ValueRedactor,
): { copied: string[]; leftOut: string[]; differs: boolean } {
  let differs = false;
  const copied: string[] = [];
  const leftOut: string[] = [];
  for (const name of names) {
    const outcome = readEpisodeFile(dir, name);
    if (outcome.kind === 'missing') continue;
    const original = outcome.kind === 'read' ? outcome.bytes.toString() : undefined;
    const text =
      original === undefined || SEAL.has(name) ? undefined : redactedText(name, original, redactor);
    if (text === undefined) {
      leftOut.push(name);
      continue;
    }
    if (text !== original) differs = true;
    const copy = nameInCopy(name, redactor);
    makeFolders(dirname(join(to, copy)));
    writeFileSync(join(to, copy), text, { flag: 'wx', mode: 0o600 });
    copied.push(copy);
  }
  return { copied, leftOut, differs };
}

const SEAL: ReadonlySet<string> = new Set(['final.json', 'manifest.json']);

/** The name of a file in the copy: a folder or file may be named after a user or an address. */
const nameInCopy = (name: string, { redactor }: ValueRedactor): string =>
  redactor.redact(name, { isName: true }).replaceAll(/\[redacted:([a-z-]+):(\d+)\]/g, '[redacted-$1-$2]');

/** Lists what is not valid for a copy with other bytes or without some files. `broken`: the chains of its records. */
function invalidIn(leftOut: readonly string[], differs: boolean, broken: readonly NamedProfile[]): string[] {
  const invalid = leftOut.some((name) => SEAL.has(name)) ? ['the seal'] : [];
  for (const name of new Set(broken.map(familyOf))) invalid.push(`the chain of the records (${name})`);
  if (differs) invalid.push('ids and hashes of replaced content');
  if (differs || leftOut.length > 0) invalid.push('signed checkpoints and attestations of the original');
  return invalid;
}

function requireEmpty(to: string): void {
  if (existsSync(to) && readdirSync(to).length > 0)
    throw new UsageError('usage', `${to} already exists and is not empty`, {
      place: { file: to },
      hint: 'name a folder that does not exist yet',
    });
}

function makeCopyFolder(to: string): void {
  try {
    makeFolders(to);
  } catch (error) {
    throw cannotWrite(to, error);
  }
}

/** Removes what was written into a folder that was empty or missing. */
function removeCopy(to: string, wasThere: boolean): void {
  if (!existsSync(to)) return;
  if (!wasThere) return rmSync(to, { recursive: true, force: true });
  for (const name of readdirSync(to)) rmSync(join(to, name), { recursive: true, force: true });
}

/**
 * Copies a log, its parts and the documents of its episode into a folder, and replaces likely secrets with placeholders.
 * Equal secrets get equal placeholders. Keeps ids that records use for each other, so the copy verifies like the original,
 * except for its seal. Does not change the original. Throws if a line is corrupt, because it may hide a secret, and leaves
 * no part of a copy.
 */
export async function redactLog(
  source: RedactSource,
  to: string,
  choices: RedactChoices,
): Promise<Redaction> {
  requireEmpty(to);
  const wasThere = existsSync(to);
  try {
    return await copyRedacted(source, to, choices);
  } catch (error) {
    removeCopy(to, wasThere);
    throw error;
  }
}

async function copyRedacted(
  { log, dialect, dir, parts = [], partPlaces = parts, unreadParts = [], place = log }: RedactSource,
  to: string,
  choices: RedactChoices,
): Promise<Redaction> {
  const names = new Set<string>();
  const logs = [log, ...parts];
  const chained = new Map(logs.map((path) => [path, profilesOf(path, formatsInUse().chains)]));
  for (const [path, chains] of chained) await namesIn(path, dialect, chains, names);
  makeCopyFolder(to);
  const redactor = new ValueRedactor(names, choices);
  const files: string[] = [];
  const nameIn = (path: string): string => {
    const name =
      path === log ? basename(log) : relative(dirname(place), partPlaces[parts.indexOf(path)] ?? path);
    return name.startsWith('..') ? basename(path) : name;
  };
  const originals = new Set(logs.map((path) => nameIn(path).replaceAll(sep, '/')));
  const changed: string[] = [];
  for (const path of logs) {
    const copy = nameInCopy(nameIn(path), redactor);
    if (await copyLog(path, join(to, copy), redactor)) changed.push(path);
    files.push(copy.replaceAll(sep, '/'));
  }
  const state = dialect.stateFile(place);
  const stateFile = state === undefined ? [] : [basename(state)];
  const listed = dir === undefined ? undefined : listFiles(dir);
  const others = listed?.files.filter(({ name }) => !originals.has(name)) ?? [];
  const documents = copyDocuments(
    dir ?? dirname(place),
    listed ? others.map(({ name }) => name) : stateFile,
    to,
    redactor,
  );
  pushAll(files, documents.copied);
  // A link that leads elsewhere, a FIFO or a device is not opened.
  const unread = unreadParts.map((path) => relative(dirname(place), path).replaceAll(sep, '/'));
  const leftOut = [...documents.leftOut, ...(listed?.others ?? []), ...unread];
  return {
    files,
    left_out: leftOut,
    replaced: redactor.redactor.report,
    no_longer_valid: invalidIn(
      leftOut,
      changed.length > 0 || documents.differs,
      changed.flatMap((path) => chained.get(path) ?? []),
    ),
  };
}
