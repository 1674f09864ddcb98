import type { Dialect } from '../dialects/dialect.ts';
import { runOfRecord } from '../dialects/record-filters.ts';
import type { NoteItem, Story, StoryBuilder, StoryItem, StoryTurn } from '../dialects/story.ts';
import { CorruptLines, type SkippedLines } from '../log/corrupt-lines.ts';
import type { LogRecord } from '../log/record.ts';
import { readUntilCorrupt, type SoundVisitor } from '../log/until-corrupt.ts';

/** What of a log becomes a story. */
export interface StoryOptions {
  /** One run of a log that holds many. */
  readonly run?: string | undefined;
  /** Also the records that the story leaves out, such as bookkeeping: each as a note. */
  readonly all?: boolean;
  /** Hears how far the reading has come. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
}

/** A story and what of its log it is of. */
export interface LogStory {
  readonly story: Story;
  readonly events: number;
  /** The last line of the log. */
  readonly lastLine: number;
  /** Corrupt lines, which are left out. */
  readonly skipped?: SkippedLines;
}

/** A record as an item: its type, and what the table of events says of it. */
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

/** The story of a format that has none of its own: each record is an item. */
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

/** The story with the records that it leaves out, each in the turn that it was written in. */
function withRest({ turns, ...story }: Story, notes: readonly NoteItem[]): Story {
  const told = new Set(turns.flatMap(({ items }) => linesOf(items)));
  const rest = notes.filter(({ line }) => !told.has(line));
  const [first] = turns;
  const whole: readonly StoryTurn[] =
    first === undefined || first.turn === 0 || !rest.some(({ line }) => line < first.line)
      ? turns
      : [{ turn: 0, line: 1, items: [] }, ...turns];
  const isOf = ({ line }: NoteItem, index: number): boolean =>
    (index === 0 || line >= (whole[index]?.line ?? 0)) && line < (whole[index + 1]?.line ?? Infinity);
  return {
    ...story,
    turns: whole.map((turn, index) => ({
      ...turn,
      items: [...turn.items, ...rest.filter((note) => isOf(note, index))].sort((a, b) => a.line - b.line),
    })),
  };
}

/**
 * Reads a log once and makes a text of it that is read from top to bottom. Corrupt lines are left out and named: what is
 * whole can be read whatever happened to the rest.
 */
export async function storyOfLog(
  path: string,
  dialect: Dialect,
  { run, all = false, onBytes }: StoryOptions = {},
): Promise<LogStory> {
  const builder = (await dialect.story?.(run)) ?? new RecordStory(dialect);
  const runOf = run === undefined ? undefined : runOfRecord(dialect);
  const corrupt = new CorruptLines(true);
  const notes: NoteItem[] = [];
  let [events, lastLine] = [0, 0];
  const visitor: SoundVisitor = {
    record(record) {
      lastLine = record.line;
      if (runOf && runOf(record) !== run) return;
      events += 1;
      builder.add(record);
      if (all) notes.push(noteOf(record, dialect, dialect.view.type(record)));
    },
    onBytes,
  };
  await readUntilCorrupt(path, visitor, corrupt);
  const story = builder.result();
  const { skipped } = corrupt;
  return { story: all ? withRest(story, notes) : story, events, lastLine, ...(skipped && { skipped }) };
}
