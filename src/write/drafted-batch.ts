import { EventError } from '../base/errors.ts';
import type { FileSystem } from '../base/files/port.ts';
import { pushAll } from '../base/files/push-all.ts';
import { parseExactJson } from '../base/json/parse.ts';
import { JsonScanner } from '../base/json/scanner.ts';
import { isObject, type JsonObject, jsonEqual } from '../base/json/value.ts';
import type { Draft, StoredAt } from '../dialects/kit/writing.ts';
import { MAX_LINE_BYTES } from '../log/limits.ts';
import { readRange } from './undo.ts';

/** An event that was passed in, as stored in the log. */
export interface AppendedEvent {
  /** The physical line, from 1. */
  readonly line: number;
  /** The stored line, without its newline. */
  readonly text: string;
  /** False if the log already had it. */
  readonly isNew: boolean;
}

const scanner = new JsonScanner();

/** Refuses to write an event that no reader would accept. */
function lineOf(text: string, index: number): Buffer {
  const line = Buffer.from(`${text}\n`);
  const refuse = (why: string) =>
    new EventError('event-invalid', `event ${index + 1} cannot be stored: ${why}`, {
      hint: 'correct the event; nothing was appended',
    });
  if (line.length > MAX_LINE_BYTES) throw refuse(`it has ${line.length} bytes, more than a line may have`);
  if (!scanner.scan(line, 0, line.length - 1) || scanner.nonFiniteAt >= 0)
    throw refuse('it is nested too deeply, or has a value that JSON cannot store');
  return line;
}

/** Whether a record contains all these members with these values. */
function says(stored: unknown, members: JsonObject): boolean {
  return isObject(stored) && Object.keys(members).every((key) => jsonEqual(stored[key], members[key]));
}

async function storedLine(
  { line, byteStart, byteEnd }: StoredAt,
  log: string,
  files: FileSystem,
): Promise<AppendedEvent> {
  const file = await files.open(log, 'read');
  try {
    const bytes = await readRange(file, byteStart, byteEnd - byteStart);
    return { line, text: bytes.toString('utf8'), isNew: false };
  } finally {
    await file.close();
  }
}

/** A draft, or the existing event that it repeats. */
type ReadDraft =
  | Exclude<Draft, { kind: 'stored' }>
  | { readonly kind: 'known'; readonly event: AppendedEvent };

export class DraftedBatch {
  readonly sequence: number;
  readonly remarks: readonly string[];
  /** The new lines, each with its newline. */
  readonly lines: Buffer;
  readonly #drafts: readonly ReadDraft[];

  private constructor(drafts: readonly ReadDraft[], sequence: number) {
    this.#drafts = drafts;
    this.sequence = sequence;
    this.lines = Buffer.concat(
      drafts.flatMap((draft, index) => (draft.kind === 'new' ? [lineOf(draft.text, index)] : [])),
    );
    this.remarks = drafts.flatMap((draft) => (draft.kind === 'new' ? draft.remarks : []));
  }

  /** Looks up drafts that are in the log already. Throws `event-invalid` if the existing event differs. */
  static async of(
    log: string,
    drafts: readonly Draft[],
    sequence: number,
    files: FileSystem,
  ): Promise<DraftedBatch> {
    const read: ReadDraft[] = [];
    for (const [index, draft] of drafts.entries()) {
      if (draft.kind !== 'stored') {
        read.push(draft);
        continue;
      }
      const event = await storedLine(draft.at, log, files);
      if (draft.members && !says(parseExactJson(event.text.trim()), draft.members)) {
        throw new EventError(
          'event-invalid',
          `event ${index + 1} has the id of the event on line ${event.line}, but is a different one`,
          { place: { file: log, line: event.line }, hint: 'give the event another id; nothing was appended' },
        );
      }
      read.push({ kind: 'known', event });
    }
    return new DraftedBatch(read, sequence);
  }

  get hasNew(): boolean {
    return this.lines.length > 0;
  }

  /** The bytes to append. */
  bytes(afterUnfinishedLine: boolean): Buffer {
    return afterUnfinishedLine ? Buffer.concat([Buffer.from('\n'), this.lines]) : this.lines;
  }

  /** The events in order. `lines` is the number of lines before them. */
  appended(lines: number): AppendedEvent[] {
    const events: AppendedEvent[] = [];
    let line = lines;
    for (const draft of this.#drafts) {
      if (draft.kind === 'known') events.push(draft.event);
      else if (draft.kind === 'new') {
        line += 1;
        events.push({ line, text: draft.text, isNew: true });
      } else {
        const repeated = events.slice(draft.index, draft.index + 1);
        pushAll(
          events,
          repeated.map((event) => ({ ...event, isNew: false })),
        );
      }
    }
    return events;
  }
}
