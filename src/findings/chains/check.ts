import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readWhole } from '../../base/files/open-file.ts';
import { MAX_DOCUMENT_BYTES } from '../../base/json/limits.ts';
import { parseDocument } from '../../base/json/parse-document.ts';
import { formatPath } from '../../base/json/path.ts';
import { ValueIndex } from '../../base/json/value-index.ts';
import { bytesBetween } from '../../log/bytes-between.ts';
import type { Row } from '../../log/row.ts';
import type { EventCheck, EventReporter, LogEnd } from '../check.ts';
import { familyOf, type NamedProfile, profilesOf, profilesWith } from './choose.ts';
import { ALL, type Cover, NONE, uncovered, union } from './coverage.ts';
import { isMember } from './detect.ts';
import { type ExpectedHead, headIn } from './heads.ts';
import type { Profile } from './profile.ts';
import { ChainRun } from './run.ts';
import type { ChainCheckSettings, ChainProof } from './settings.ts';

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

/** The document with the head, next to a log. */
function documentNextTo(path: string, { head }: Profile): ValueIndex | undefined {
  if (head?.file === undefined) return undefined;
  const file = join(dirname(path), head.file);
  const status = lstatSync(file, { throwIfNoEntry: false });
  // A link could lead anywhere.
  if (!status?.isFile() || status.size > MAX_DOCUMENT_BYTES) return undefined;
  const bytes = readWhole(file);
  if (!parseDocument(bytes).ok) return undefined;
  return new ValueIndex(bytes, 0, bytes.length);
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
  /** Members that only hashes cover, although the records are signed. */
  readonly #unsigned = new Set<string>();
  readonly #hasDocument: boolean;
  #cover: Cover | undefined;
  #rows = 0;
  #lastLine = 1;
  #isSettled = false;

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
      const next = documentNextTo(path, profile);
      const head = next && profile.head && headIn(next, profile.head, profile.head.file ?? '');
      const heads = [...(head ? [head] : []), ...(known.runs.length === 0 ? given : [])];
      const run = new ChainRun(name, profile, known.report, { ...settings, heads });
      if (next) run.documentNextTo(next);
      known.runs.push(run);
    }
    this.#hasDocument = profiles.some(({ profile }) => isMember(profile.records));
  }

  get #runs(): ChainRun[] {
    return [...this.#families.values()].flatMap(({ runs }) => runs);
  }

  row(row: Row): void {
    const { record } = row;
    const index = this.#index.read(record.bytes, record.valueStart, record.valueEnd);
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
      this.#document(index);
      return;
    }
    for (const { runs } of this.#families.values()) for (const run of runs) run.row(row, index, isAmbiguous);
    if (!this.#isSettled && this.#rows >= ENOUGH + (this.#hasDocument ? 1 : 0)) this.#settle();
    this.#cover ??= this.#covered('middle');
    if (this.#cover !== ALL) uncovered(index, 0, this.#cover, this.#uncovered, MOST_MEMBERS + 1);
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

  /**
   * Chooses one of several unrelated profiles: those whose first records hold, else the first. A signed chain is never left
   * out: an attacker could add the members of another chain to its records, so that no signature is checked.
   */
  #settle(): void {
    this.#isSettled = true;
    if (this.#families.size < 2) return;
    const all = [...this.#families];
    const holding = all.filter(([, { runs }]) => runs.every((run) => run.isRight && !run.isEmpty));
    const [longest] = all.toSorted(([, a], [, b]) => (a.rank === b.rank ? 0 : b.rank - a.rank));
    const chosen = holding.length > 0 ? holding : longest === undefined ? [] : [longest];
    const isSigned = (runs: readonly ChainRun[]) =>
      runs.some(({ profile }) => profile.signature !== undefined);
    const kept = all.filter((one) => chosen.includes(one) || isSigned(one[1].runs));
    const left = all.filter((one) => !kept.includes(one)).map(([name]) => name);
    for (const name of left) this.#families.delete(name);
    if (left.length > 0)
      this.#report.onLine(this.#lastLine, undefined, {
        code: 'chain/two-profiles',
        severity: 'warn',
        message: `the records also have the members of ${left.length === 1 ? 'the chain' : 'the chains'} ${left.join(' and ')}, which ${left.length === 1 ? 'does' : 'do'} not hold: only ${kept.map(([name]) => name).join(' and ')} was checked`,
        hint: 'name the right one with --chain',
      });
    if (kept.length > 1)
      this.#report.onLine(this.#lastLine, undefined, {
        code: 'chain/two-profiles',
        message: `the records fit the chains ${kept.map(([name]) => name).join(' and ')}: all of them were checked`,
        hint: 'name the right one with --chain',
      });
  }

  end(log: LogEnd): void {
    if (!this.#isSettled) this.#settle();
    if (this.#isForced) {
      const [name] = this.#runs.map((run) => run.name);
      this.#report.onLine(this.#lastLine, undefined, {
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
      this.#report.onLine(this.#lastLine, undefined, {
        code: 'chain/no-guard',
        message: 'nothing says how many records there were, so verify cannot tell if the end is missing',
        hint: 'run noesis checkpoint to sign the log as it is now, or compare it with what you know: --expect-head, --expect-count',
      });
    this.#endUncovered(log);
    this.#endUnsigned(log);
  }

  /** Names what only hashes cover, although a given key signed the records: hashes can be computed again. */
  #endUnsigned(log: LogEnd): void {
    const runs = this.#runs.filter((run) => !run.isEmpty);
    const signed = runs.filter((run) => run.isPinned);
    if (signed.length === 0 || signed.length === runs.length) return;
    const cover = signed.reduce((all, run) => union(all, run.covers().last), NONE);
    for (const run of runs)
      for (const { from, to } of run.lastRecords()) {
        const bytes = bytesBetween(log.path, from, to);
        uncovered(this.#index.read(bytes, 0, bytes.length), 0, cover, this.#unsigned, MOST_MEMBERS + 1);
      }
    for (const path of this.#uncovered) this.#unsigned.delete(path);
    if (this.#unsigned.size > 0)
      this.#report.onLine(this.#lastLine, undefined, {
        code: 'chain/uncovered',
        message: `no signature covers ${listed([...this.#unsigned])}, only hashes, which anyone can compute again`,
      });
  }

  #endUncovered(log: LogEnd): void {
    const last = new Set<string>();
    const cover = this.#covered('last');
    if (cover !== this.#cover)
      for (const run of this.#runs)
        for (const { from, to } of run.lastRecords()) {
          const bytes = bytesBetween(log.path, from, to);
          uncovered(this.#index.read(bytes, 0, bytes.length), 0, cover, last, MOST_MEMBERS + 1);
        }
    const everywhere = [...this.#uncovered];
    const onlyLast = [...last].filter((path) => !this.#uncovered.has(path));
    if (everywhere.length + onlyLast.length === 0) return;
    const marked = new Set(
      this.#runs.flatMap(({ profile: { map = {} } }) => [map.time, map.type, map.agent]),
    );
    const isMarked = [...everywhere, ...onlyLast].some((path) => marked.has(path));
    const parts = [
      ...(everywhere.length > 0 ? [listed(everywhere)] : []),
      ...(onlyLast.length > 0 ? [`${listed(onlyLast)} of the last record`] : []),
    ];
    this.#report.onLine(this.#lastLine, undefined, {
      code: 'chain/uncovered',
      ...(isMarked && { severity: 'warn' as const }),
      message: `no hash or checked signature covers ${parts.join(', and ')}, so it may have been changed`,
    });
  }

  /** What the chains prove; undefined if there are none. Call it after the end. */
  proof(): ChainProof | undefined {
    const runs = this.#isForced ? [] : this.#runs.filter((run) => !run.isEmpty);
    if (runs.length === 0) return undefined;
    const complete = runs.filter((run) => run.isComplete);
    const results = complete.map((run) => run.result());
    return {
      chains: runs.map((run) => run.result()),
      isComplete: complete.length > 0,
      links: !complete.some((run) => run.isLinked)
        ? 'none'
        : results.some(({ records, chains }) => records > chains)
          ? 'all'
          : 'single',
      // The end of each chain does not say how many chains there were.
      isSealed: results.some(({ guards, chains }) => guards.some((one) => one !== 'end' || chains === 1)),
      isSigned: complete.some((run) => run.isPinned) && this.#unsigned.size === 0,
    };
  }
}

const pathCover = (path: string): Cover =>
  path.split('.').reduceRight<Cover>((inner, name) => ({ all: false, below: new Map([[name, inner]]) }), ALL);

/** Members in words, in the order of the records. */
function listed(paths: readonly string[]): string {
  const names = paths
    .slice(0, MOST_MEMBERS)
    .map((path) => (path === '' ? 'anything' : formatPath(path.split('.'))));
  return names.join(', ') + (paths.length > MOST_MEMBERS ? ' and more' : '');
}
