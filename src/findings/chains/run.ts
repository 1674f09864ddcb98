import { createHash, type Hash } from 'node:crypto';
import { ValueIndex } from '../../base/json/value-index.ts';
import { named } from '../../base/json/write.ts';
import type { EventRemark, EventReporter, LogEnd, LoggedEvent } from '../check.ts';
import type { FindingDraft } from '../findings.ts';
import { AllOrSome } from './all-or-some.ts';
import { CanonicalWriter, FORMS } from './canonical.ts';
import { type Cover, coverOf } from './coverage.ts';
import { type ChainRecord, Digest } from './digest.ts';
import { type ExpectedHead, Heads, headIn } from './heads.ts';
import {
  type Condition,
  conditionOf,
  holds,
  isNull,
  type MemberPath,
  pathOf,
  textLike,
  textOf,
  valueAt,
} from './paths.ts';
import type { Profile } from './profile.ts';
import { RecentHashes } from './recent-hashes.ts';
import type { ChainResult } from './settings.ts';
import { Signatures } from './signatures.ts';

interface RunSettings {
  /** The key with an id that the user gave; the empty id is for a single key. */
  readonly key: (kid: string) => Uint8Array | undefined;
  /** A signature is required, so what leaves one open is an error. */
  readonly requireSignature: boolean;
  /** From the user, and from a file next to the log. */
  readonly heads: readonly ExpectedHead[];
}

/** The last record of a part of a chain. */
interface Tip {
  hash: string | undefined;
  line: number;
  number: number | undefined;
  /** Another record names it. */
  isNamed: boolean;
  /** It has a finding, so what follows from it is not reported again. */
  isWrong: boolean;
  /** The hash of its content, if another one is stored. */
  computed: string | undefined;
}

/** A chain of the log: the records with one value of the group. */
interface Group {
  count: number;
  head: Tip;
  /** The record before the head. */
  before: Tip | undefined;
  /** Ends of parts that no record names yet, after a break. */
  readonly tips: Tip[];
  isBroken: boolean;
  /** The line of the record that ends the chain. */
  closed: number | undefined;
  /** Over the JSON list of the hashes. */
  readonly hashes: Hash | undefined;
  /** The number of gaps in the log before its last record. */
  gaps: number;
  hasLink: boolean;
  byteStart: number;
  byteEnd: number;
}

/** A broken link whose reason may follow in the log. */
interface Pending {
  readonly draft: FindingDraft;
  readonly line: number;
  readonly before: number;
  /** The number of missing records, by their sequence. */
  readonly missing: number | undefined;
}

/** At most this many ends, pending findings and groups are kept in mind. */
const [MOST_TIPS, MOST_PENDING, MOST_OPEN] = [16, 1000, 1000];
/** If so many links are wrong and none is right, one finding says so. */
const MANY = 3;

/** Verifies the chains of one profile in a log. */
export class ChainRun {
  readonly name: string;
  readonly profile: Profile;
  readonly #report: EventReporter;
  /** Findings that a damaged line may explain. */
  readonly #doubtful: EventReporter;
  readonly #groups = new Map<string, Group>();
  readonly #recent = new RecentHashes();
  readonly #pending = new Map<string, Pending>();
  readonly #writer = new CanonicalWriter();
  readonly #digest: Digest;
  readonly #also: readonly { readonly path: MemberPath; readonly digest: Digest; readonly all: AllOrSome }[];
  readonly #signatures: Signatures | undefined;
  readonly #where: Condition;
  readonly #restart: Condition;
  readonly #end: Condition;
  readonly #each: MemberPath | undefined;
  readonly #group: MemberPath | undefined;
  readonly #link: MemberPath | undefined;
  readonly #hash: MemberPath | undefined;
  readonly #sequence: MemberPath | undefined;
  readonly #same: readonly (readonly [MemberPath, MemberPath])[];
  readonly #genesis: {
    readonly texts: readonly string[];
    readonly isAbsent: boolean;
    readonly isNull: boolean;
  };
  readonly #linkFindings: AllOrSome;
  readonly #hashFindings: AllOrSome;
  readonly #heads: Heads;
  readonly #inner = new ValueIndex(Buffer.from('0'), 0, 1);
  readonly #copies = [new CanonicalWriter(), new CanonicalWriter()] as const;
  #current: ChainRecord | undefined;
  #lastLine = 0;
  #lastByte = 0;
  #gaps = 0;
  #count = 0;
  #left = 0;
  #faults = 0;
  #last: Group | undefined;
  /** Set as soon as the current record has a finding. */
  #isWrong = false;

  constructor(name: string, profile: Profile, report: EventReporter, settings: RunSettings) {
    this.name = name;
    this.profile = profile;
    this.#report = report;
    this.#doubtful = report.later();
    const { also = [], signature, genesis = [] } = profile;
    this.#digest = new Digest(profile, this.#writer);
    this.#also = also.map((one) => ({
      path: pathOf(one.hash),
      digest: new Digest(one, this.#writer),
      all: new AllOrSome(report, this.#nothing(one.hash)),
    }));
    this.#signatures = signature && new Signatures(this, signature, report, settings, this.#writer);
    this.#where = conditionOf(profile.where);
    this.#restart = conditionOf(profile.restart);
    this.#end = conditionOf(profile.end?.where);
    const path = (text: string | undefined) => (text === undefined ? undefined : pathOf(text));
    this.#each = path(profile.each);
    this.#group = path(profile.group);
    this.#link = path(profile.link);
    this.#hash = path(profile.hash);
    this.#sequence = path(profile.sequence?.member);
    this.#same = Object.entries(profile.same ?? {}).map(([a, b]) => [pathOf(a), pathOf(b)]);
    const first = [genesis].flat();
    this.#genesis = {
      texts: first.filter((one) => one !== 'absent' && one !== 'null'),
      isAbsent: first.includes('absent'),
      isNull: first.includes('null'),
    };
    this.#linkFindings = new AllOrSome(report, (count) => this.#allLinks(count), MANY);
    this.#hashFindings = new AllOrSome(report, this.#nothing(profile.hash ?? ''));
    this.#heads = new Heads(report, settings.heads);
  }

  /** Takes the document around the records, which is the first record of its log. */
  document(index: ValueIndex): void {
    const { head } = this.profile;
    if (head === undefined || head.file !== undefined) return;
    const found = headIn(index, head, 'the head of the document');
    if (found !== undefined) this.#heads.add(found);
  }

  /** Checks the next record. `isKnown`: it already has a finding. */
  row(row: LoggedEvent, index: ValueIndex, isKnown: boolean): void {
    const { record } = row;
    // Empty lines have at most two bytes. Between other lines there may be a damaged one.
    const skipped = this.#lastLine === 0 ? 0 : row.line - this.#lastLine - 1;
    if (record.byteStart - this.#lastByte > 2 * skipped + 2) this.#gaps += 1;
    this.#lastLine = row.line;
    this.#lastByte = record.byteEnd;
    const root = this.#each === undefined ? 0 : valueAt(index, 0, this.#each);
    if (!holds(index, 0, this.#where)) {
      this.#left += 1;
      return;
    }
    if (root === -1) {
      this.#missing(row, this.profile.each ?? '');
      return;
    }
    const { bytes, start, end } = record;
    this.#isWrong = isKnown;
    this.#current = { index, root, from: start, to: bytes[end - 1] === 0x0d ? end - 1 : end };
    this.#check(row, this.#current);
    if (this.#isWrong) this.#faults += 1;
  }

  #check(row: LoggedEvent, record: ChainRecord): void {
    const { index, root } = record;
    const group = this.#groupOf(index, root);
    const link = this.#link === undefined ? -1 : valueAt(index, root, this.#link);
    const value = link === -1 || isNull(index, link) ? undefined : textLike(index, link, group.head.hash);
    const previous = this.#link === undefined ? group.head.hash : value;
    const before = previous ?? this.#genesis.texts[0];
    const isAfterGap = group.count > 0 && group.gaps !== this.#gaps;
    group.gaps = this.#gaps;
    const place = this.#hash === undefined ? -1 : valueAt(index, root, this.#hash);
    if (this.profile.starts_later === true && group.count === 0 && this.#link === undefined && place === -1) {
      this.#left += 1;
      return;
    }
    let computed = this.profile.over === undefined ? undefined : this.#digest.of(record, before);
    const stored = this.#hash === undefined ? undefined : textLike(index, place, computed);
    if (this.#digest.isSplit) this.#ambiguous(row, 'a text contains the separator of the hashed parts');
    const own =
      this.profile.to === 'line'
        ? this.#digest.encoded(index.bytes.subarray(record.from, record.to))
        : (stored ?? computed);
    const isCopy = () => own !== undefined && group.count > 0 && this.#recent.get(own) !== undefined;

    // The record that this one follows: the head, or another after a break.
    let follows: Tip = group.head;
    let isReattached = false;
    if (this.#link !== undefined) {
      const found = this.#checkLink(row, group, {
        link,
        value,
        isNullLink: link !== -1 && value === undefined,
        own,
        isAfterGap,
      });
      follows = found.follows;
      isReattached = found.isReattached;
    } else if (stored !== undefined && stored !== computed && group.count > 0) {
      // The hash covers the one before, so a record that was moved fits another one.
      const other = [...group.tips, ...(group.before ? [group.before] : [])].find(
        (tip) => this.#digest.of(record, tip.hash) === stored,
      );
      if (other !== undefined && group.isBroken) {
        follows = other;
        isReattached = true;
        computed = stored;
      }
    }
    const isLinkWrong = this.#isWrong;
    this.#checkHash(row, group, { stored, computed, isAfterGap, isCopy });
    this.#checkOthers(row, record, before);
    if (this.#signatures?.check(row, record, before, this.#isWrong) === false) this.#isWrong = true;
    const number = this.#checkSequence(row, group, record, follows, isAfterGap);
    if (group.closed !== undefined && !this.#isWrong && !isReattached) {
      this.#fault(row, {
        code: 'chain/after-end',
        message: `the record follows line ${group.closed}, which ends its chain`,
      });
    }
    this.#count += 1;
    if ((isLinkWrong || (this.#link === undefined && this.#isWrong)) && isCopy()) return;
    this.#advance(
      row,
      group,
      {
        hash: own,
        line: row.line,
        number,
        isNamed: false,
        isWrong: this.#isWrong,
        computed: stored !== undefined && stored !== computed ? computed : undefined,
      },
      { follows, isReattached },
    );
    this.#checkEnd(row, group, record);
  }

  #groupOf(index: ValueIndex, root: number): Group {
    const name = this.#group === undefined ? '' : (textOf(index, valueAt(index, root, this.#group)) ?? '');
    let group = this.#groups.get(name);
    if (group === undefined) {
      group = {
        count: 0,
        head: {
          hash: this.#genesis.texts[0],
          line: 0,
          number: undefined,
          isNamed: true,
          isWrong: false,
          computed: undefined,
        },
        before: undefined,
        tips: [],
        isBroken: false,
        closed: undefined,
        hashes: this.profile.end?.hashes === undefined ? undefined : createHash('sha256').update('['),
        gaps: this.#gaps,
        hasLink: false,
        byteStart: 0,
        byteEnd: 0,
      };
      this.#groups.set(name, group);
    }
    return group;
  }

  #checkLink(
    row: LoggedEvent,
    group: Group,
    {
      link,
      value,
      isNullLink,
      own,
      isAfterGap,
    }: {
      link: number;
      value: string | undefined;
      isNullLink: boolean;
      own: string | undefined;
      isAfterGap: boolean;
    },
  ): { follows: Tip; isReattached: boolean } {
    const { head } = group;
    const follows = { follows: head, isReattached: false };
    const member = this.profile.link ?? '';
    if (group.count === 0) {
      this.#checkGenesis(row, link, value);
      if (value !== undefined) group.hasLink = true;
      return follows;
    }
    if (link === -1 && !(this.profile.starts_later === true && !group.hasLink)) {
      if (!isAfterGap) this.#missing(row, member);
      return follows;
    }
    if (link === -1) return follows;
    group.hasLink = true;
    if (value !== undefined && value === head.hash) {
      this.#linkFindings.right();
      return follows;
    }
    const tip = group.tips.find(({ hash }) => hash === value);
    if (tip !== undefined && group.isBroken) return { follows: tip, isReattached: true };
    // The finding of the record before, or of one that was moved to another chain, explains this link.
    if (value !== undefined && head.computed === value && head.isWrong) return follows;
    const at = value === undefined ? undefined : this.#recent.get(value);
    if (at?.isWrong === true && at.line > head.line) return follows;
    if (head.isWrong && this.#hash === undefined && !this.#skips(group)) return follows;
    if (isAfterGap) {
      this.#doubtful.at(
        row,
        this.#linkRemark(head, value, `${member} does not name line ${head.line}, the record before it`),
      );
      return follows;
    }
    this.#isWrong = true;
    group.isBroken = true;
    this.#breakAt(row, group, { value, isNullLink, own, at: at?.line });
    return follows;
  }

  #linkRemark(head: Tip, value: string | undefined, message: string): EventRemark {
    return {
      code: 'chain/broken-link',
      message,
      path: this.pathOf(this.profile.link),
      ...(head.hash !== undefined && { expected: head.hash }),
      ...(value !== undefined && { actual: value }),
    };
  }

  /** Reports a broken link, now or once it is clear whether the record that it names follows. */
  #breakAt(
    row: LoggedEvent,
    group: Group,
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
    const member = this.profile.link ?? '';
    const remark = (message: string) => this.#linkRemark(head, value, message);
    const copyOf = own === undefined ? undefined : this.#recent.get(own)?.line;
    const isFirst = isNullLink || (value !== undefined && this.#genesis.texts.includes(value));
    if (copyOf !== undefined)
      this.#linkFindings.wrong(row, remark(`the record is a copy of line ${copyOf}: it was added`));
    else if (isFirst)
      this.#linkFindings.wrong(
        row,
        remark(
          `${member} is that of a first record, but line ${head.line} is before it: a record was added, or two logs were joined`,
        ),
      );
    else if (at !== undefined)
      this.#linkFindings.wrong(
        row,
        remark(
          `${member} names line ${at}, but line ${head.line} is the record before it: a record between them was added, or the records were moved`,
        ),
      );
    else {
      const missing = this.#missingBefore(group);
      const draft = this.#report.draft(row, remark(''));
      const pending = { draft, line: row.line, before: head.line, missing };
      this.#linkFindings.counted();
      if (value !== undefined && this.#pending.size < MOST_PENDING && !this.#pending.has(value))
        this.#pending.set(value, pending);
      else this.#linkFindings.held(this.#settled(pending));
    }
  }

  /** The finding for a link whose record did not follow. */
  #settled({ draft, line, before, missing }: Pending, movedTo?: number): FindingDraft {
    const member = this.profile.link ?? '';
    const is = (text: string) => ({
      ...draft,
      message: `${member} is not the hash of line ${before}, the record before it: ${text}`,
    });
    if (movedTo !== undefined)
      return is(`it names line ${movedTo}, which comes after line ${line}, so the records were moved`);
    if (missing !== undefined && missing > 0)
      return is(
        `${missing === 1 ? 'a record' : `${missing} records`} between them, by the sequence numbers, was removed`.replace(
          'records between them, by the sequence numbers, was',
          'records between them, by the sequence numbers, were',
        ),
      );
    if (missing === 0) return is(`line ${before} was changed after line ${line} was written`);
    return is(
      this.#hash === undefined
        ? `line ${before} was changed, or a record between them was removed`
        : `a record between them was removed, or line ${before} was replaced`,
    );
  }

  /** How many records are missing before this one, by the sequence; undefined if there is none. */
  #missingBefore(group: Group): number | undefined {
    const number = this.#numberOfCurrent();
    const { number: before } = group.head;
    if (number === undefined || before === undefined) return undefined;
    const missing = number - before - 1;
    return missing >= 0 ? missing : undefined;
  }

  #numberOfCurrent(): number | undefined {
    if (this.#sequence === undefined || this.#current === undefined) return undefined;
    const { index, root } = this.#current;
    const number = Number(textOf(index, valueAt(index, root, this.#sequence)));
    return Number.isSafeInteger(number) ? number : undefined;
  }

  /** Whether the sequence says that records are missing before this one. */
  #skips(group: Group): boolean {
    const missing = this.#missingBefore(group);
    return this.#sequence !== undefined && missing !== 0;
  }

  #checkGenesis(row: LoggedEvent, link: number, value: string | undefined): void {
    const { texts, isAbsent, isNull: isNullAllowed } = this.#genesis;
    const isAllowed = value === undefined ? (link === -1 ? isAbsent : isNullAllowed) : texts.includes(value);
    if (isAllowed) return;
    const member = this.profile.link ?? '';
    if (link === -1) {
      this.#missing(row, member);
      return;
    }
    const names = value === undefined ? 'null' : value;
    const remark: EventRemark = {
      code: 'chain/genesis',
      message: `the first record names a record before it (${member} is ${named(names)}): the beginning of the log was removed`,
      path: this.pathOf(member),
    };
    const index = this.#current?.index;
    if (
      index !== undefined &&
      this.#restart.length > 0 &&
      holds(index, this.#current?.root ?? 0, this.#restart)
    ) {
      const message = 'the log begins with a record that says that earlier ones were deleted';
      this.#report.at(row, { ...remark, severity: 'info', message });
    } else this.#fault(row, remark);
  }

  #checkHash(
    row: LoggedEvent,
    group: Group,
    {
      stored,
      computed,
      isAfterGap,
      isCopy,
    }: {
      stored: string | undefined;
      computed: string | undefined;
      isAfterGap: boolean;
      isCopy: () => boolean;
    },
  ): void {
    const member = this.profile.hash;
    if (member === undefined || computed === undefined) return;
    if (stored === undefined) {
      this.#missing(row, member);
      return;
    }
    if (stored === computed) {
      this.#hashFindings.right();
      return;
    }
    // The link covers the same change.
    if (this.#isWrong) return;
    const isLinked = this.#link !== undefined;
    const covers = isLinked ? '' : ' and of the record before it';
    const reason = isCopy()
      ? ': the record is a copy of an earlier one'
      : isLinked
        ? ': the record was changed'
        : group.count === 0
          ? ': the record was changed, or the records before it were removed'
          : `: the record was changed, or one between line ${group.head.line} and it was removed or added`;
    const remark: EventRemark = {
      code: 'chain/hash',
      message: `${member} is not the hash of the content${covers}${reason}`,
      path: this.pathOf(member),
      expected: computed,
      actual: stored,
    };
    if (!isLinked && isAfterGap) {
      this.#doubtful.at(row, remark);
      return;
    }
    this.#isWrong = true;
    if (!isLinked) group.isBroken = true;
    this.#hashFindings.wrong(row, remark);
  }

  #checkOthers(row: LoggedEvent, record: ChainRecord, before: string | undefined): void {
    const { index, root } = record;
    for (const { path, digest, all } of this.#also) {
      const stored = textOf(index, valueAt(index, root, path));
      if (stored === undefined) {
        if (!this.#isWrong) this.#missing(row, path.text);
        continue;
      }
      const computed = digest.of(record, before);
      if (stored === computed) all.right();
      else if (!this.#isWrong) {
        this.#isWrong = true;
        all.wrong(row, {
          code: 'chain/hash',
          message: `${path.text} is not the hash of what it covers: the record was changed`,
          path: this.pathOf(path.text),
          expected: computed,
          actual: stored,
        });
      }
    }
    for (const [shown, copy] of this.#same)
      if (!this.#isWrong && this.#differs(index, root, shown, copy))
        this.#fault(row, {
          code: 'chain/hash',
          message: `${shown.text} differs from ${copy.text}, which the hash covers: readers see another value than the one that is proven`,
          path: this.pathOf(shown.text),
        });
  }

  /** Whether a member differs from its copy, which may be JSON in a text. */
  #differs(index: ValueIndex, root: number, shown: MemberPath, copy: MemberPath): boolean {
    const [one, other] = [valueAt(index, root, shown), valueAt(index, root, copy)];
    if (one === -1) return false;
    if (other === -1) return true;
    const [left, right] = this.#copies;
    left.clear();
    left.json(index, one, FORMS.jcs);
    right.clear();
    const text = textOf(index, other) ?? '';
    try {
      JSON.parse(text);
    } catch {
      return true;
    }
    const bytes = Buffer.from(text);
    right.json(this.#inner.read(bytes, 0, bytes.length), 0, FORMS.jcs);
    return !left.bytes.equals(right.bytes);
  }

  /** The number of the record, as the next one should continue it. */
  #checkSequence(
    row: LoggedEvent,
    group: Group,
    { index, root }: ChainRecord,
    follows: Tip,
    isAfterGap: boolean,
  ): number | undefined {
    const { sequence } = this.profile;
    if (sequence === undefined || this.#sequence === undefined) return undefined;
    const stored = textOf(index, valueAt(index, root, this.#sequence));
    if (stored === undefined) {
      if (!this.#isWrong) this.#missing(row, sequence.member);
      return undefined;
    }
    const number = Number(stored);
    const right =
      group.count === 0 ? sequence.start : follows.number === undefined ? undefined : follows.number + 1;
    if (right === undefined || number === right) return Number.isSafeInteger(number) ? number : undefined;
    const remark: EventRemark = {
      code: 'chain/sequence',
      message: `${sequence.member} is ${named(stored)}, but ${right} is expected${group.count === 0 ? ' of the first record' : ` after line ${follows.line}`}`,
      path: this.pathOf(sequence.member),
      expected: String(right),
      actual: stored,
    };
    // The link or the hash of the record says the same.
    if (this.#isWrong) return Number.isSafeInteger(number) && Math.abs(number) < 2 ** 52 ? number : right;
    if (isAfterGap) {
      this.#doubtful.at(row, remark);
      return Number.isSafeInteger(number) ? number : right;
    }
    this.#fault(row, remark);
    return right;
  }

  #advance(row: LoggedEvent, group: Group, tip: Tip, from: { follows: Tip; isReattached: boolean }): void {
    const { head } = group;
    if (from.isReattached) {
      const at = group.tips.indexOf(from.follows);
      if (at !== -1) group.tips.splice(at, 1);
    } else if (!group.isBroken || !this.#isWrong) head.isNamed = true;
    from.follows.isNamed = !this.#isWrong || from.isReattached || from.follows.isNamed;
    if (group.count > 0 && !head.isNamed && head !== tip) {
      group.tips.push(head);
      if (group.tips.length > MOST_TIPS) group.tips.shift();
    }
    if (tip.hash !== undefined) {
      const pending = this.#pending.get(tip.hash);
      if (pending !== undefined) {
        this.#pending.delete(tip.hash);
        this.#linkFindings.held(this.#settled(pending, tip.line));
        tip.isNamed = true;
      }
      this.#recent.set(tip.hash, tip.line, tip.isWrong);
    }
    group.before = head;
    group.head = tip;
    group.count += 1;
    const { record } = row;
    group.byteStart = record.byteStart + record.valueStart - record.start;
    group.byteEnd = record.byteStart + record.valueEnd - record.start;
    this.#last = group;
    this.#heads.passed(row, this.#count, tip.hash);
  }

  #checkEnd(row: LoggedEvent, group: Group, { index, root }: ChainRecord): void {
    const { end } = this.profile;
    if (end === undefined) return;
    if (this.#end.length > 0 && holds(index, root, this.#end)) {
      group.closed = row.line;
      const before = group.count - 1;
      const count =
        end.count === undefined ? undefined : textOf(index, valueAt(index, root, pathOf(end.count)));
      const isBroken = group.isBroken || this.#isWrong;
      if (count !== undefined && Number(count) !== before && !isBroken)
        this.#fault(row, {
          code: 'chain/count',
          message: `${end.count} is ${named(count)}, but the chain has ${before} ${before === 1 ? 'record' : 'records'} before this one`,
          path: this.pathOf(end.count),
          expected: String(before),
          actual: count,
        });
      const hashes =
        end.hashes === undefined ? undefined : textOf(index, valueAt(index, root, pathOf(end.hashes)));
      const right = group.hashes?.copy().update(']').digest('hex');
      if (hashes !== undefined && right !== undefined && hashes !== right && !isBroken && !this.#isWrong)
        this.#fault(row, {
          code: 'chain/count',
          message: `${end.hashes} is not the hash of the hashes of the records before this one`,
          path: this.pathOf(end.hashes),
        });
    }
    group.hashes?.update(`${group.count > 1 ? ',' : ''}${JSON.stringify(group.head.hash ?? '')}`);
  }

  #missing(row: LoggedEvent, member: string): void {
    this.#fault(row, {
      code: 'chain/missing-member',
      message: `the record has no ${member}, which the chain needs`,
    });
  }

  #ambiguous(row: LoggedEvent, message: string): void {
    this.#fault(row, { code: 'chain/ambiguous', message });
  }

  #fault(row: LoggedEvent, remark: EventRemark): void {
    this.#isWrong = true;
    this.#report.at(row, remark);
  }

  /** A path of the record, with that of the value that holds the chained record. */
  pathOf(member: string | undefined): string[] {
    const each = this.profile.each === undefined ? [] : this.profile.each.split('.');
    return member === undefined ? each : [...each, ...member.split('.')];
  }

  #nothing(member: string): (count: number) => string {
    return (count) =>
      `${member} is wrong in all ${count} records: another version of ${this.name}, or every record was changed`;
  }

  #allLinks(count: number): string {
    const { link = '', to } = this.profile;
    const isSigned = this.#signatures?.areValid === true;
    return isSigned && to === 'line'
      ? `${link} is wrong in all ${count} records although their signatures are valid: the log was printed again, which changed its bytes`
      : `${link} is wrong in all ${count} records: another version of ${this.name}, or every record was changed`;
  }

  /** Reports what is only known at the end of the log. */
  end(log: LogEnd): void {
    for (const pending of this.#pending.values()) this.#linkFindings.held(this.#settled(pending));
    this.#pending.clear();
    for (const all of [this.#linkFindings, this.#hashFindings, ...this.#also.map((one) => one.all)])
      all.end();
    if (log.whole) this.#report.confirm(this.#doubtful);
    if (this.#count === 0) return;
    const isExplained = !log.whole || [...this.#groups.values()].some(({ isBroken }) => isBroken);
    const last = this.#last?.head;
    this.#heads.end(last?.line ?? this.#lastLine, this.#count, last?.hash, isExplained);
    this.#signatures?.end(last?.line ?? this.#lastLine);
    const { end } = this.profile;
    const open = [...this.#groups.values()].filter(({ closed }) => closed === undefined).length;
    if (end !== undefined && open > 0)
      this.#atEnd({
        code: 'chain/open',
        message: `${this.#groups.size === 1 ? 'the chain has' : `${open} of ${this.#groups.size} chains have`} no record that ends it: records that were cut off at the end would not be missed`,
      });
    this.#endAmbiguities();
  }

  #atEnd(remark: EventRemark): void {
    this.#report.onLine(this.#last?.head.line ?? this.#lastLine, undefined, remark);
  }

  #endAmbiguities(): void {
    const { ambiguities } = this.#writer;
    const words = [...ambiguities].map(([kind, example]) => {
      const quoted = kind === 'number' ? example.slice(0, 40) : named(example);
      if (kind === 'number') return `the number ${quoted}`;
      return kind === 'nfc'
        ? `the text ${quoted}, which is not in NFC`
        : `the text ${quoted}, which has half a character`;
    });
    if (words.length > 0)
      this.#atEnd({
        code: 'chain/ambiguous-number',
        message: `programs print ${words.join(', and ')} in different ways: the hash of ${this.name} covers one of them`,
      });
  }

  /** What is not covered, if another record follows and if not. */
  covers(): { readonly middle: Cover; readonly last: Cover } {
    return coverOf(this.profile, this.#signatures?.areChecked === true);
  }

  /** Where the last records of the chains are in the file. At most a thousand. */
  lastRecords(): { readonly from: number; readonly to: number }[] {
    const all: { from: number; to: number }[] = [];
    for (const { byteStart: from, byteEnd: to, count } of this.#groups.values()) {
      if (all.length === MOST_OPEN) break;
      if (count > 0) all.push({ from, to });
    }
    return all;
  }

  /** Whether every record of the log is in a chain. */
  get isComplete(): boolean {
    return this.#left === 0;
  }

  /** Whether no record has a finding yet. */
  get isRight(): boolean {
    return this.#faults === 0;
  }

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  result(): ChainResult {
    const guards: string[] = [];
    const { end } = this.profile;
    if (end !== undefined && [...this.#groups.values()].every(({ closed }) => closed !== undefined))
      guards.push('end');
    return {
      name: this.name,
      records: this.#count,
      chains: this.#groups.size,
      ...(this.#last?.head.hash !== undefined && { head: this.#last.head.hash }),
      guards: [...new Set([...guards, ...this.#heads.guards(this.#count)])],
      signed: this.#signatures?.valid ?? 0,
      pinned: this.#signatures?.pinned ?? 0,
    };
  }
}
