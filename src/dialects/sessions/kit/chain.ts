import { named } from '../../../base/json/write.ts';
import type { EventReporter } from '../../../findings/check.ts';
import { GrowingNumbers } from '../../../log/growing-numbers.ts';
import type { Row } from '../../../log/row.ts';
import type { TextIndex } from '../../../log/text-index.ts';
import { CauseCycles } from '../../kit/cause-cycles.ts';
import { mayLack, type ReachLink } from './resume-reach.ts';

/** The parts of a record that the chain needs. */
export interface Link extends ReachLink {
  /**
   * The ordinals of the record's id and its parent's id among the texts of the log; -1 for none. A record
   * without an id follows the previous one.
   */
  readonly id: number;
  readonly parent: number;
  /** Whether its parent may be missing, because the program drops such records. */
  readonly mayLoseParent?: boolean;
}

/** The graph of the records of a session, whatever the order of the lines. */
export class SessionChain<L extends Link = Link> {
  /** The first record of each id. */
  readonly links: L[] = [];
  readonly #report: EventReporter;
  readonly #member: string;
  /** By the ordinal of an id: its index + 1. */
  readonly #places = new GrowingNumbers(Int32Array);
  #texts: TextIndex | undefined;

  /** `member`: the name of the member with the parent's id. */
  constructor(report: EventReporter, member: string) {
    this.#report = report;
    this.#member = member;
  }

  add({ texts }: Row, link: L): void {
    this.#texts = texts;
    const count = this.links.push(link);
    if (link.id >= 0) this.#places.set(link.id, count);
  }

  /** The index of the record with this id, or -1 if it has not come yet. */
  placeOf(id: number): number {
    return id < 0 ? -1 : this.#places.get(id) - 1;
  }

  textOf(id: number): string {
    return this.#texts?.textOf(id) ?? '';
  }

  /** The index of a record's parent; -1 if it has no parent or the parent is not in the log. */
  parentOf(index: number): number {
    const link = this.links[index];
    return link === undefined || link.id < 0 ? index - 1 : this.placeOf(link.parent);
  }

  /** Whether a continued session may lack something. */
  get mayLack(): boolean {
    return mayLack(this.links, (index) => {
      const link = this.links[index];
      const isRoot = link === undefined || link.id < 0 ? index === 0 : link.parent < 0;
      return isRoot ? undefined : this.parentOf(index);
    });
  }

  /** Reports parents that are missing or come later, and cycles. */
  end(): void {
    const { links } = this;
    const early = [];
    let linked = 0;
    let mayCycle = false;
    for (const [index, link] of links.entries()) {
      if (link.parent < 0) continue;
      const there = this.placeOf(link.parent);
      mayCycle ||= there >= index;
      if (there >= 0) linked += 1;
      if (there > index) early.push(link);
      if (there < 0) this.#missing(link, index === 0);
    }
    this.#early(early, linked);
    if (mayCycle) this.#reportCycles();
  }

  #missing({ line, id, parent, mayLoseParent }: L, isFirst: boolean): void {
    const name = named(this.textOf(parent));
    this.#report.onLine(line, this.textOf(id), {
      code: isFirst ? 'lineage/begins-inside' : 'lineage/missing-parent',
      ...(!isFirst && mayLoseParent && { severity: 'info' as const }),
      message: isFirst
        ? `the parent of the first record, ${name}, is not in this log: the log is the end of a longer one`
        : `the parent of the record, ${name}, is not in this log`,
    });
  }

  #early([first, ...more]: readonly L[], linked: number): void {
    if (first === undefined) return;
    // A few records change places if several writers append. Most of them do not.
    const isMost = more.length > 1 && 2 * (more.length + 1) > linked;
    const many =
      more.length === 0
        ? '1 record comes before its parent'
        : `${more.length + 1} records come before their parents`;
    this.#report.onLine(first.line, this.textOf(first.id), {
      code: 'lineage/forward-cause',
      ...(isMost && { severity: 'warn' as const }),
      message: isMost
        ? `${many}: the order of the lines was changed`
        : `${many}: this happens if several writers append, and the graph is still correct`,
    });
  }

  #reportCycles(): void {
    const cycles = new CauseCycles({ parentOf: (child) => this.parentOf(child) });
    for (const [index, { line, id }] of this.links.entries()) {
      const members = cycles.cycleThrough(index);
      if (members === undefined || members === 'reported') continue;
      const message =
        members.length === 1
          ? 'the record is its own parent'
          : `following ${this.#member} from this record leads back to it after ${members.length} records`;
      this.#report.onLine(line, this.textOf(id), { code: 'lineage/cycle', message });
    }
  }
}
