import type { EventRemark, EventReporter, LoggedEvent } from '../check.ts';
import { AllOrSome } from './all-or-some.ts';
import type { CanonicalWriter } from './canonical.ts';
import { Copies } from './copies.ts';
import { type ChainRecord, Digest } from './digest.ts';
import type { Group } from './groups.ts';
import { type MemberPath, pathOf, textOf, valueAt } from './paths.ts';
import type { Profile } from './profile.ts';
import type { RecordFindings } from './record-findings.ts';

/** The hash of a record: the stored one, and the one of its content. */
interface OwnHash {
  readonly stored: string | undefined;
  readonly computed: string | undefined;
  /** A damaged line may have been the record before it. */
  readonly isAfterGap: boolean;
  readonly isCopy: () => boolean;
}

/** Checks the hash of each record's content, and values of which the hash covers only a copy. */
export class RecordHashes {
  readonly #chain: { readonly name: string; readonly profile: Profile; pathOf(member: string): string[] };
  readonly #findings: RecordFindings;
  readonly #doubtful: EventReporter;
  readonly #all: AllOrSome;
  readonly #also: readonly { readonly path: MemberPath; readonly digest: Digest; readonly all: AllOrSome }[];
  readonly #copies: Copies;

  /** `doubtful`: for findings that a damaged line may explain. */
  constructor(
    chain: { readonly name: string; readonly profile: Profile; pathOf(member: string): string[] },
    findings: RecordFindings,
    report: EventReporter,
    doubtful: EventReporter,
    writer: CanonicalWriter,
  ) {
    const { also = [], hash = '' } = chain.profile;
    this.#chain = chain;
    this.#findings = findings;
    this.#doubtful = doubtful;
    this.#all = new AllOrSome(report, this.#nothing(hash));
    this.#also = also.map((one) => ({
      path: pathOf(one.hash),
      digest: new Digest(one, writer),
      all: new AllOrSome(report, this.#nothing(one.hash)),
    }));
    this.#copies = new Copies(chain.profile);
  }

  /** The numbers that two forms print differently, in values that the hash covers as copies. */
  get ambiguities(): Copies['ambiguities'] {
    return this.#copies.ambiguities;
  }

  /** The hash of a record is that of its content. */
  right(): void {
    this.#all.right();
  }

  /** Checks the hash of a record. */
  check(row: LoggedEvent, group: Group, { stored, computed, isAfterGap, isCopy }: OwnHash): void {
    const { hash: member, link } = this.#chain.profile;
    if (member === undefined || computed === undefined) return;
    if (stored === undefined) return this.#findings.missing(row, member);
    if (stored === computed) return this.right();
    // The link covers the same change.
    if (this.#findings.isWrong) return;
    const isLinked = link !== undefined;
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
      path: this.#chain.pathOf(member),
      expected: computed,
      actual: stored,
    };
    if (!isLinked && isAfterGap) return this.#doubtful.at(row, remark);
    this.#findings.isWrong = true;
    if (!isLinked) group.isBroken = true;
    this.#all.wrong(row, remark);
  }

  /** Checks the other hashes of a record, and that the values it shows are those that a hash covers. */
  checkOthers(row: LoggedEvent, record: ChainRecord, before: string | undefined): void {
    const { index, root } = record;
    for (const { path, digest, all } of this.#also) {
      const stored = textOf(index, valueAt(index, root, path));
      if (stored === undefined) {
        this.#findings.missing(row, path.text);
        continue;
      }
      const computed = digest.of(record, before);
      this.#findings.ambiguous(row, digest.doubt);
      if (stored === computed) all.right();
      else if (!this.#findings.isWrong) {
        this.#findings.isWrong = true;
        all.wrong(row, {
          code: 'chain/hash',
          message: `${path.text} is not the hash of what it covers: the record was changed`,
          path: this.#chain.pathOf(path.text),
          expected: computed,
          actual: stored,
        });
      }
    }
    const differing = this.#findings.isWrong ? undefined : this.#copies.differing(index, root);
    if (differing !== undefined)
      this.#findings.fault(row, {
        code: 'chain/hash',
        message: `${differing.shown} differs from ${differing.copy}, which the hash covers: readers see another value than the one that is proven`,
        path: this.#chain.pathOf(differing.shown),
      });
  }

  #nothing(member: string): (count: number) => string {
    return (count) =>
      `${member} is wrong in all ${count} records: another version of ${this.#chain.name}, or every record was changed`;
  }

  end(): void {
    for (const all of [this.#all, ...this.#also.map((one) => one.all)]) all.end();
  }
}
