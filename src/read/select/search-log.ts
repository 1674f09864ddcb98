import { closeSync, readSync } from 'node:fs';
import { openToRead } from '../../base/files/open-file.ts';
import type { JsonValue } from '../../base/json/value.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { filterNamed } from '../../dialects/kit/record-filters.ts';
import type { SkippedLines } from '../../log/corrupt-lines.ts';
import type { LogRecord } from '../../log/record.ts';
import type { Filters } from './filter.ts';
import type { Finder, Place } from './find-text.ts';
import { recordsAt } from './records-at.ts';
import { ResultTools } from './result-tools.ts';
import { selectLines } from './select.ts';

/** A matching record. Absent values are left out. */
export interface Match {
  readonly line: number;
  /** ISO 8601, as stored. */
  readonly time?: string;
  /** The kind, phase or type of the record. */
  readonly kind: string;
  readonly agent?: string;
  readonly tool?: string;
  /** The first matching member, such as `message.content[0].text`. */
  readonly field: string;
  /** The match with some text before and after it. */
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

export interface SearchedLog {
  readonly matches: readonly Match[];
  /** The number of further matching records. */
  readonly more: number;
  /** Corrupt lines, which were not searched. */
  readonly skipped?: SkippedLines | undefined;
}

const BLOCK = 1 << 20;
/** In UTF-16 units: how much text around a match, and of the match, is shown. */
const AROUND = 120;
const LONGEST_MATCH = 200;
/** The number of records searched at a time. */
const BATCH = 64;

/** One buffer for all logs, because a search reads thousands of them. */
let shared = Buffer.allocUnsafeSlow(0);

/** Whether a file may contain a match, judging by its bytes. */
export function mayHave(path: string, finder: Finder): boolean {
  const file = openToRead(path);
  try {
    if (shared.length < BLOCK + finder.overlap) shared = Buffer.allocUnsafeSlow(BLOCK + finder.overlap);
    const block = shared;
    let kept = 0;
    for (;;) {
      const count = readSync(file, block, kept, BLOCK, null);
      if (count === 0) return false;
      const end = kept + count;
      if (finder.mayBeIn(block.subarray(0, end))) return true;
      kept = Math.min(finder.overlap, end);
      block.copy(block, 0, end - kept, end);
    }
  } finally {
    closeSync(file);
  }
}

interface Said {
  readonly field: string;
  readonly text: string;
}

/** The object or list in a text that is JSON, such as the arguments of a call. */
function valueInText(text: string): JsonValue | undefined {
  if (!/^[[{]/.test(text) || !/[\]}]\s?$/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Yields the texts in a value with their paths. If a text is JSON, the texts in it come first, with the same
 * path.
 */
function* textsIn(value: JsonValue): Generator<Said, void, void> {
  // Not recursive, because a hostile record may be nested deeply.
  const open: { readonly value: JsonValue; readonly field: string; readonly isInText?: true }[] = [
    { value, field: '' },
  ];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value: one, field, isInText } = next;
    if (typeof one === 'string') {
      const parsed = isInText ? undefined : valueInText(one);
      if (parsed === undefined) yield { field, text: one };
      else open.push({ value: one, field, isInText: true }, { value: parsed, field, isInText: true });
    }
    if (typeof one !== 'object' || one === null) continue;
    const at = (place: string) => (isInText ? { field, isInText } : { field: `${field}${place}` });
    const members = Array.isArray(one)
      ? one.map((item, index) => ({ value: item, ...at(`[${index}]`) }))
      : Object.entries(one).map(([name, item]) => ({
          value: item,
          ...at(field === '' ? name : `.${name}`),
        }));
    for (const member of members.reverse()) open.push(member);
  }
}

const inOneLine = (text: string): string => text.replace(/\s+/g, ' ');

function around(
  { field, text }: Said,
  [from, to]: Place,
): Pick<Match, 'field' | 'before' | 'match' | 'after'> {
  const begin = Math.max(0, from - AROUND);
  const end = Math.min(text.length, to + AROUND);
  const match = text.slice(from, to);
  return {
    field,
    before: `${begin > 0 ? '…' : ''}${inOneLine(text.slice(begin, from))}`.toWellFormed(),
    match: match.length > LONGEST_MATCH ? `${match.slice(0, LONGEST_MATCH).toWellFormed()}…` : match,
    after: `${inOneLine(text.slice(to, end))}${end < text.length ? '…' : ''}`.toWellFormed(),
  };
}

/** A log that is searched. */
interface SearchableLog {
  readonly name: string;
  readonly path: string;
  readonly dialect: Dialect;
}

/** The parts of a record that are kept until its batch is searched. */
interface Candidate extends Pick<Match, 'line' | 'time' | 'kind' | 'agent' | 'tool'> {
  readonly said: readonly Said[];
}

function candidateOf(record: LogRecord, { name, dialect }: SearchableLog, tools: ResultTools): Candidate {
  const { view } = dialect;
  const time = view.time(record);
  const agent = view.agent(record);
  const tool = filterNamed(dialect, 'tool')?.value(record) ?? tools.at(record.line)?.tool;
  return {
    line: record.line,
    ...(time !== undefined && { time }),
    kind: view.kind?.(record) ?? view.phase?.(record) ?? view.type(record) ?? 'event',
    ...(agent !== undefined && { agent }),
    ...(tool !== undefined && { tool }),
    // Every record contains the name of the log itself.
    said: [...textsIn(record.value)].filter(({ text }) => text !== name),
  };
}

/** The matching records of a batch. */
function found(batch: readonly Candidate[], finder: Finder): Match[] {
  const places = finder.placesIn(batch.flatMap(({ said }) => said.map(({ text }) => text)));
  let at = 0;
  return batch.flatMap(({ said, ...candidate }) => {
    const from = at;
    at += said.length;
    const hits = said.flatMap((one, index) => {
      const [first] = places[from + index] ?? [];
      return first ? [{ one, first }] : [];
    });
    // Sentences are more useful to a reader than ids and names.
    const hit = hits.find(({ one }) => one.text.includes(' ')) ?? hits[0];
    return hit === undefined ? [] : [{ ...candidate, ...around(hit.one, hit.first) }];
  });
}

/**
 * Searches every text in the records of a log except the log's name. JSON escapes are decoded, and texts that are
 * JSON are searched inside. Keeps `limit` matches and counts the others. A log is not parsed if its bytes cannot
 * match.
 */
export async function searchLog(
  log: SearchableLog,
  finder: Finder,
  filters: Filters,
  limit = Infinity,
): Promise<SearchedLog> {
  const { path, dialect } = log;
  if (!mayHave(path, finder)) return { matches: [], more: 0 };
  const search = {
    wanted: '',
    isIn: (record: LogRecord) => finder.mayBeIn(record.printedBytes),
    placesIn: () => [],
  };
  const tools = new ResultTools(dialect);
  const query = { filters: { ...filters, search }, partial: true };
  const { lines, skipped } = await selectLines(path, query, dialect, undefined, tools);
  const matches: Match[] = [];
  let more = 0;
  let batch: Candidate[] = [];
  const take = () => {
    for (const match of found(batch, finder)) {
      if (matches.length < limit) matches.push(match);
      else more += 1;
    }
    batch = [];
  };
  for await (const record of recordsAt(path, lines)) {
    if (dialect.view.repeats?.(record)) continue;
    batch.push(candidateOf(record, log, tools));
    if (batch.length === BATCH) take();
  }
  take();
  return { matches, more, ...(skipped && { skipped }) };
}
