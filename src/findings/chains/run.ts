import type { ValueIndex } from '../../base/json/value-index.ts';
import { named } from '../../base/json/write.ts';
import type { Row } from '../../log/row.ts';
import type { Column } from '../../log/row-layout.ts';
import type { EventRemark, EventReporter, LogEnd, LoggedEvent } from '../check.ts';
import { ambiguitiesInWords } from './ambiguities.ts';
import { CanonicalWriter } from './canonical.ts';
import { ClosingRecords } from './closing.ts';
import { ContinuingRecords } from './continuing.ts';
import { type Cover, coverOf, coversLinks } from './coverage.ts';
import { type ChainRecord, chainRecord, Digest } from './digest.ts';
import { type Group, Groups, type Tip } from './groups.ts';
import { RecordHashes } from './hashes.ts';
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
import { missingMember, RecordFindings } from './record-findings.ts';
import { SequenceNumbers } from './sequence.ts';
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
  readonly #signatures: Signatures | undefined;
  readonly #where: Condition;
  readonly #closing: ClosingRecords;
  readonly #continuing: ContinuingRecords;
  readonly #each: MemberPath | undefined;
  readonly #group: MemberPath | undefined;
  readonly #link: MemberPath | undefined;
  readonly #hash: MemberPath | undefined;
  readonly #findings: RecordFindings;
  readonly #hashes: RecordHashes;
  readonly #numbers: SequenceNumbers | undefined;
  /** The paths that may also be names. */
  readonly #dotted: readonly MemberPath[];
  readonly #genesis: readonly string[];
  readonly #links: Links | undefined;
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
  /** The document around the records does not name the last one, as others of the profile do. */
  #hasNoHead = false;

  constructor(name: string, profile: Profile, report: EventReporter, settings: RunSettings) {
    this.name = name;
    this.profile = profile;
    this.#report = report;
    this.#doubtful = report.later();
    const { signature, genesis = [], sequence } = profile;
    this.#digest = new Digest(profile, this.#writer);
    this.#findings = new RecordFindings(report);
    this.#hashes = new RecordHashes(this, this.#findings, report, this.#doubtful, this.#writer);
    this.#numbers = sequence && new SequenceNumbers(this, sequence, this.#findings, this.#doubtful);
    this.#signatures = signature && new Signatures(this, signature, report, settings, this.#writer);
    this.#where = conditionOf(profile.where);
    this.#closing = new ClosingRecords(profile, (member) => this.pathOf(member));
    this.#continuing = new ContinuingRecords(profile, this.#digest);
    const path = (text: string | undefined) => (text === undefined ? undefined : pathOf(text));
    this.#each = path(profile.each);
    this.#group = path(profile.group);
    this.#link = path(profile.link);
    this.#hash = path(profile.hash);
    this.#dotted = pathsIn(profile).filter(({ names }) => names.length > 1);
    this.#genesis = genesisOf(genesis).texts;
    this.#chains = new Groups(this.#genesis[0], () => this.#closing.startHashes(), settings.mostChains);
    this.#links =
      profile.link === undefined
        ? undefined
        : new Links(this, profile.link, report, this.#doubtful, this.#recent);
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
    this.#findings.isWrong = isKnown;
    if (!isKnown && this.#continues(row, indexed)) return true;
    const index = indexed();
    const root = this.#each === undefined ? 0 : valueAt(index, 0, this.#each);
    if (!holds(index, 0, this.#where)) {
      this.#left += 1;
      return false;
    }
    if (root === -1) {
      this.#findings.fault(row, missingMember(this.profile.each ?? ''));
      return true;
    }
    this.#unread.see(index);
    this.#current = chainRecord(record, index, root);
    const left = this.#left;
    this.#check(row, this.#current);
    if (this.#findings.isWrong) this.#faults += 1;
    return this.#left === left;
  }

  /** Takes a record in which all is as expected. False if it may not be, so that {@link #check} must find out what is wrong. */
  #continues(row: Row, indexed: () => ValueIndex): boolean {
    const links = this.#links;
    if (links?.areSettled !== true) return false;
    const group = this.#continuing.groupOf(row, this.#chains, this.#gaps);
    const tip = group && this.#continuing.tipOf(row, indexed, group.head);
    if (group === undefined || tip === undefined) return false;
    if (this.#hash !== undefined) this.#hashes.right();
    links.right(group);
    this.#count += 1;
    this.#advance(row, group, tip, group.head, false);
    return true;
  }

  #check(row: LoggedEvent, record: ChainRecord): void {
    const { index, root } = record;
    this.#findings.ambiguous(row, this.#twofold(index, root));
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
    this.#findings.ambiguous(row, this.#digest.doubt);
    const own = this.profile.to === 'line' ? this.#digest.ofLine(row.record) : (stored ?? computed);
    const isCopy = () => own !== undefined && group.count > 0 && this.#recent.get(own) !== undefined;

    // The record that this one follows: the head, or another after a break.
    let follows: Tip = group.head;
    let isReattached = false;
    if (this.#links !== undefined) {
      const found = this.#links.check(row, group, record, { link, value, own, isAfterGap });
      if (found.isWrong) this.#findings.isWrong = true;
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
    if (hasNoLink && group.count > 0 && !this.#findings.isWrong) this.#unlinked += 1;
    const isLinkWrong = this.#findings.isWrong;
    this.#hashes.check(row, group, { stored, computed, isAfterGap, isCopy });
    this.#hashes.checkOthers(row, record, before);
    if (this.#signatures?.check(row, record, before, this.#findings.isWrong) === false)
      this.#findings.isWrong = true;
    const numbers = this.#numbers?.check(row, group, record, follows, isAfterGap) ?? { number: undefined };
    if (group.closed !== undefined && !this.#findings.isWrong && !isReattached) {
      this.#findings.fault(row, {
        code: 'chain/after-end',
        message: `the record follows line ${group.closed}, which ends its chain`,
      });
    }
    this.#count += 1;
    // A record without any member of the chain was added, so the next one does not follow it.
    if (isLinkWrong && link === -1 && this.#hash !== undefined && stored === undefined && group.count > 0)
      return;
    if ((isLinkWrong || (this.#link === undefined && this.#findings.isWrong)) && isCopy()) return;
    this.#advance(
      row,
      group,
      {
        hash: own,
        line: row.line,
        ...numbers,
        isNamed: false,
        isWrong: this.#findings.isWrong,
        computed: stored !== undefined && stored !== computed ? computed : undefined,
      },
      follows,
      isReattached,
    );
    const closing = this.#closing.check(row, group, record, this.#findings.isWrong);
    if (closing !== undefined) this.#findings.fault(row, closing);
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

  /** A path of the record, with that of the value that holds the chained record. */
  pathOf(member: string | undefined): string[] {
    const each = this.profile.each === undefined ? [] : this.profile.each.split('.');
    return member === undefined ? each : [...each, ...member.split('.')];
  }

  /** Reports what is only known at the end of the log. */
  end(log: LogEnd): void {
    this.#links?.end(this.#signatures?.areValid === true);
    this.#hashes.end();
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
    const ambiguities = new Map([...this.#hashes.ambiguities, ...this.#writer.ambiguities]);
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
