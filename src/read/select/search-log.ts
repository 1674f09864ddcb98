import { closeSync, readSync } from 'node:fs';
import { openToRead } from '../../base/files/open-file.ts';
import type { JsonValue } from '../../base/json/value.ts';
import { isIncidental } from '../../base/text/incidental.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import type { EventSpan } from '../../dialects/kit/account.ts';
import { filterNamed } from '../../dialects/kit/record-filters.ts';
import { CorruptLines, type SkippedLines } from '../../log/corrupt-lines.ts';
import type { LogRecord } from '../../log/record.ts';
import type { Row } from '../../log/row.ts';
import { readUntilCorrupt } from '../../log/until-corrupt.ts';
import { compileFilters, type Filters, needsSpans } from './filter.ts';
import type { Finder, TextRange } from './find-text.ts';
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
  /** The lines of the text before and after that of the match, if they were requested. */
  readonly linesBefore?: readonly string[];
  readonly linesAfter?: readonly string[];
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

interface FieldText {
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
function* textsIn(value: JsonValue): Generator<FieldText, void, void> {
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

/** In UTF-16 units: longer lines of context are cut. */
const LONGEST_LINE = 500;

/** The lines around a line of a text. */
function linesAround(
  text: string,
  [from, to]: TextRange,
  count: number,
): Pick<Match, 'linesBefore' | 'linesAfter'> {
  const cut = (line: string) =>
    (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line).replace(/\r$/, '').toWellFormed();
  const before = from === 0 ? [] : text.slice(0, from - 1).split('\n');
  const after = to >= text.length ? [] : text.slice(to + 1).split('\n');
  return { linesBefore: before.slice(-count).map(cut), linesAfter: after.slice(0, count).map(cut) };
}

type Around = Pick<Match, 'field' | 'before' | 'match' | 'after' | 'linesBefore' | 'linesAfter'>;

/** A match with what is around it: on the same line if lines of context were requested. */
function around({ field, text }: FieldText, [from, to]: TextRange, context: number): Around {
  const line: TextRange = [
    text.lastIndexOf('\n', from - 1) + 1,
    (text.indexOf('\n', to) + 1 || text.length + 1) - 1,
  ];
  const [first, last] = context > 0 ? line : [0, text.length];
  const begin = Math.max(first, from - AROUND);
  const end = Math.min(last, to + AROUND);
  const match = text.slice(from, to);
  return {
    field,
    before: `${begin > first ? '…' : ''}${inOneLine(text.slice(begin, from))}`.toWellFormed(),
    match: match.length > LONGEST_MATCH ? `${match.slice(0, LONGEST_MATCH).toWellFormed()}…` : match,
    after: `${inOneLine(text.slice(to, end))}${end < last ? '…' : ''}`.toWellFormed(),
    ...(context > 0 && linesAround(text, line, context)),
  };
}

/** How much of the matches is kept. */
interface SearchLimits {
  /** The number of matches. */
  readonly limit?: number;
  /** The number of lines before and after each match. */
  readonly context?: number;
}

/** A log that is searched. */
interface SearchableLog {
  readonly name: string;
  readonly path: string;
  readonly dialect: Dialect;
}

/** What a match says about its record. */
type About = Pick<Match, 'line' | 'time' | 'kind' | 'agent' | 'tool'>;

/** A record of a batch that is searched at once. */
interface Candidate {
  readonly about: About;
  readonly said: readonly FieldText[];
}

/**
 * The texts of a record. Every record contains the name of the log itself, which does not count; nor do ids and times, unless the
 * finder may mean them.
 */
const saidIn = ({ value }: LogRecord, { name }: SearchableLog, { mayBeInIds }: Finder): FieldText[] =>
  [...textsIn(value)].filter(({ text }) => text !== name && (mayBeInIds || !isIncidental(text)));

function aboutOf(record: LogRecord, { dialect }: SearchableLog, tool: string | undefined): About {
  const { view } = dialect;
  const time = view.time(record);
  const agent = view.agent(record);
  return {
    line: record.line,
    ...(time !== undefined && { time }),
    kind: view.kind?.(record) ?? view.phase?.(record) ?? view.type(record) ?? 'event',
    ...(agent !== undefined && { agent }),
    ...(tool !== undefined && { tool }),
  };
}

/** The matching records of a batch. */
function found(batch: readonly Candidate[], finder: Finder, context: number): Match[] {
  const places = finder.placesIn(batch.flatMap(({ said }) => said.map(({ text }) => text)));
  let at = 0;
  return batch.flatMap(({ said, about }) => {
    const from = at;
    at += said.length;
    const hits = said.flatMap((one, index) => {
      const [first] = places[from + index] ?? [];
      return first ? [{ one, first }] : [];
    });
    // Sentences are more useful to a reader than ids and names.
    const hit = hits.find(({ one }) => one.text.includes(' ')) ?? hits[0];
    return hit === undefined ? [] : [{ ...about, ...around(hit.one, hit.first, context) }];
  });
}

/** Searches the records that may match, in log order, a batch at a time. */
class Search {
  readonly #finder: Finder;
  readonly #limit: number;
  readonly #context: number;
  readonly matches: Match[] = [];
  /** The number of matching records beyond the limit. */
  more = 0;
  #batch: Candidate[] = [];
  #texts: string[][] = [];

  constructor(finder: Finder, { limit = Infinity, context = 0 }: SearchLimits) {
    this.#finder = finder;
    this.#limit = limit;
    this.#context = context;
  }

  /** Whether matches are kept. The others are only counted. */
  get isOpen(): boolean {
    return this.matches.length < this.#limit;
  }

  add(record: LogRecord, log: SearchableLog, toolOf: (record: LogRecord) => string | undefined): void {
    const said = saidIn(record, log, this.#finder);
    if (this.isOpen) this.#batch.push({ about: aboutOf(record, log, toolOf(record)), said });
    else this.#texts.push(said.map(({ text }) => text));
    if (this.#batch.length >= Math.min(BATCH, this.#limit) || this.#texts.length === BATCH) this.take();
  }

  /** Searches what was added. */
  take(): void {
    for (const match of found(this.#batch, this.#finder, this.#context)) {
      if (this.isOpen) this.matches.push(match);
      else this.more += 1;
    }
    this.more += this.#finder.countIn(this.#texts);
    this.#batch = [];
    this.#texts = [];
  }
}

const toolIn = (span: EventSpan | undefined): string | undefined =>
  span?.operation?.kind === 'tool' ? span.operation.tool : undefined;

/** Adds the tools of matches on some lines, whose calls may be in other records. */
async function withTools(
  matches: readonly Match[],
  linked: ReadonlySet<number>,
  { path, dialect }: SearchableLog,
): Promise<readonly Match[]> {
  const last = matches.findLast(({ line }) => linked.has(line))?.line;
  if (last === undefined) return matches;
  const tools = new ResultTools(dialect);
  let isDone = false;
  const row = ({ record }: Row) => {
    if (isDone) return;
    tools.add(record);
    // A call may come after its result.
    isDone = record.line >= last && !tools.isWaiting;
  };
  const visitor = { row, isDone: () => isDone };
  await readUntilCorrupt(path, dialect.form, visitor, new CorruptLines(true));
  return matches.map((one) => {
    const tool = linked.has(one.line) ? tools.at(one.line)?.tool : undefined;
    if (tool === undefined) return one;
    const { field, before, match, after, ...about } = one;
    return { ...about, tool, field, before, match, after };
  });
}

/** Passes on the intact records that filters select. Returns the lines that were skipped. */
async function eachSelected(
  { path, dialect }: SearchableLog,
  filters: Filters,
  take: (record: LogRecord) => void,
): Promise<SkippedLines | undefined> {
  if (needsSpans(filters)) {
    // Only the whole log says which tool a result is of.
    const { lines, skipped } = await selectLines(path, { filters, partial: true }, dialect);
    for await (const record of recordsAt(path, lines, dialect.form)) take(record);
    return skipped;
  }
  const passes = compileFilters(filters, dialect);
  const corrupt = new CorruptLines(true);
  const row = ({ record }: Row) => {
    if (passes(record)) take(record);
  };
  await readUntilCorrupt(path, dialect.form, { row }, corrupt);
  return corrupt.skipped;
}

/**
 * Searches every text in the records of a log except the log's name. JSON escapes are decoded, and texts that are
 * JSON are searched inside. Counts the matches beyond the limit. Parses only the records whose bytes may match, and
 * those that say which tool a match is the result of.
 */
export async function searchLog(
  log: SearchableLog,
  finder: Finder,
  filters: Filters,
  limits: SearchLimits = {},
): Promise<SearchedLog> {
  const { path, dialect } = log;
  if (!mayHave(path, finder)) return { matches: [], more: 0 };
  const search = {
    wanted: '',
    isIn: (record: LogRecord) => finder.mayBeIn(record.printedBytes),
    placesIn: () => [],
  };
  const searched = new Search(finder, limits);
  /** The lines whose tool may be in another record. */
  const linked = new Set<number>();
  const ofRecord = filterNamed(dialect, 'tool');
  const spans = dialect.spans?.();
  const toolOf = (record: LogRecord): string | undefined => {
    const own = ofRecord?.value(record);
    if (own !== undefined) return own;
    if (spans === undefined) return toolIn(dialect.span?.(record.value));
    if (spans.hasCall(record.value)) linked.add(record.line);
    return undefined;
  };
  const skipped = await eachSelected(log, { ...filters, search }, (record) => {
    if (!dialect.view.repeats?.(record)) searched.add(record, log, toolOf);
  });
  searched.take();
  const matches = await withTools(searched.matches, linked, log);
  return { matches, more: searched.more, ...(skipped && { skipped }) };
}
