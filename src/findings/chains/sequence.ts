import { named } from '../../base/json/write.ts';
import type { EventRemark, EventReporter, LoggedEvent } from '../check.ts';
import type { ChainRecord } from './digest.ts';
import type { Group, Tip } from './groups.ts';
import { type MemberPath, pathOf, textOf, valueAt } from './paths.ts';
import type { Profile } from './profile.ts';
import type { RecordFindings } from './record-findings.ts';

/** Checks that records are numbered without gaps. */
export class SequenceNumbers {
  readonly #chain: { pathOf(member: string): string[] };
  readonly #sequence: NonNullable<Profile['sequence']>;
  readonly #member: MemberPath;
  readonly #findings: RecordFindings;
  readonly #doubtful: EventReporter;

  /** `doubtful`: for findings that a damaged line may explain. */
  constructor(
    chain: { pathOf(member: string): string[] },
    sequence: NonNullable<Profile['sequence']>,
    findings: RecordFindings,
    doubtful: EventReporter,
  ) {
    this.#chain = chain;
    this.#sequence = sequence;
    this.#member = pathOf(sequence.member);
    this.#findings = findings;
    this.#doubtful = doubtful;
  }

  /** Checks the number of a record. Returns it as the next one should continue it. */
  check(
    row: LoggedEvent,
    group: Group,
    { index, root }: ChainRecord,
    follows: Tip,
    isAfterGap: boolean,
  ): Pick<Tip, 'number' | 'otherNumber'> {
    const { member, start } = this.#sequence;
    const stored = textOf(index, valueAt(index, root, this.#member));
    if (stored === undefined) {
      this.#findings.missing(row, member);
      return { number: undefined };
    }
    const number = Number.isSafeInteger(Number(stored)) ? Number(stored) : undefined;
    const { number: before, otherNumber } = follows;
    const right = group.count === 0 ? start : before === undefined ? undefined : before + 1;
    if (right === undefined || number === right) return { number };
    if (otherNumber !== undefined && number === otherNumber + 1) return { number };
    // The link or the hash of the record says the same.
    if (this.#findings.isWrong)
      return { number: number !== undefined && Math.abs(number) < 2 ** 52 ? number : right };
    const remark: EventRemark = {
      code: 'chain/sequence',
      message: `${member} is ${named(stored)}, but ${right} is expected${group.count === 0 ? ' of the first record' : ` after line ${follows.line}`}`,
      path: this.#chain.pathOf(member),
      expected: String(right),
      actual: stored,
    };
    if (isAfterGap) {
      this.#doubtful.at(row, remark);
      return { number: number ?? right };
    }
    this.#findings.fault(row, remark);
    return { number: right, otherNumber: number };
  }
}
