import type { EventCheck, EventReporter, LogEnd, LoggedEvent } from '../../../findings/check.ts';
import type { FindingCode } from '../../../findings/codes.ts';
import type { FindingDraft } from '../../../findings/findings.ts';
import { IdIndex } from '../../../log/id-index.ts';
import type { StreamNamer } from '../identity.ts';
import { gapBefore, type Run, SequenceNumbers } from './numbers.ts';

/** More findings of one kind than this say no more to anybody; their number is told instead. */
const MAX_RANGES = 100;

/** Numbers in words: `5`, `5 and 6`, `5 to 9`. */
export function span(from: number, to: number): string {
  if (from === to) return String(from);
  return to === from + 1 ? `${from} and ${to}` : `${from} to ${to}`;
}

type Kind = 'repeat' | 'late';

/** Neighbouring numbers with the same fault, to be told as one. */
interface Range {
  readonly kind: Kind;
  readonly from: number;
  to: number;
  records: number;
  readonly draft: FindingDraft;
  readonly firstLine: number;
  lastLine: number;
  /** Where the numbers stood first, for a repeat; the highest number so far, for a late one. */
  readonly before: number;
  lastBefore: number;
}

/** What is known of one stream of the log. */
interface Stream {
  readonly numbers: SequenceNumbers;
  range: Range | undefined;
  readonly gaps: { readonly run: Run; readonly draft: FindingDraft }[];
}

/**
 * Sequences: 1, 2, 3 and so on in each stream (exarchos.md §4, §19). Known bugs of the store break this, so it is a
 * warning; a repeated number may well stand for two real events (§18).
 */
export class SequenceCheck implements EventCheck {
  readonly #report: EventReporter;
  readonly #streamOf: StreamNamer;
  readonly #streams = new Map<string, Stream>();
  readonly #late = new IdIndex();
  readonly #told = { repeat: 0, late: 0 };
  readonly #untold = { repeat: 0, late: 0 };
  #gapsNoted = 0;

  constructor(report: EventReporter, streamOf: StreamNamer) {
    this.#report = report;
    this.#streamOf = streamOf;
  }

  /** The numbers of a stream; undefined when the log has none of it. */
  numbersOf(stream: string): SequenceNumbers | undefined {
    return this.#streams.get(stream)?.numbers;
  }

  row(logged: LoggedEvent): void {
    const { sequence } = logged.event;
    const stream = this.#stream(this.#streamOf(logged.event));
    if (typeof sequence !== 'number' || !Number.isSafeInteger(sequence) || sequence < 1) return;
    const { numbers } = stream;
    const highest = numbers.max;
    const step = numbers.take(sequence, logged.line);
    if (step.kind === 'skip') {
      if (this.#gapsNoted < MAX_RANGES) {
        this.#gapsNoted += 1;
        const draft = this.#report.draft(logged, { code: 'sequence/gap', message: '', path: ['sequence'] });
        stream.gaps.push({ run: step.run, draft });
      }
    } else if (step.kind !== 'next') {
      this.#widen(stream, logged, step.kind, sequence, step.kind === 'repeat' ? step.line : highest);
    }
  }

  end({ whole }: LogEnd): void {
    let gaps = 0;
    for (const [name, stream] of this.#streams) {
      this.#close(stream);
      // Where lines are corrupt the missing numbers may stand on them.
      if (!whole) continue;
      gaps += stream.numbers.openGaps();
      for (const { run, draft } of stream.gaps) if (this.#tellGap(name, run, draft)) gaps -= 1;
    }
    this.#tellMore('sequence/gap', gaps);
    this.#tellMore('sequence/duplicate', this.#untold.repeat);
    this.#tellMore('sequence/backwards', this.#untold.late);
  }

  #tellMore(code: FindingCode, count: number): void {
    if (count > 0)
      this.#report.report({
        code,
        file: this.#report.file,
        message: `${count} more places like those told apart`,
      });
  }

  #stream(name: string): Stream {
    let stream = this.#streams.get(name);
    if (stream === undefined) {
      stream = { numbers: new SequenceNumbers(this.#late, name), range: undefined, gaps: [] };
      this.#streams.set(name, stream);
    }
    return stream;
  }

  #widen(stream: Stream, logged: LoggedEvent, kind: Kind, sequence: number, before: number): void {
    const { range } = stream;
    if (range !== undefined && range.kind === kind && (sequence === range.to + 1 || sequence === range.to)) {
      range.to = sequence;
      range.records += 1;
      range.lastLine = logged.line;
      range.lastBefore = before;
      return;
    }
    this.#close(stream);
    const code = kind === 'repeat' ? 'sequence/duplicate' : 'sequence/backwards';
    const draft = this.#report.draft(logged, {
      code,
      message: '',
      path: ['sequence'],
      actual: String(sequence),
    });
    const { line } = logged;
    stream.range = {
      kind,
      from: sequence,
      to: sequence,
      records: 1,
      draft,
      firstLine: line,
      lastLine: line,
      before,
      lastBefore: before,
    };
  }

  #close(stream: Stream): void {
    const { range } = stream;
    stream.range = undefined;
    if (range === undefined) return;
    if (this.#told[range.kind] === MAX_RANGES) {
      this.#untold[range.kind] += 1;
      return;
    }
    this.#told[range.kind] += 1;
    const { kind, from, to, draft, firstLine, lastLine, before, lastBefore } = range;
    const numbers = `sequence ${span(from, to)}`;
    const stand = firstLine === lastLine ? '' : ` (lines ${span(firstLine, lastLine)})`;
    const message =
      kind === 'repeat'
        ? `${numbers}${stand}: ${from === to ? 'the number stands' : 'the numbers stand'} on line ${span(before, lastBefore)} already`
        : `${numbers}${stand} comes after ${before}: the order of the lines is not that of the numbers`;
    this.#report.report({ ...draft, message });
  }

  #tellGap(name: string, run: Run, draft: FindingDraft): boolean {
    const { from, to, missing } = gapBefore(run);
    if (missing === 0) return false;
    const which = missing === to - from + 1 ? span(from, to) : `${missing} of the numbers ${span(from, to)}`;
    const verb = missing === 1 ? 'is' : 'are';
    const first = from === 1;
    this.#report.report({
      ...draft,
      message: first
        ? `the stream begins at ${to + 1}: ${which} ${verb} missing`
        : `sequence ${from - 1} is followed by ${to + 1}: ${which} ${verb} missing`,
      ...(first && { hint: 'a rotated log begins so, and one that was deleted while the counter went on' }),
      // The program rotates this stream, so that it does not begin at 1.
      ...(first && name === 'telemetry' && { severity: 'info' }),
    });
    return true;
  }
}
