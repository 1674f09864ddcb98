import { formatPath } from '../../base/json/path.ts';
import { ValueIndex } from '../../base/json/value-index.ts';
import { bytesBetween } from '../../log/bytes-between.ts';
import type { Row } from '../../log/row.ts';
import type { Column } from '../../log/row-layout.ts';
import type { EventCheck, EventRemark, EventReporter, LogEnd } from '../check.ts';
import { familyOf, type NamedProfile, profilesOf, profilesWith } from './choose.ts';
import { ALL, type Cover, coverOfSignature, isWhole, NONE, uncovered, union } from './coverage.ts';
import { isMember } from './detect.ts';
import { type ExpectedHead, headDocument } from './heads.ts';
import { ChainRun } from './run.ts';
import type { ChainCheckSettings, ChainProof, ChainResult } from './settings.ts';

/** After so many records, one of several unrelated profiles is chosen. */
const ENOUGH = 2;
/** At most this many members are named. */
const MOST_MEMBERS = 20;

/** The checks of the chains of a log; undefined if its records are not chained. */
export function chainCheck(
  path: string,
  report: EventReporter,
  settings: ChainCheckSettings,
): ChainCheck | undefined {
  const { name, profiles } = settings;
  if (name === 'none') return undefined;
  const fitting = profilesOf(path, profiles);
  const isNamed = (one: NamedProfile) => one.name === name || familyOf(one) === name;
  const chosen = name === undefined ? fitting : fitting.filter(isNamed);
  if (chosen.length === 0 && name === undefined) return undefined;
  const wanted = chosen.length > 0 ? chosen : profilesWith(profiles).filter(isNamed);
  return new ChainCheck(path, report, settings, wanted, chosen.length === 0);
}

/** Checks the chains of a log. */
export class ChainCheck implements EventCheck {
  readonly #report: EventReporter;
  readonly #isForced: boolean;
  readonly #index = new ValueIndex(Buffer.from('0'), 0, 1);
  readonly #families = new Map<
    string,
    { readonly runs: ChainRun[]; readonly report: EventReporter; readonly rank: number }
  >();
  readonly #uncovered = new Set<string>();
  readonly #uncoveredInLast = new Set<string>();
  /** Members that only hashes cover, although the records are signed. */
  readonly #unsigned = new Set<string>();
  readonly #hasDocument: boolean;
  readonly #headFaults: { readonly run: ChainRun; readonly message: string }[] = [];
  /** The records that are in no chain, and the line of the first. */
  readonly #unchained = { count: 0, line: 0 };
  /** The first records, until one of several profiles is chosen. */
  #early: Buffer[] = [];
  #cover: Cover | undefined;
  #rows = 0;
  #lastLine = 1;
  #isSettled = false;
  #row: Row | undefined;
  #isIndexed = false;
  /** Finds the places of the values in the record. Most records do not need them. */
  readonly #indexed = (): ValueIndex => {
    if (!this.#isIndexed) this.#row?.index(this.#index);
    this.#isIndexed = true;
    return this.#index;
  };

  constructor(
    path: string,
    report: EventReporter,
    settings: ChainCheckSettings,
    profiles: readonly NamedProfile[],
    isForced: boolean,
  ) {
    this.#report = report;
    this.#isForced = isForced;
    const { expectHead, expectCount } = settings;
    const given: ExpectedHead[] = [];
    if (expectHead !== undefined) given.push({ source: '--expect-head', kind: 'given', hash: expectHead });
    if (expectCount !== undefined)
      given.push({ source: '--expect-count', kind: 'given', count: expectCount });
    for (const one of profiles) {
      const family = familyOf(one);
      const known = this.#families.get(family) ?? {
        runs: [],
        report: report.later(),
        rank: one.isOwn ? Infinity : one.shape.size,
      };
      this.#families.set(family, known);
      const { name, profile } = one;
      const heads = known.runs.length === 0 ? given : [];
      const run = new ChainRun(name, profile, known.report, { ...settings, heads });
      const next = headDocument(path, profile);
      if (typeof next === 'string') this.#headFaults.push({ run, message: next });
      else if (next !== undefined) run.documentNextTo(next);
      known.runs.push(run);
    }
    this.#hasDocument = profiles.some(({ profile }) => isMember(profile.records));
  }

  get #runs(): ChainRun[] {
    return [...this.#families.values()].flatMap(({ runs }) => runs);
  }

  /** The columns that the checks read of most records, so that these need no index. */
  get columns(): readonly Column[] {
    return this.#runs.flatMap(({ columns }) => columns);
  }

  row(row: Row): void {
    const { record } = row;
    this.#row = row;
    this.#isIndexed = false;
    this.#lastLine = row.line;
    let isAmbiguous = false;
    if (!row.isAccepted)
      for (const { kind, text } of record.notices())
        if (kind === 'duplicate-key') {
          isAmbiguous = true;
          this.#report.at(row, {
            code: 'chain/ambiguous',
            message: `the key ${JSON.stringify(text)} is repeated in a chained record: readers may see another value than the one that was hashed`,
          });
        }
    this.#rows += 1;
    if (this.#rows === 1 && this.#hasDocument) {
      this.#document(this.#indexed());
      return;
    }
    let isChained = false;
    for (const { runs } of this.#families.values())
      for (const run of runs) if (run.row(row, this.#indexed, isAmbiguous)) isChained = true;
    if (!isChained) {
      if (this.#unchained.count === 0) this.#unchained.line = row.line;
      this.#unchained.count += 1;
    }
    if (this.#isSettled) this.#lookForUncovered(this.#indexed);
    else {
      this.#early.push(Buffer.from(record.bytes.subarray(record.valueStart, record.valueEnd)));
      if (this.#rows >= ENOUGH + (this.#hasDocument ? 1 : 0)) this.#settle();
    }
  }

  #lookForUncovered(indexed: () => ValueIndex): void {
    this.#cover ??= this.#covered('middle');
    if (!isWhole(this.#cover)) uncovered(indexed(), 0, this.#cover, this.#uncovered, MOST_MEMBERS + 1);
  }

  /** Takes the document around the records. */
  #document(index: ValueIndex): void {
    let cover = NONE;
    for (const run of this.#runs) {
      run.document(index);
      const { head } = run.profile;
      const members = head?.file === undefined ? [head?.hash, head?.count] : [];
      // A document of another format is not recognised.
      for (const path of [...members, ...run.profile.detect.map((one) => one.replace(/=.*$/s, ''))])
        if (path !== undefined) cover = union(cover, pathCover(path));
    }
    uncovered(index, 0, cover, this.#uncovered, MOST_MEMBERS + 1);
  }

  #covered(where: 'middle' | 'last'): Cover {
    return this.#runs.reduce((cover, run) => union(cover, run.covers()[where]), NONE);
  }

  /** Chooses the profiles, as soon as there are enough records. */
  #settle(): void {
    this.#isSettled = true;
    if (this.#families.size > 1) this.#choose();
    for (const bytes of this.#early) this.#lookForUncovered(() => this.#index.read(bytes, 0, bytes.length));
    this.#early = [];
  }

  /**
   * Chooses one of several unrelated profiles: those whose first records hold, else the first. A signed chain is never left
   * out: an attacker could add the members of another chain to its records, so that no signature is checked.
   */
  #choose(): void {
    const all = [...this.#families];
    const holding = all.filter(([, { runs }]) => runs.every((run) => run.isRight && !run.isEmpty));
    const [longest] = all.toSorted(([, a], [, b]) => (a.rank === b.rank ? 0 : b.rank - a.rank));
    const chosen = holding.length > 0 ? holding : [longest];
    const isSigned = (runs: readonly ChainRun[]) =>
      runs.some(({ profile }) => profile.signature !== undefined);
    const kept = all.filter((one) => chosen.includes(one) || isSigned(one[1].runs));
    const left = all.filter((one) => !kept.includes(one)).map(([name]) => name);
    for (const name of left) this.#families.delete(name);
    const hint = 'name the right one with --chain';
    const names = kept.map(([name]) => name).join(' and ');
    if (left.length > 0)
      this.#atEnd({
        code: 'chain/two-profiles',
        severity: 'warn',
        message: `the records also have the members of ${left.join(' and ')}, whose chain does not hold, so only ${names} was checked`,
        hint,
      });
    if (kept.length > 1)
      this.#atEnd({
        code: 'chain/two-profiles',
        message: `the records fit the chains ${names}: all of them were checked`,
        hint,
      });
  }

  end(log: LogEnd): void {
    if (!this.#isSettled) this.#settle();
    if (this.#isForced) {
      const [name] = this.#runs.map((run) => run.name);
      this.#atEnd({
        code: 'chain/unknown-profile',
        message: `the records do not have the members of the chain ${name}: no chain was checked`,
      });
      return;
    }
    for (const { runs, report } of this.#families.values()) {
      for (const run of runs) run.end(log);
      this.#report.confirm(report);
    }
    const results = this.#runs.filter((run) => !run.isEmpty).map((run) => run.result());
    if (results.length === 0) return;
    if (results.every(({ guards }) => guards.length === 0))
      this.#atEnd({
        code: 'chain/no-guard',
        message: 'nothing says how many records there were, so verify cannot tell if the end is missing',
        hint: 'run noesis checkpoint to sign the log as it is now, or compare it with what you know: --expect-head, --expect-count',
      });
    for (const { run, message } of this.#headFaults)
      if (this.#runs.includes(run) && !run.isEmpty)
        this.#atEnd({ code: 'chain/head', severity: 'warn', message });
    this.#endUncovered(log);
    this.#endUnsigned(log);
  }

  #atEnd(remark: Omit<EventRemark, 'path'>): void {
    this.#report.onLine(this.#lastLine, undefined, remark);
  }

  /** The members of the last records of the chains that a cover leaves out. */
  #leftOutOfLast(log: LogEnd, cover: Cover): Set<string> {
    const found = new Set<string>();
    for (const run of this.#runs)
      for (const { from, to } of run.lastRecords()) {
        const bytes = bytesBetween(log.path, from, to);
        uncovered(this.#index.read(bytes, 0, bytes.length), 0, cover, found, MOST_MEMBERS + 1);
      }
    return found;
  }

  /** Names what nothing covers. */
  #endUncovered(log: LogEnd): void {
    const cover = this.#covered('last');
    const last = cover === this.#cover ? [] : this.#leftOutOfLast(log, cover);
    for (const path of last) if (!this.#uncovered.has(path)) this.#uncoveredInLast.add(path);
    const [everywhere, onlyLast] = [[...this.#uncovered], [...this.#uncoveredInLast]];
    const marked = new Set(
      this.#runs.flatMap(({ profile: { map = {} } }) => [map.time, map.type, map.agent]),
    );
    const isMarked = [...everywhere, ...onlyLast].some((path) => marked.has(path));
    const parts = [
      ...(everywhere.length > 0 ? [listed(everywhere)] : []),
      ...(onlyLast.length > 0 ? [`${listed(onlyLast)} of the last record`] : []),
    ];
    if (parts.length > 0)
      this.#atEnd({
        code: 'chain/uncovered',
        ...(isMarked && { severity: 'warn' as const }),
        message: `no hash or checked signature covers ${parts.join(', and ')}, so it may have been changed`,
      });
    for (const { profile, coversLinks, isEmpty } of this.#runs)
      if (!coversLinks && !isEmpty)
        this.#atEnd({
          code: 'chain/uncovered',
          severity: 'warn',
          message: `no hash or checked signature covers ${profile.link ?? 'the record before'}, so records may have been removed or moved`,
        });
    const { count, line } = this.#unchained;
    if (count > 0)
      this.#report.onLine(line, undefined, {
        code: 'chain/uncovered',
        severity: 'warn',
        message:
          count === 1
            ? 'the record is in no chain, so it may have been added or changed'
            : `${count} records, of which this is the first, are in no chain, so they may have been added or changed`,
      });
  }

  /** Names what only hashes cover, although a given key signed the records: hashes can be computed again. */
  #endUnsigned(log: LogEnd): void {
    const signed = this.#runs.filter((run) => run.isPinned);
    if (signed.length === 0) return;
    const cover = signed.reduce((all, { profile }) => union(all, coverOfSignature(profile).cover), NONE);
    for (const path of this.#leftOutOfLast(log, cover))
      if (!this.#uncovered.has(path) && !this.#uncoveredInLast.has(path)) this.#unsigned.add(path);
    if (this.#unsigned.size > 0)
      this.#atEnd({
        code: 'chain/uncovered',
        message: `no signature covers ${listed([...this.#unsigned])}, only hashes, which anyone can compute again`,
      });
  }

  /** What the chains prove; undefined if there are none. Call it after the end. */
  proof(): ChainProof | undefined {
    const runs = this.#isForced ? [] : this.#runs.filter((run) => !run.isEmpty);
    if (runs.length === 0) return undefined;
    const complete = runs.filter((run) => run.isComplete);
    const results = complete.map((run) => run.result());
    const guards = new Set(results.flatMap(guardsOf));
    const signed = complete.filter(
      (run) => run.isPinned && run.isLinked && coverOfSignature(run.profile).isLinked,
    );
    return {
      chains: runs.map((run) => run.result()),
      isComplete: complete.length > 0,
      isLinked: complete.some((run) => run.isLinked),
      isSingle: !results.some(({ records, chains }) => records > chains),
      isSealed: guards.size > 0,
      isSigned: signed.length > 0 && this.#unsigned.size === 0,
      isEndSigned: guards.has('given') || signed.some((run) => guardsOf(run.result()).includes('end')),
    };
  }
}

/** The guards that say how many records there are. The end of each chain does not say how many chains there were. */
const guardsOf = ({ guards, chains }: ChainResult): readonly string[] =>
  chains === 1 ? guards : guards.filter((one) => one !== 'end');

const pathCover = (path: string): Cover =>
  path.split('.').reduceRight<Cover>((inner, name) => ({ all: false, below: new Map([[name, inner]]) }), ALL);

/** Members in words, in the order of the records. */
function listed(paths: readonly string[]): string {
  const names = paths
    .slice(0, MOST_MEMBERS)
    .map((path) => (path === '' ? 'anything' : formatPath(path.split('.'))));
  return names.join(', ') + (paths.length > MOST_MEMBERS ? ' and more' : '');
}
