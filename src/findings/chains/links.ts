import { named } from '../../base/json/write.ts';
import type { EventRemark, EventReporter, LoggedEvent } from '../check.ts';
import type { FindingDraft } from '../findings.ts';
import { AllOrSome } from './all-or-some.ts';
import type { ChainRecord } from './digest.ts';
import type { Group, Tip } from './groups.ts';
import { type Condition, conditionOf, holds, type MemberPath, pathOf, textOf, valueAt } from './paths.ts';
import type { Profile } from './profile.ts';
import type { RecentHashes } from './recent-hashes.ts';

/** A broken link whose reason may follow in the log. */
interface Pending {
  readonly draft: FindingDraft;
  readonly line: number;
  readonly before: number;
  /** The number of missing records, by their sequence. */
  readonly missing: number | undefined;
}

/** At most this many findings wait for a record that may follow. */
const MOST_PENDING = 1000;
/** If so many links are wrong and none is right, one finding says so. */
const MANY = 3;

/** Which record another one follows. */
interface Linked {
  readonly follows: Tip;
  /** It follows a record before a break. */
  readonly isReattached: boolean;
  readonly isWrong: boolean;
}

/** The links that the first record of a chain may have. */
export function genesisOf(genesis: Profile['genesis'] = []): {
  readonly texts: readonly string[];
  readonly isAbsent: boolean;
  readonly isNull: boolean;
} {
  const all = [genesis].flat();
  return {
    texts: all.filter((one) => one !== 'absent' && one !== 'null'),
    isAbsent: all.includes('absent'),
    isNull: all.includes('null'),
  };
}

const addedCopy = (line: number): string => `the record is a copy of line ${line}: it was added`;

/** Checks that each record names the one before it, and finds out what was done if it does not. */
export class Links {
  readonly #chain: { readonly name: string; readonly profile: Profile; pathOf(member: string): string[] };
  readonly #member: string;
  readonly #report: EventReporter;
  readonly #doubtful: EventReporter;
  readonly #recent: RecentHashes;
  readonly #pending = new Map<string, Pending>();
  readonly #all: AllOrSome;
  readonly #genesis: ReturnType<typeof genesisOf>;
  readonly #restart: Condition;
  readonly #sequence: MemberPath | undefined;
  /** Records store their own hashes. */
  readonly #isStored: boolean;
  #areSigned = false;

  /** `doubtful`: for findings that a damaged line may explain. */
  constructor(
    chain: { readonly name: string; readonly profile: Profile; pathOf(member: string): string[] },
    member: string,
    report: EventReporter,
    doubtful: EventReporter,
    recent: RecentHashes,
  ) {
    const { genesis, restart, sequence, hash } = chain.profile;
    this.#chain = chain;
    this.#member = member;
    this.#report = report;
    this.#doubtful = doubtful;
    this.#recent = recent;
    this.#all = new AllOrSome(report, (count) => this.#allWrong(count), MANY);
    this.#genesis = genesisOf(genesis);
    this.#restart = conditionOf(restart);
    this.#sequence = sequence && pathOf(sequence.member);
    this.#isStored = hash !== undefined;
  }

  /** Whether no earlier link waits for the record that it names. */
  get areSettled(): boolean {
    return this.#pending.size === 0;
  }

  /** Takes a link that names the head. */
  right(group: Group): void {
    group.hasLink = true;
    this.#all.right();
  }

  /** Checks the link of a record. */
  check(
    row: LoggedEvent,
    group: Group,
    record: ChainRecord,
    {
      link,
      value,
      own,
      isAfterGap,
    }: {
      link: number;
      value: string | undefined;
      own: string | undefined;
      isAfterGap: boolean;
    },
  ): Linked {
    const { head } = group;
    const follows: Linked = { follows: head, isReattached: false, isWrong: false };
    const wrong: Linked = { ...follows, isWrong: true };
    const member = this.#member;
    if (group.count === 0) {
      if (value !== undefined) group.hasLink = true;
      return this.#isGenesis(row, record, link, value) ? follows : wrong;
    }
    if (link === -1 && !(this.#chain.profile.starts_later === true && !group.hasLink)) {
      if (isAfterGap) return follows;
      this.#missing(row);
      return wrong;
    }
    if (link === -1) {
      const copyOf = own === undefined ? undefined : this.#recent.get(own);
      if (copyOf === undefined) return follows;
      this.#report.at(row, this.#linkRemark(head, value, addedCopy(copyOf.line)));
      return wrong;
    }
    if (value !== undefined && value === head.hash) {
      this.right(group);
      return follows;
    }
    group.hasLink = true;
    const tip = group.tips.find(({ hash }) => hash === value);
    if (tip !== undefined && group.isBroken) return { follows: tip, isReattached: true, isWrong: false };
    // The finding of the record before, or of one that was moved to another chain, explains this link.
    if (value !== undefined && head.computed === value && head.isWrong) return follows;
    const at = value === undefined ? undefined : this.#recent.get(value);
    if (at?.isWrong === true && at.line > head.line) return follows;
    if (head.isWrong && !this.#isStored && !this.#skips(group, record)) return follows;
    if (isAfterGap) {
      this.#doubtful.at(
        row,
        this.#linkRemark(head, value, `${member} does not name line ${head.line}, the record before it`),
      );
      return follows;
    }
    group.isBroken = true;
    this.#breakAt(row, group, record, {
      value,
      isNullLink: link !== -1 && value === undefined,
      own,
      at: at?.line,
    });
    return wrong;
  }

  #linkRemark(head: Tip, value: string | undefined, message: string): EventRemark {
    return {
      code: 'chain/broken-link',
      message,
      path: this.#chain.pathOf(this.#member),
      ...(head.hash !== undefined && { expected: head.hash }),
      ...(value !== undefined && { actual: value }),
    };
  }

  /** Reports a broken link, now or once it is clear whether the record that it names follows. */
  #breakAt(
    row: LoggedEvent,
    group: Group,
    record: ChainRecord,
    {
      value,
      isNullLink,
      own,
      at,
    }: {
      value: string | undefined;
      isNullLink: boolean;
      own: string | undefined;
      at: number | undefined;
    },
  ): void {
    const { head } = group;
    const member = this.#member;
    const remark = (message: string) => this.#linkRemark(head, value, message);
    const copyOf = own === undefined ? undefined : this.#recent.get(own)?.line;
    const isFirst = isNullLink || (value !== undefined && this.#genesis.texts.includes(value));
    if (copyOf !== undefined) this.#all.wrong(row, remark(addedCopy(copyOf)));
    else if (isFirst)
      this.#all.wrong(
        row,
        remark(
          `${member} is that of a first record, but line ${head.line} is before it: a record was added, or two logs were joined`,
        ),
      );
    else if (at !== undefined)
      this.#all.wrong(
        row,
        remark(
          `${member} names line ${at}, but line ${head.line} is the record before it: a record between them was added, or the records were moved`,
        ),
      );
    else {
      const missing = this.#missingBefore(group, record);
      const draft = this.#report.draft(row, remark(''));
      const pending = { draft, line: row.line, before: head.line, missing };
      this.#all.counted();
      if (value !== undefined && this.#pending.size < MOST_PENDING && !this.#pending.has(value))
        this.#pending.set(value, pending);
      else this.#all.held(this.#settled(pending));
    }
  }

  /** The finding for a link whose record did not follow. */
  #settled({ draft, line, before, missing }: Pending, movedTo?: number): FindingDraft {
    const member = this.#member;
    const is = (text: string) => ({
      ...draft,
      message: `${member} is not the hash of line ${before}, the record before it: ${text}`,
    });
    if (movedTo !== undefined)
      return is(`it names line ${movedTo}, which comes after line ${line}, so the records were moved`);
    if (missing === 1) return is('a record between them, by the sequence numbers, was removed');
    if (missing !== undefined && missing > 0)
      return is(`${missing} records between them, by the sequence numbers, were removed`);
    if (missing === 0) return is(`line ${before} was changed after line ${line} was written`);
    return is(
      !this.#isStored
        ? `line ${before} was changed, or a record between them was removed`
        : `a record between them was removed, or line ${before} was replaced`,
    );
  }

  /** How many records are missing before this one, by the sequence; undefined if there is none. */
  #missingBefore(group: Group, record: ChainRecord): number | undefined {
    const number = this.#numberOf(record);
    const { number: before } = group.head;
    if (number === undefined || before === undefined) return undefined;
    const missing = number - before - 1;
    return missing >= 0 ? missing : undefined;
  }

  /** Whether the sequence says that records are missing before this one. */
  #skips(group: Group, record: ChainRecord): boolean {
    const missing = this.#missingBefore(group, record);
    return this.#sequence !== undefined && missing !== 0;
  }

  /** Whether a first record may have this link. If not, reports it. */
  #isGenesis(
    row: LoggedEvent,
    { index, root }: ChainRecord,
    link: number,
    value: string | undefined,
  ): boolean {
    const { texts, isAbsent, isNull: isNullAllowed } = this.#genesis;
    const isAllowed = value === undefined ? (link === -1 ? isAbsent : isNullAllowed) : texts.includes(value);
    if (isAllowed) return true;
    const member = this.#member;
    if (link === -1) {
      this.#missing(row);
      return false;
    }
    const names = value === undefined ? 'null' : value;
    const remark: EventRemark = {
      code: 'chain/genesis',
      message: `the first record names a record before it (${member} is ${named(names)}): the beginning of the log was removed`,
      path: this.#chain.pathOf(member),
    };
    if (this.#restart.length > 0 && holds(index, root, this.#restart)) {
      const message = 'the log begins with a record that says that earlier ones were deleted';
      this.#report.at(row, { ...remark, severity: 'info', message });
      return true;
    }
    this.#report.at(row, remark);
    return false;
  }

  #numberOf({ index, root }: ChainRecord): number | undefined {
    if (this.#sequence === undefined) return undefined;
    const number = Number(textOf(index, valueAt(index, root, this.#sequence)));
    return Number.isSafeInteger(number) ? number : undefined;
  }

  #missing(row: LoggedEvent): void {
    this.#report.at(row, {
      code: 'chain/missing-member',
      message: `the record has no ${this.#member}, which the chain needs`,
    });
  }

  #allWrong(count: number): string {
    const { name, profile } = this.#chain;
    return this.#areSigned && profile.to === 'line'
      ? `${this.#member} is wrong in all ${count} records although their signatures are valid: the log was printed again, which changed its bytes`
      : `${this.#member} is wrong in all ${count} records: another version of ${name}, or every record was changed`;
  }

  /** Takes the hash of a record. Whether an earlier record names it, which is then reported as moved. */
  arrived(hash: string, line: number): boolean {
    const pending = this.#pending.size === 0 ? undefined : this.#pending.get(hash);
    if (pending === undefined) return false;
    this.#pending.delete(hash);
    this.#all.held(this.#settled(pending, line));
    return true;
  }

  /** Reports what is only known at the end of the log. `areSigned`: every record has a valid signature. */
  end(areSigned: boolean): void {
    this.#areSigned = areSigned;
    for (const pending of this.#pending.values()) this.#all.held(this.#settled(pending));
    this.#pending.clear();
    this.#all.end();
  }
}
