import { createHash, type Hash } from 'node:crypto';
import { named } from '../../base/json/write.ts';
import type { EventRemark, EventReporter, LoggedEvent } from '../check.ts';
import type { ChainRecord } from './digest.ts';
import type { Group } from './groups.ts';
import { type Condition, conditionOf, holds, type MemberPath, pathOf, textOf, valueAt } from './paths.ts';
import type { Profile } from './profile.ts';

/** Checks the records that end chains, and finds the chains without one. */
export class ClosingRecords {
  readonly #end: Profile['end'];
  readonly #where: Condition;
  readonly #count: MemberPath | undefined;
  readonly #hashes: MemberPath | undefined;
  readonly #pathOf: (member: string) => string[];

  constructor({ end }: Profile, pathOfMember: (member: string) => string[]) {
    const path = (text: string | undefined) => (text === undefined ? undefined : pathOf(text));
    this.#end = end;
    this.#where = conditionOf(end?.where);
    this.#count = path(end?.count);
    this.#hashes = path(end?.hashes);
    this.#pathOf = pathOfMember;
  }

  /** Starts the hash over the JSON list of the hashes of a chain; undefined if no record has it. */
  startHashes(): Hash | undefined {
    return this.#hashes === undefined ? undefined : createHash('sha256').update('[');
  }

  /**
   * Takes the record that a chain has last. If it ends the chain, returns what is wrong with it. `isWrong`: the record has a
   * finding, which may explain the difference.
   */
  check(
    row: LoggedEvent,
    group: Group,
    { index, root }: ChainRecord,
    isWrong: boolean,
  ): EventRemark | undefined {
    if (this.#end === undefined) return undefined;
    let remark: EventRemark | undefined;
    if (this.#where.length > 0 && holds(index, root, this.#where)) {
      group.closed = row.line;
      const at = (path: MemberPath | undefined) =>
        path === undefined ? undefined : textOf(index, valueAt(index, root, path));
      if (!group.isBroken && !isWrong)
        remark =
          this.#countDiffers(group.count - 1, at(this.#count)) ??
          this.#hashesDiffer(group.hashes, at(this.#hashes));
    }
    group.hashes?.update(`${group.count > 1 ? ',' : ''}${JSON.stringify(group.head.hash ?? '')}`);
    return remark;
  }

  #countDiffers(before: number, count: string | undefined): EventRemark | undefined {
    const member = this.#count?.text;
    if (member === undefined || count === undefined || Number(count) === before) return undefined;
    return {
      code: 'chain/count',
      message: `${member} is ${named(count)}, but the chain has ${before} ${before === 1 ? 'record' : 'records'} before this one`,
      path: this.#pathOf(member),
      expected: String(before),
      actual: count,
    };
  }

  #hashesDiffer(before: Hash | undefined, stored: string | undefined): EventRemark | undefined {
    const member = this.#hashes?.text;
    if (member === undefined || before === undefined || stored === undefined) return undefined;
    if (stored === before.copy().update(']').digest('hex')) return undefined;
    return {
      code: 'chain/count',
      message: `${member} is not the hash of the hashes of the records before this one`,
      path: this.#pathOf(member),
    };
  }

  /** Reports the chains that no record ends. */
  end(report: EventReporter, line: number, groups: readonly Group[]): void {
    const open = groups.filter(({ closed }) => closed === undefined).length;
    if (this.#end === undefined || open === 0) return;
    report.onLine(line, undefined, {
      code: 'chain/open',
      message: `${groups.length === 1 ? 'the chain has' : `${open} of ${groups.length} chains have`} no record that ends it, so verify cannot tell if the end is missing`,
    });
  }

  /** Whether a record ends each chain. */
  areAll(groups: readonly Group[]): boolean {
    return this.#end !== undefined && groups.every(({ closed }) => closed !== undefined);
  }
}
