import { type LogEnd, ReportingCheck } from '../../../findings/check.ts';
import type { FindingCode } from '../../../findings/codes.ts';
import type { FindingDraft } from '../../../findings/findings.ts';
import { IdIndex } from '../../../log/id-index.ts';
import { FaultStreak } from '../../kit/fault-streak.ts';
import type { StreamEvent } from '../rows.ts';
import { gapBefore, type Run, SequenceNumbers } from './numbers.ts';

/** At most this many findings of one kind are reported; the rest are only counted. */
const MAX_RANGES = 100;

/** Numbers in words: `5`, `5 and 6`, `5 to 9`. */
function span(from: number, to: number): string {
  if (from === to) return String(from);
  return to === from + 1 ? `${from} and ${to}` : `${from} to ${to}`;
}

type Kind = 'repeat' | 'late';

/** A repeated or late number. */
interface Fault {
  readonly kind: Kind;
  readonly sequence: number;
  readonly line: number;
  /** For a repeat, the line of the first occurrence. For a late number, the highest number so far. */
  readonly before: number;
}

/** What is known of a stream. */
interface Stream {
  readonly numbers: SequenceNumbers;
  readonly faults: FaultStreak<Fault>;
  readonly gaps: { readonly run: Run; readonly draft: FindingDraft }[];
}

/**
 * Checks that the numbers of each stream are 1, 2, 3 and so on (exarchos.md §4, §19). Known bugs of the store break
 * this, so it is a warning. Two events with one number may both be real (§18).
 */
export class SequenceCheck extends ReportingCheck {
  readonly #streams = new Map<string, Stream>();
  readonly #late = new IdIndex();
  readonly #reported = { repeat: 0, late: 0 };
  readonly #unreported = { repeat: 0, late: 0 };
  #gapsNoted = 0;

  /** The numbers of a stream; undefined if the log does not have the stream. */
  numbersOf(stream: string): SequenceNumbers | undefined {
    return this.#streams.get(stream)?.numbers;
  }

  row(logged: StreamEvent): void {
    const { sequence } = logged.event;
    const stream = this.#stream(logged.stream);
    if (typeof sequence !== 'number' || !Number.isSafeInteger(sequence) || sequence < 1) return;
    const { numbers } = stream;
    const highest = numbers.max;
    const step = numbers.take(sequence, logged.line);
    if (step.kind === 'skip') {
      if (this.#gapsNoted < MAX_RANGES) {
        this.#gapsNoted += 1;
        const draft = this.report.draft(logged, { code: 'sequence/gap', message: '', path: ['sequence'] });
        stream.gaps.push({ run: step.run, draft });
      }
    } else if (step.kind !== 'next') {
      const { kind } = step;
      const before = kind === 'repeat' ? step.line : highest;
      const code = kind === 'repeat' ? 'sequence/duplicate' : 'sequence/backwards';
      const remark = { code, path: ['sequence'], actual: String(sequence) } as const;
      stream.faults.add(logged, { kind, sequence, line: logged.line, before }, remark);
    }
  }

  end({ whole }: LogEnd): void {
    let gaps = 0;
    for (const [name, stream] of this.#streams) {
      stream.faults.close();
      // Missing numbers may be on corrupt lines.
      if (!whole) continue;
      gaps += stream.numbers.openGaps();
      for (const { run, draft } of stream.gaps) if (this.#reportGap(name, run, draft)) gaps -= 1;
    }
    this.#reportMore('sequence/gap', gaps);
    this.#reportMore('sequence/duplicate', this.#unreported.repeat);
    this.#reportMore('sequence/backwards', this.#unreported.late);
  }

  #reportMore(code: FindingCode, count: number): void {
    if (count > 0)
      this.report.report({
        code,
        file: this.report.file,
        message: `${count} more such places`,
      });
  }

  #stream(name: string): Stream {
    let stream = this.#streams.get(name);
    if (stream === undefined) {
      const faults = new FaultStreak<Fault>(this.report, {
        continues: (last, { kind, sequence }) =>
          last.kind === kind && (sequence === last.sequence || sequence === last.sequence + 1),
        message: (first, last) => this.#messageOf(first, last),
      });
      stream = { numbers: new SequenceNumbers(this.#late, name), faults, gaps: [] };
      this.#streams.set(name, stream);
    }
    return stream;
  }

  #messageOf({ kind, sequence: from, line, before }: Fault, last: Fault): string | undefined {
    if (this.#reported[kind] === MAX_RANGES) {
      this.#unreported[kind] += 1;
      return undefined;
    }
    this.#reported[kind] += 1;
    const lines = line === last.line ? '' : ` (lines ${span(line, last.line)})`;
    const numbers = `sequence ${span(from, last.sequence)}${lines}`;
    if (kind === 'late')
      return `${numbers} comes after ${before}: lines and numbers are not in the same order`;
    const first = from === last.sequence ? 'the number is' : 'the numbers are';
    const places = before === last.before ? 'line' : 'lines';
    return `${numbers}: ${first} already on ${places} ${span(before, last.before)}`;
  }

  #reportGap(name: string, run: Run, draft: FindingDraft): boolean {
    const { from, to, missing } = gapBefore(run);
    if (missing === 0) return false;
    const which = missing === to - from + 1 ? span(from, to) : `${missing} of the numbers ${span(from, to)}`;
    const verb = missing === 1 ? 'is' : 'are';
    const first = from === 1;
    this.report.report({
      ...draft,
      message: first
        ? `the stream begins at ${to + 1}: ${which} ${verb} missing`
        : `sequence ${from - 1} is followed by ${to + 1}: ${which} ${verb} missing`,
      ...(first && {
        hint: 'look for an older part of the log; a log begins like this after a rotation, or if it was deleted while the counter continued',
      }),
      // The program rotates the telemetry log, so it need not begin at 1.
      ...(first && name === 'telemetry' && { severity: 'info' }),
    });
    return true;
  }
}
