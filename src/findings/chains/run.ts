import type { ValueIndex } from '../../base/json/value-index.ts';
import { named } from '../../base/json/write.ts';
import type { Row } from '../../log/row.ts';
import type { Column } from '../../log/row-layout.ts';
import type { EventRemark, EventReporter, LogEnd, LoggedEvent } from '../check.ts';
import { AllOrSome } from './all-or-some.ts';
import { ambiguitiesInWords } from './ambiguities.ts';
import { CanonicalWriter } from './canonical.ts';
import { ClosingRecords } from './closing.ts';
import { ContinuingRecords } from './continuing.ts';
import { Copies } from './copies.ts';
import { type Cover, coverOf, coversLinks } from './coverage.ts';
import { type ChainRecord, chainRecord, Digest } from './digest.ts';
import { type Group, Groups, type Tip } from './groups.ts';
import { type ExpectedHead, Heads, headIn } from './heads.ts';
import { genesisOf, Links } from './links.ts';
import {
  type Condition,
  conditionOf,
  holds,
  isNull,
  isTwofold,
  type MemberPath,
  pathOf,
  pathsIn,
  textLike,
  textOf,
  valueAt,
} from './paths.ts';
import type { Profile } from './profile.ts';
import { RecentHashes } from './recent-hashes.ts';
import type { ChainResult } from './settings.ts';
import { Signatures } from './signatures.ts';
import { UnreadProofs } from './unread.ts';

interface RunSettings {
  /** The key with an id that the user gave; the empty id is for a single key. */
  readonly key: (kid: string) => Uint8Array | undefined;
  /** A signature is required, so what leaves one open is an error. */
  readonly requireSignature: boolean;
  /** From the user, and from a file next to the log. */
  readonly heads: readonly ExpectedHead[];
  /** The records of further chains are in no chain. */
  readonly mostChains?: number | undefined;
}

/** Verifies the chains of one profile in a log. */
export class ChainRun {
  readonly name: string;
  readonly profile: Profile;
  readonly #report: EventReporter;
  /** Findings that a damaged line may explain. */
  readonly #doubtful: EventReporter;
  readonly #chains: Groups;
  readonly #recent = new RecentHashes();
  readonly #writer = new CanonicalWriter();
  readonly #digest: Digest;
  readonly #also: readonly { readonly path: MemberPath; readonly digest: Digest; readonly all: AllOrSome }[];
  readonly #signatures: Signatures | undefined;
  readonly #where: Condition;
  readonly #closing: ClosingRecords;
  readonly #continuing: ContinuingRecords;
  readonly #each: MemberPath | undefined;
  readonly #group: MemberPath | undefined;
  readonly #link: MemberPath | undefined;
  readonly #hash: MemberPath | undefined;
  readonly #sequence: MemberPath | undefined;
  readonly #copies: Copies;
  /** The paths that may also be names. */
  readonly #dotted: readonly MemberPath[];
  readonly #genesis: readonly string[];
  readonly #links: Links | undefined;
  readonly #hashFindings: AllOrSome;
  readonly #heads: Heads;
  readonly #unread: UnreadProofs;
  #current: ChainRecord | undefined;
  #lastLine = 0;
  #lastByte = 0;
  #gaps = 0;
  #count = 0;
  #left = 0;
  /** Records that nothing links to the one before. */
  #unlinked = 0;
  #faults = 0;
  /** Set as soon as the current record has a finding. */
  #isWrong = false;
  /** The document around the records does not name the last one, as others of the profile do. */
  #hasNoHead = false;

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
    this.#closing = new ClosingRecords(profile, (member) => this.pathOf(member));
    this.#continuing = new ContinuingRecords(profile, this.#digest);
    const path = (text: string | undefined) => (text === undefined ? undefined : pathOf(text));
    this.#each = path(profile.each);
    this.#group = path(profile.group);
    this.#link = path(profile.link);
    this.#hash = path(profile.hash);
    this.#sequence = path(profile.sequence?.member);
    this.#copies = new Copies(profile);
    this.#dotted = pathsIn(profile).filter(({ names }) => names.length > 1);
    this.#genesis = genesisOf(genesis).texts;
    this.#chains = new Groups(this.#genesis[0], () => this.#closing.startHashes(), settings.mostChains);
    this.#links =
      profile.link === undefined
        ? undefined
        : new Links(this, profile.link, report, this.#doubtful, this.#recent);
    this.#hashFindings = new AllOrSome(report, this.#nothing(profile.hash ?? ''));
    this.#heads = new Heads(report, settings.heads);
    this.#unread = new UnreadProofs(profile);
  }

  /** Takes the document around the records, which is the first record of its log. */
  document(index: ValueIndex): void {
    this.#unread.see(index);
    const { head } = this.profile;
    if (head === undefined || head.file !== undefined) return;
    const found = headIn(index, head, 'the head of the document');
    if (found === undefined) this.#hasNoHead = true;
    else this.#heads.add(found);
  }

  /** Takes the document next to the log. */
  documentNextTo(index: ValueIndex): void {
    this.#unread.see(index);
    const { head } = this.profile;
    const found = head && headIn(index, head, head.file ?? '');
    if (found !== undefined) this.#heads.add(found);
  }

  /** The columns that it reads of most records. */
  get columns(): readonly Column[] {
    return this.#continuing.columns;
  }

  /** Checks the next record. `isKnown`: it already has a finding. False if it is in no chain. */
  row(row: Row, indexed: () => ValueIndex, isKnown: boolean): boolean {
    const { record } = row;
    // Empty lines have at most two bytes. Between other lines there may be a damaged one.
    const skipped = this.#lastLine === 0 ? 0 : row.line - this.#lastLine - 1;
    if (record.byteStart - this.#lastByte > 2 * skipped + 2) this.#gaps += 1;
    this.#lastLine = row.line;
    this.#lastByte = record.byteEnd;
    this.#isWrong = isKnown;
    if (!isKnown && this.#continues(row, indexed)) return true;
    const index = indexed();
    const root = this.#each === undefined ? 0 : valueAt(index, 0, this.#each);
    if (!holds(index, 0, this.#where)) {
      this.#left += 1;
      return false;
    }
    if (root === -1) {
      this.#missing(row, this.profile.each ?? '');
      return true;
    }
    this.#unread.see(index);
    this.#current = chainRecord(record, index, root);
    const left = this.#left;
    this.#check(row, this.#current);
    if (this.#isWrong) this.#faults += 1;
    return this.#left === left;
  }

  /** Takes a record in which all is as expected. False if it may not be, so that {@link #check} must find out what is wrong. */
  #continues(row: Row, indexed: () => ValueIndex): boolean {
    const links = this.#links;
    if (links?.areSettled !== true) return false;
    const group = this.#continuing.groupOf(row, this.#chains, this.#gaps);
    const tip = group && this.#continuing.tipOf(row, indexed, group.head);
    if (group === undefined || tip === undefined) return false;
    if (this.#hash !== undefined) this.#hashFindings.right();
    links.right(group);
    this.#count += 1;
    this.#advance(row, group, tip, group.head, false);
    return true;
  }

  #check(row: LoggedEvent, record: ChainRecord): void {
    const { index, root } = record;
    this.#ambiguous(row, this.#twofold(index, root));
    const group = this.#groupOf(index, root);
    if (group === undefined) {
      this.#left += 1;
      return;
    }
    const link = this.#link === undefined ? -1 : valueAt(index, root, this.#link);
    const value = link === -1 || isNull(index, link) ? undefined : textLike(index, link, group.head.hash);
    const previous = this.#link === undefined ? group.head.hash : value;
    const before = previous ?? this.#genesis[0];
    const isAfterGap = group.count > 0 && group.gaps !== this.#gaps;
    group.gaps = this.#gaps;
    const place = this.#hash === undefined ? -1 : valueAt(index, root, this.#hash);
    if (this.profile.starts_later === true && group.count === 0 && this.#link === undefined && place === -1) {
      this.#left += 1;
      return;
    }
    let computed = this.profile.over === undefined ? undefined : this.#digest.of(record, before);
    const stored = this.#hash === undefined ? undefined : textLike(index, place, computed);
    this.#ambiguous(row, this.#digest.doubt);
    const own = this.profile.to === 'line' ? this.#digest.ofLine(row.record) : (stored ?? computed);
    const isCopy = () => own !== undefined && group.count > 0 && this.#recent.get(own) !== undefined;

    // The record that this one follows: the head, or another after a break.
    let follows: Tip = group.head;
    let isReattached = false;
    if (this.#links !== undefined) {
      const found = this.#links.check(row, group, record, { link, value, own, isAfterGap });
      if (found.isWrong) this.#isWrong = true;
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
    const hasNoLink = this.#links === undefined ? this.#hash === undefined : value === undefined;
    if (hasNoLink && group.count > 0 && !this.#isWrong) this.#unlinked += 1;
    const isLinkWrong = this.#isWrong;
    this.#checkHash(row, group, { stored, computed, isAfterGap, isCopy });
    this.#checkOthers(row, record, before);
    if (this.#signatures?.check(row, record, before, this.#isWrong) === false) this.#isWrong = true;
    const numbers = this.#checkSequence(row, group, record, follows, isAfterGap);
    if (group.closed !== undefined && !this.#isWrong && !isReattached) {
      this.#fault(row, {
        code: 'chain/after-end',
        message: `the record follows line ${group.closed}, which ends its chain`,
      });
    }
    this.#count += 1;
    // A record without any member of the chain was added, so the next one does not follow it.
    if (isLinkWrong && link === -1 && this.#hash !== undefined && stored === undefined && group.count > 0)
      return;
    if ((isLinkWrong || (this.#link === undefined && this.#isWrong)) && isCopy()) return;
    this.#advance(
      row,
      group,
      {
        hash: own,
        line: row.line,
        ...numbers,
        isNamed: false,
        isWrong: this.#isWrong,
        computed: stored !== undefined && stored !== computed ? computed : undefined,
      },
      follows,
      isReattached,
    );
    const closing = this.#closing.check(row, group, record, this.#isWrong);
    if (closing !== undefined) this.#fault(row, closing);
  }

  /** Says which member can be taken for another one; undefined if none can. */
  #twofold(index: ValueIndex, root: number): string | undefined {
    const both = this.#dotted.find((path) => isTwofold(index, root, path) || isTwofold(index, 0, path));
    return (
      both &&
      `the record has a member named ${named(both.text)} and one at this path: readers may take either`
    );
  }

  /** The chain of a record; undefined if there are too many. */
  #groupOf(index: ValueIndex, root: number): Group | undefined {
    const name = this.#group === undefined ? '' : (textOf(index, valueAt(index, root, this.#group)) ?? '');
    return this.#chains.named(name, this.#gaps);
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
      if (!this.#isWrong) this.#missing(row, member);
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
      this.#ambiguous(row, digest.doubt);
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
    const differing = this.#isWrong ? undefined : this.#copies.differing(index, root);
    if (differing !== undefined)
      this.#fault(row, {
        code: 'chain/hash',
        message: `${differing.shown} differs from ${differing.copy}, which the hash covers: readers see another value than the one that is proven`,
        path: this.pathOf(differing.shown),
      });
  }

  /** The number of the record, as the next one should continue it. */
  #checkSequence(
    row: LoggedEvent,
    group: Group,
    { index, root }: ChainRecord,
    follows: Tip,
    isAfterGap: boolean,
  ): Pick<Tip, 'number' | 'otherNumber'> {
    const { sequence } = this.profile;
    if (sequence === undefined || this.#sequence === undefined) return { number: undefined };
    const stored = textOf(index, valueAt(index, root, this.#sequence));
    if (stored === undefined) {
      if (!this.#isWrong) this.#missing(row, sequence.member);
      return { number: undefined };
    }
    const number = Number.isSafeInteger(Number(stored)) ? Number(stored) : undefined;
    const { number: before, otherNumber } = follows;
    const right = group.count === 0 ? sequence.start : before === undefined ? undefined : before + 1;
    if (right === undefined || number === right) return { number };
    if (otherNumber !== undefined && number === otherNumber + 1) return { number };
    // The link or the hash of the record says the same.
    if (this.#isWrong) return { number: number !== undefined && Math.abs(number) < 2 ** 52 ? number : right };
    const remark: EventRemark = {
      code: 'chain/sequence',
      message: `${sequence.member} is ${named(stored)}, but ${right} is expected${group.count === 0 ? ' of the first record' : ` after line ${follows.line}`}`,
      path: this.pathOf(sequence.member),
      expected: String(right),
      actual: stored,
    };
    if (isAfterGap) {
      this.#doubtful.at(row, remark);
      return { number: number ?? right };
    }
    this.#fault(row, remark);
    return { number: right, otherNumber: number };
  }

  /** Makes a record the last one of its chain. */
  #advance(row: LoggedEvent, group: Group, tip: Tip, follows: Tip, isReattached: boolean): void {
    const { hash, line, isWrong } = tip;
    if (hash !== undefined) {
      if (this.#links?.arrived(hash, line) === true) tip.isNamed = true;
      this.#recent.set(hash, line, isWrong);
    }
    this.#chains.append(row, group, tip, follows, isReattached);
    this.#heads.passed(row, this.#count, hash);
  }

  #missing(row: LoggedEvent, member: string): void {
    this.#fault(row, {
      code: 'chain/missing-member',
      message: `the record has no ${member}, which the chain needs`,
    });
  }

  #ambiguous(row: LoggedEvent, message: string | undefined): void {
    if (message !== undefined && !this.#isWrong) this.#fault(row, { code: 'chain/ambiguous', message });
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

  /** Reports what is only known at the end of the log. */
  end(log: LogEnd): void {
    this.#links?.end(this.#signatures?.areValid === true);
    for (const all of [this.#hashFindings, ...this.#also.map((one) => one.all)]) all.end();
    if (log.whole) this.#report.confirm(this.#doubtful);
    if (this.#count === 0) return;
    const isExplained = !log.whole || this.#chains.all.some(({ isBroken }) => isBroken);
    const { last } = this.#chains;
    this.#heads.end(last?.line ?? this.#lastLine, this.#count, last?.hash, isExplained);
    this.#signatures?.end(last?.line ?? this.#lastLine);
    this.#closing.end(this.#report, last?.line ?? this.#lastLine, this.#chains.all);
    if (this.#hasNoHead)
      this.#atEnd({
        code: 'chain/open',
        message: `the document has no ${this.profile.head?.hash}, so verify cannot tell if the end is missing`,
      });
    this.#unread.end(this.#report, last?.line ?? this.#lastLine);
    const ambiguities = new Map([...this.#copies.ambiguities, ...this.#writer.ambiguities]);
    const message = ambiguitiesInWords(ambiguities, this.name);
    if (message !== undefined) this.#atEnd({ code: 'chain/ambiguous-number', message });
  }

  #atEnd(remark: EventRemark): void {
    this.#report.onLine(this.#chains.last?.line ?? this.#lastLine, undefined, remark);
  }

  /** What is not covered, if another record follows and if not. */
  covers(): { readonly middle: Cover; readonly last: Cover } {
    return coverOf(this.profile, this.#signatures?.areChecked === true);
  }

  /** Where the last records of the chains are in the file. At most a thousand. */
  lastRecords(): { readonly from: number; readonly to: number }[] {
    return this.#chains.lastRecords();
  }

  /** Whether every record of the log is in a chain. */
  get isComplete(): boolean {
    return this.#left === 0;
  }

  /** Whether no record has a finding yet. */
  get isRight(): boolean {
    return this.#faults === 0;
  }

  /** Whether every record has a valid signature of a given key. */
  get isPinned(): boolean {
    return this.#count > 0 && this.#signatures?.pinned === this.#count;
  }

  /** Whether every record but the first of each chain is linked to the one before. */
  get isLinked(): boolean {
    return this.#unlinked === 0 && this.coversLinks;
  }

  /** Whether something covers the links. */
  get coversLinks(): boolean {
    return coversLinks(this.profile, this.#signatures?.areChecked === true);
  }

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  result(): ChainResult {
    const { last } = this.#chains;
    const guards = this.#closing.areAll(this.#chains.all) ? ['end'] : [];
    return {
      name: this.name,
      records: this.#count,
      chains: this.#chains.count,
      ...(last?.hash !== undefined && { head: last.hash }),
      guards: [...new Set([...guards, ...this.#heads.guards(this.#count)])],
      signed: this.#signatures?.valid ?? 0,
      pinned: this.#signatures?.pinned ?? 0,
    };
  }
}
