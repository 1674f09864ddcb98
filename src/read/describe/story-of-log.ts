import type { Dialect } from '../../dialects/dialect.ts';
import { linesLeftOut } from '../../dialects/kit/lines-left-out.ts';
import { runOfRecord } from '../../dialects/kit/record-filters.ts';
import type {
  NoteItem,
  Story,
  StoryBuilder,
  StoryDetails,
  StoryItem,
  StoryTurn,
} from '../../dialects/kit/story.ts';
import { type LogUsage, lacksOfRun, usageOfRun } from '../../dialects/kit/usage.ts';
import { CorruptLines, type SkippedLines } from '../../log/corrupt-lines.ts';
import type { Corruption } from '../../log/corruption.ts';
import type { LogRecord } from '../../log/record.ts';
import { readUntilCorrupt, type SoundVisitor } from '../../log/until-corrupt.ts';
import { storyWithLostLines } from './lost-lines.ts';

export interface StoryOptions {
  /** One run of a log with many. */
  readonly run?: string | undefined;
  /** Include records that a story leaves out, such as bookkeeping, as notes. */
  readonly all?: boolean;
  /** Only the first lines of outputs are needed, and no whole inputs. */
  readonly isFolded?: boolean;
  /** Receives the progress of reading. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
}

/** A story and the part of the log it covers. */
export interface LogStory {
  readonly story: Story;
  readonly usage?: LogUsage;
  readonly events: number;
  /** The last line of the log. */
  readonly lastLine: number;
  /** Corrupt lines, which are left out. */
  readonly skipped?: SkippedLines;
  /** The first corruption. */
  readonly corruption?: Corruption;
  /** What the story does not show, if its format has it. */
  readonly details?: StoryDetails | undefined;
}

/** A record as an item, with the text of the table of events. */
function noteOf({ value, line }: LogRecord, dialect: Dialect, type: string | undefined): NoteItem {
  const time = dialect.eventTime(value);
  const text = dialect.columns.at(-1)?.cell(value) ?? '';
  return {
    kind: 'note',
    line,
    ...(time !== undefined && { time }),
    title: type ?? 'event',
    tone: 'muted',
    ...(text !== '' && { text }),
  };
}

/** The story of a format that does not define one: each record is an item. */
class RecordStory implements StoryBuilder {
  readonly #items: NoteItem[] = [];
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  add(record: LogRecord): void {
    this.#items.push(noteOf(record, this.#dialect, this.#dialect.view.type(record)));
  }

  result(): Story {
    const [first] = this.#items;
    return { status: 'unknown', turns: first ? [{ turn: 0, line: first.line, items: this.#items }] : [] };
  }
}

function linesOf(items: readonly StoryItem[]): number[] {
  return items.flatMap((item) =>
    item.kind === 'call' && item.result_line !== undefined ? [item.line, item.result_line] : [item.line],
  );
}

/** Adds the left-out records to the turns in which they were written. */
function withRest({ turns, ...story }: Story, notes: readonly NoteItem[]): Story {
  const placed = new Set(turns.flatMap(({ items }) => linesOf(items)));
  const rest = notes.filter(({ line }) => !placed.has(line));
  const [first] = turns;
  const whole: readonly StoryTurn[] =
    first === undefined || first.turn === 0 || !rest.some(({ line }) => line < first.line)
      ? turns
      : [{ turn: 0, line: 1, items: [] }, ...turns];
  let at = 0;
  return {
    ...story,
    turns: whole.map((turn, index) => {
      const start = at;
      const next = whole[index + 1]?.line ?? Infinity;
      while ((rest[at]?.line ?? Infinity) < next) at += 1;
      return { ...turn, items: [...turn.items, ...rest.slice(start, at)].sort((a, b) => a.line - b.line) };
    }),
  };
}

/** Builds the story of a log. A format without stories has one item per record. */
export const storyBuilder = async (
  dialect: Dialect,
  run?: string,
  isFolded?: boolean,
): Promise<StoryBuilder> => (await dialect.story?.(run, isFolded)) ?? new RecordStory(dialect);

/**
 * Reads a log once and makes a story of it. Corrupt lines are left out and named, so the rest can be read.
 */
export async function storyOfLog(
  path: string,
  dialect: Dialect,
  { run, all = false, isFolded, onBytes }: StoryOptions = {},
): Promise<LogStory> {
  const builder = await storyBuilder(dialect, run, isFolded);
  const runOf = run === undefined ? undefined : runOfRecord(dialect);
  const corrupt = new CorruptLines(true);
  const notes: NoteItem[] = [];
  let [events, lastLine] = [0, 0];
  const visitor: SoundVisitor = {
    row({ record }) {
      lastLine = record.line;
      if (runOf && runOf(record) !== run) return;
      events += 1;
      builder.add(record);
      if (all) notes.push(noteOf(record, dialect, dialect.view.type(record)));
    },
    lost: (line) => builder.lost?.(line),
    onBytes,
  };
  await readUntilCorrupt(path, dialect.form, visitor, corrupt);
  const story = builder.result();
  const { skipped, first: corruption, lines: lost } = corrupt;
  const usage = builder.usage?.();
  const whole = all ? withRest(story, notes) : story;
  const missing = lost.length + (usage === undefined ? 0 : await linesLeftOut(path));
  return {
    story: storyWithLostLines(whole, lost, usage !== undefined),
    ...(usage && { usage: { ...usage, ...(missing > 0 && { lost_lines: missing }) } }),
    events,
    lastLine,
    ...(skipped && { skipped }),
    ...(corruption && { corruption }),
    details: builder.details?.(),
  };
}

/** A story with the tokens of the run: those of its log, and of the logs of subagents. */
export function withUsage(story: Story, own: LogUsage = {}, parts: readonly LogUsage[] = []): Story {
  const usage = usageOfRun(own, parts);
  if (usage === undefined) return { ...story, ...lacksOfRun([own, ...parts]) };
  const { tokens, charges, models, lacks, subagents, parts: further } = usage;
  const byModel = Object.entries(models).map(([model, used]) => [model, used.tokens] as const);
  return {
    ...story,
    tokens,
    tokens_by_model: Object.fromEntries(byModel),
    ...(lacks && { lacks }),
    ...(charges && { charges }),
    ...(subagents && { subagents }),
    ...(further && { parts: further }),
  };
}
