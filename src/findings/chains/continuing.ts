import type { ValueIndex } from '../../base/json/value-index.ts';
import type { Row } from '../../log/row.ts';
import type { Column } from '../../log/row-layout.ts';
import { type ChainColumns, type ColumnNumbers, columnsOf, numbersIn } from './columns.ts';
import { chainRecord, type Digest } from './digest.ts';
import type { Group, Groups, Tip } from './groups.ts';
import { pathsIn } from './paths.ts';
import type { Profile } from './profile.ts';

/** Whether the link, the hash and the number say all about a record, and none of their paths may also be a name. */
function isSimple(profile: Profile): boolean {
  const { link, signature, also, same, end, where, each, unread } = profile;
  return (
    link !== undefined &&
    [signature, also, same, end, where, each, unread].every((one) => one === undefined) &&
    pathsIn(profile).every(({ names }) => names.length === 1)
  );
}

/**
 * Recognises the records that continue their chains as expected, which most do. Reads only some columns of them. What it
 * does not recognise may still be right.
 */
export class ContinuingRecords {
  readonly #profile: Profile;
  readonly #digest: Digest;
  /** Undefined if the profile needs more of a record. */
  readonly #wanted: ChainColumns | undefined;
  /** The columns in the rows of the log; undefined if a row does not have them. */
  #at: ColumnNumbers | undefined;
  #isFirst = true;

  constructor(profile: Profile, digest: Digest) {
    this.#profile = profile;
    this.#digest = digest;
    this.#wanted = isSimple(profile) ? columnsOf(profile) : undefined;
  }

  /** The columns that it reads. */
  get columns(): readonly Column[] {
    return Object.values(this.#wanted ?? {}).filter((one) => one !== undefined);
  }

  /** The chain that a record may continue; undefined if nothing is expected of the next record of it. */
  groupOf(row: Row, chains: Groups, gaps: number): Group | undefined {
    if (this.#isFirst) this.#at = this.#wanted && numbersIn(row.layout, this.#wanted);
    this.#isFirst = false;
    if (this.#at === undefined) return undefined;
    const name = this.#profile.group === undefined ? '' : row.text(this.#at.group);
    const group = name === undefined ? undefined : chains.named(name, gaps);
    if (group === undefined || group.count === 0 || group.gaps !== gaps) return undefined;
    return group.head.isWrong || group.isBroken ? undefined : group;
  }

  /** The record as the last one of its chain; undefined if something in it may not be as expected after `head`. */
  tipOf(row: Row, indexed: () => ValueIndex, head: Tip): Tip | undefined {
    const { over, hash, sequence, to } = this.#profile;
    if (this.#at === undefined || head.hash === undefined || !row.isText(this.#at.link, head.hash))
      return undefined;
    const number = sequence === undefined ? undefined : row.number(this.#at.sequence);
    if (sequence !== undefined && (head.number === undefined || number !== head.number + 1)) return undefined;
    const computed = over === undefined ? undefined : this.#hashOf(row, indexed, head.hash);
    if (computed !== undefined && this.#digest.doubt !== undefined) return undefined;
    if (hash !== undefined && (computed === undefined || !row.isText(this.#at.hash, computed)))
      return undefined;
    return {
      hash: to === 'line' ? this.#digest.ofLine(row.record) : computed,
      line: row.line,
      number,
      isNamed: false,
      isWrong: false,
      computed: undefined,
    };
  }

  /** The hash of a record. Most are printed by the accelerator. */
  #hashOf(row: Row, indexed: () => ValueIndex, previous: string): string {
    return this.#digest.ofRow(row) ?? this.#digest.of(chainRecord(row.record, indexed(), 0), previous);
  }
}
